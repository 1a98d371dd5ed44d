import type { Mutant } from './mutant.ts';

const LEAKS = ['test/commands/leaks.test.ts'];
const SCRUB = ['test/base/scrub.test.ts'];
const COMPLETION = ['test/commands/completion.test.ts'];
const CONFIRMATION = ['test/commands/confirmation.test.ts'];

/** The yes before anything real, and what is kept from others. */
export const SECRET_MUTANTS: readonly Mutant[] = [
  {
    rule: 'M7',
    what: 'without a terminal a write goes ahead by itself',
    file: 'src/commands/confirmation.ts',
    from: 'if (!settings.yes && !settings.emulator && context.prompter === undefined) {',
    to: 'if (Boolean(false)) {',
    tests: CONFIRMATION,
  },
  {
    rule: 'M7',
    what: 'a person is not asked where standard error goes through a pipe',
    file: 'src/commands/confirmation.ts',
    from: '(settings.emulator && !stderr.isTTY)',
    to: '!stderr.isTTY',
    tests: CONFIRMATION,
  },
  {
    rule: 'M7',
    what: 'a person agrees to a plan that is not on the screen',
    file: 'src/commands/confirmation.ts',
    from: 'const seen = shown && stderr.isTTY;',
    to: 'const seen = true;',
    tests: CONFIRMATION,
  },
  {
    rule: 'M7',
    what: 'a dry run is all that a missing yes allows, and it is asked for too',
    file: 'src/commands/migrate.ts',
    from: 'if (!typed.dryRun) {',
    to: 'if (Boolean(true)) {',
    tests: CONFIRMATION,
  },
  {
    rule: 'M7',
    what: 'a resume writes what nobody agreed to',
    file: 'src/commands/resume.ts',
    from: 'if (!agreed) {',
    to: 'if (Boolean(false)) {',
    tests: CONFIRMATION,
  },
  {
    rule: 'M7',
    what: 'a resume at a terminal does not ask for the yes that the run never got',
    file: 'src/migrate/run.ts',
    from: 'if (resumed && isAgreed(journal)) {',
    to: 'if (resumed) {',
    tests: CONFIRMATION,
  },
  {
    rule: 'K8',
    what: 'what a gateway made of the Authorization header is kept',
    file: 'src/api/scrubbed-transport.ts',
    from: 'return { status, headers: Object.fromEntries(clean), body: scrubbedBody(body, scrub) };',
    to: 'return { status, headers: Object.fromEntries(clean), body: body ?? scrubbedBody(body, scrub) };',
    tests: LEAKS,
  },
  {
    rule: 'K8',
    what: 'an answer that spells the key in escapes of JSON gets through',
    file: 'src/api/scrubbed-transport.ts',
    from: 'ESCAPED.test(text) ? text.replace(ANY_ESCAPE, unescaped) : text',
    to: 'ESCAPED.test(text) ? text.replace(ANY_ESCAPE, (found) => found || unescaped(found, undefined)) : text',
    tests: LEAKS,
  },
  {
    rule: 'K8',
    what: 'only the whole key is scrubbed, and only as it is',
    file: 'src/base/scrub.ts',
    from: '  const forms = formsOf(secret);',
    to: '  if (Boolean(true)) {\n    return (text) => text.replaceAll(secret, mark);\n  }\n  const forms = formsOf(secret);',
    tests: SCRUB,
  },
  {
    rule: 'K8',
    what: 'a key that was typed as an id is printed',
    file: 'src/base/hiding.ts',
    from: 'write: (text) => stream.write(scrub(text)),',
    to: 'write: (text) => stream.write(text || scrub(text)),',
    tests: LEAKS,
  },
  {
    rule: 'K8',
    what: 'a list of endpoints shows their secrets',
    file: 'src/api/webhooks.ts',
    from: 'const { secret: _, ...endpoint } = decodeEndpoint(json);',
    to: 'const endpoint = decodeEndpoint(json);',
    tests: LEAKS,
  },
  {
    rule: 'K8',
    what: 'a TAB sends the key wherever the line says',
    file: 'src/commands/completion/ids-of.ts',
    from: 'if (!isBoundTo(key, url)) {',
    to: 'if (isBoundTo(key, url) === undefined) {',
    tests: COMPLETION,
  },
];

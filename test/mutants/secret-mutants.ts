import type { Mutant } from './mutant.ts';

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
];

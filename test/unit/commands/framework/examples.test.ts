import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli.ts';
import { EXAMPLES } from '../../../../src/commands/examples-data.ts';
import type { CommandHost } from '../../../../src/commands/framework/invocation.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

// The program is created, but no command runs.
const program = await createProgram({
  context: { stdout: { write: () => undefined } },
  finish: () => undefined,
} as unknown as CommandHost);

/** Commands that run until a signal. */
const SERVING = ['webhooks listen', 'emulator start'];
/** Commands for another endpoint, which test/unit/commands/mcp.test.ts serves. */
const ELSEWHERE = ['mcp ls', 'mcp call'];

/** Matches a server, which ends here before it prints, and an export to stdout, which refuses --json. */
const PRINTS_NOTHING = /^svc (?:webhooks listen|contacts export --format) /;

const cases = Object.entries(EXAMPLES).flatMap(([path, examples]) => examples.map((example) => ({ path, ...example })));

describe('an example of a command', () => {
  test('the help has examples for every command, and for nothing else', () => {
    const leaves = leavesOf(program)
      .map(pathOf)
      .filter((path) => !path.startsWith('__'));
    expect(leaves.filter((path) => !EXAMPLES[path])).toEqual([]);
    expect(Object.keys(EXAMPLES).filter((path) => !leaves.includes(path))).toEqual([]);
    expect(cases.filter(({ path, line }) => !line.startsWith(`svc ${path} `) && line !== `svc ${path}`)).toEqual([]);
  });

  test.each(cases.filter(({ path }) => !ELSEWHERE.includes(path)))(
    'runs the example $line',
    async ({ path, line, exit = 0 }) => {
      const world = await createWorld({
        seed: { account: { domains: ['example.com'] }, contacts: [{ email: 'ana@example.com' }] },
      });
      const { code, err } = await run(world, path, line);
      expect([code, err.includes('this is a bug')], err).toEqual([exit, false]);
    },
  );

  test.each(cases.filter(({ path, line }) => !ELSEWHERE.includes(path) && !PRINTS_NOTHING.test(line)))(
    'the example prints JSON without camelCase names or epoch times: $line',
    async ({ path, line }) => {
      const world = await createWorld({
        seed: { account: { domains: ['example.com'] }, contacts: [{ email: 'ana@example.com' }] },
      });
      const { out } = await run(world, path, line.includes('--json') ? line : line.replace(/( <.*)?$/, ' --json$1'));
      expect(oddities(JSON.parse(out))).toEqual([]);
    },
  );

  test.each(Object.keys(EXAMPLES))('shows an example in svc %s --help', async (path) => {
    const world = await createWorld();
    const { code, out } = await world.svc(`${path} --help`);
    const [first] = EXAMPLES[path] ?? [];
    const complete = { does: expect.stringMatching(/\w/), line: expect.stringMatching(/^svc /) };
    expect(EXAMPLES[path]).toEqual(EXAMPLES[path]?.map(() => expect.objectContaining(complete)));
    expect([code, out.includes(`Examples:\n  # ${first?.does}\n  ${first?.line}\n`)]).toEqual([0, true]);
  });
});

/** Runs an example with real ids and files in place of its placeholders. */
async function run(world: World, path: string, line: string): Promise<CommandResult> {
  const standIns = await prepare(world, path, line);
  const [command = '', stdin] = line.split(' < ');
  const words = wordsOf(command)
    .slice(1)
    .map((word) => standIns.get(word.replace(/_1a2b$/, '')) ?? word);
  // A line without --yes needs a terminal, where the user agrees.
  const agrees = !words.includes('--yes') && stdin === undefined;
  return world.svc(words, {
    asTyped: true,
    ...(agrees ? { answers: ['y'] } : {}),
    ...(stdin === undefined ? {} : { stdin: world.emulator.apiKey }),
    ...(SERVING.includes(path) ? { signal: AbortSignal.abort(new Error('enough')) } : {}),
  });
}

/** Finds names in camelCase and times as numbers in a document. */
function oddities(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    const inner = Object.entries(value).flatMap(([key, each]) => oddities(each, `${name}.${key}`));
    return /\.[a-z]+[A-Z][^.]*$/.test(name) ? [name, ...inner] : inner;
  }
  const isEpoch = typeof value === 'number' && value > 1_000_000_000;
  return isEpoch || /\.[a-z]+[A-Z][^.]*$/.test(name) ? [`${name}: ${String(value)}`] : [];
}

/** Creates everything that an example mentions. */
async function prepare(world: World, path: string, line: string): Promise<ReadonlyMap<string, string>> {
  world.file('list.csv', 'email,First,status\nbo@example.com,Bo,subscribed\n');
  world.file('bounces.csv', 'email\ngone@example.com\n');
  world.file('secret', 'shh');
  world.file('body.json', '{}');
  world.file('body.html', '<p>It works.</p>');
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const hook = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
  const webhook = line.includes('whe_') ? (await world.svc(hook)).json.id : '';
  const run = path.startsWith('runs ') ? await makeRun(world, path, automation) : '';
  return new Map([
    ['aud', world.emulator.audienceId],
    ['whe', webhook],
    ['aut', automation],
    ['run', run],
  ]);
}

/** An unfinished run; for `runs show`, a finished one. */
async function makeRun(world: World, path: string, automation: string): Promise<string> {
  const { admin } = world.emulator;
  const lines: Readonly<Record<string, string>> = {
    'runs show': 'contacts import list.csv --json',
    'runs verify': 'contacts import list.csv --yes --json',
    'runs resolve': `automations enroll ${automation} --email ana@example.com --json`,
  };
  for (const route of path === 'runs show' || path === 'runs verify'
    ? []
    : ['POST /v1/emails', 'POST /v1/automations/*/enroll']) {
    admin.addFault({ kind: 'reset', when: 'after', match: { route } });
  }
  await world.svc(lines[path] ?? 'emails send --from me@example.com --to a@example.com --subject s --text t');
  admin.clearFaults();
  return (await world.svc('runs ls --json')).json[0].run;
}

/** Splits a command line as a shell does. The examples use double quotes only. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word);
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

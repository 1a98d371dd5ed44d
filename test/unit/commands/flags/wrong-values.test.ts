import { expect, test } from 'vitest';
import { stepOf } from '../../../support/sweep.ts';
import { type Effect, FLAGS, GLOBALS } from './effects.ts';
import { everyFlag, type FlagOfCommand, worldFor } from './every-flag.ts';

/** Wrong values of flags that do not refuse every text in WRONG_BY_KIND. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  '--map': ['City', 'City=mail', 'Town=email'],
  '--status-map': ['On', 'On=away'],
  '--default-status': ['away', 'list.csv=away', 'other.csv=skip'],
  '--topic-value': ['City', 'Town=yes'],
};

const FILE = ['list.csv/inside'];
const WRONG_BY_KIND: Readonly<Record<string, readonly string[]>> = { '<file>': FILE, '<path>': FILE, '<dir>': FILE };

/** Flags that take every text, each with its reason. */
const ANY_TEXT: Readonly<Record<string, string>> = {
  '--subject': 'free text',
  '--text': 'free text',
  '--description': 'free text',
  '--allow-heading': 'free text of a list',
  '--allow-legend': 'free text of a list',
  '--allow-blanks': 'the column of another file may have the name',
  '--signature': 'a wrong signature is not verified (exit 3)',
  'webhooks update --status': 'the service document does not list the words',
  'webhooks deliveries --status': 'the service document does not list the words; a note says so',
  'suppressions import --attributes': 'it sends addresses only',
};

/** Flags whose value may be empty, each with its reason. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  '--description': 'an empty text removes the description',
  '--signature': 'a webhook without a signature is not verified (exit 3)',
};

/** Lines for flags that need more than the line of their command in effects.ts. */
const LINES: Readonly<Record<string, string>> = {
  '': 'audiences ls',
  ' --mcp-url': 'mcp ls',
  ' --state-dir': 'runs ls',
  'webhooks verify': 'webhooks verify --secret-file secret --signature t=1,v1=00 --payload list.csv',
  'webhooks listen': 'webhooks listen --port 0 --secret-file secret',
  'webhooks ls --every': 'webhooks ls --watch',
  'runs resolve': 'runs resolve latest',
  'runs delete': 'runs delete RUN',
  'emulator start': 'emulator start --port 0',
  'mcp call': 'mcp call service_list_audiences',
  'doctor --from': 'doctor --to a@example.org',
  'doctor --to': 'doctor --from me@example.com',
};

const PREPARES: Readonly<Record<string, Effect['prepare']>> = {
  'runs resolve': (world) => {
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *enroll' } });
    return world.svc('automations enroll Welcome list.csv --at-most-once');
  },
  'runs delete': (world) => world.svc('migrate list.csv'),
};

/** The exit code of a wrong value, where it is not 2. */
const EXITS: Readonly<Record<string, number>> = { '--api-key-file': 4 };

/** The error names --audience here, because --audience also finds each audience by its exact name. */
const NAMED: Readonly<Record<string, string>> = { '--audience-name': '--audience' };

/** A test setup for the flag, and a command line in which the flag has an effect, without the flag. */
async function setUp({ path, flag }: FlagOfCommand) {
  const effects = path === '' ? GLOBALS : (FLAGS[path]?.effects ?? []);
  const effect = effects.find((one) => one.flag.split(' ')[0] === flag);
  const line = LINES[`${path} ${flag}`] ?? LINES[path] ?? `${FLAGS[path]?.line ?? path} ${effect?.line ?? ''}`;
  const world = await worldFor(line, effect ?? {});
  await PREPARES[path]?.(world);
  const run = line.includes('RUN') ? (await world.svc('runs ls --json')).json[0].run : '';
  world.requests();
  return { world, typed: line.replace('RUN', run).trim().split(/ +/) };
}

function wrongValuesOf({ path, flag, option }: FlagOfCommand): readonly string[] {
  const kind = /[<[].*$/.exec(option.flags)?.[0] ?? '';
  const isAnyText = flag in ANY_TEXT || `${path} ${flag}` in ANY_TEXT;
  return isAnyText ? [] : (WRONG[flag] ?? WRONG_BY_KIND[kind] ?? ['?/ wrong']);
}

/** Commands share many flags. Outside full sweeps, every second command of a flag plays it, and at least one. */
const TAKING_VALUES = (await everyFlag())
  .filter(({ option }) => option.required || option.optional)
  .filter((one, at, all) => all.slice(0, at).filter(({ flag }) => flag === one.flag).length % stepOf(2) === 0);

test.for(TAKING_VALUES.map((one) => ({ one, title: `${one.path} ${one.flag}`.trim() })))(
  'refuses an empty or wrong value, and names the flag: $title',
  // A command that accepts a wrong value may never end. The signal stops it when the test has no more time.
  async ({ one }, { signal }) => {
    const { flag } = one;
    const { world, typed } = await setUp(one);
    for (const value of [...(flag in MAY_BE_EMPTY ? [] : ['']), ...wrongValuesOf(one)]) {
      for (const words of [[flag, value], [`${flag}=${value}`]]) {
        const { code, err } = await world.svc([...typed, ...words], { signal });
        const writes = world.requests().filter(({ method }) => method !== 'GET');
        const exit = value === '' ? 2 : (EXITS[flag] ?? 2);
        expect([words, code, err.includes(NAMED[flag] ?? flag), writes], err).toEqual([words, exit, true, []]);
      }
    }
  },
);

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { questionsOf } from '../../../../src/run-lifecycle/stops/questions.ts';
import { CTRL_C, createKeyboard, DOWN, ENTER, ESCAPE, UP } from '../../../support/keyboard.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

/** A list that stops a run, the keys that the user presses, and the flags that say the same. */
interface Case {
  readonly kind: string;
  readonly list: string | Buffer;
  readonly keys: readonly string[];
  readonly words: readonly string[];
  /** Text on the screen before the first key. */
  readonly shown: readonly string[];
  prepare?(world: World): void;
}

// In windows-1250 this is Woźniak. Other encodings give other names.
const AMBIGUOUS = Buffer.from('Email,Name,Status\nana@example.com,Wo\u009fniak,subscribed\n', 'latin1');

const CASES: readonly Case[] = [
  {
    kind: 'an ambiguous encoding',
    list: AMBIGUOUS,
    keys: [DOWN, ENTER],
    words: ['--encoding'],
    shown: ['its encoding is not certain'],
  },
  {
    kind: 'unknown status values',
    list: 'Email,Status\na@example.com,active\nb@example.com,perhaps\nc@example.com,perhaps\n',
    keys: [DOWN, DOWN, ENTER],
    words: ['--status-map', 'perhaps=unsubscribed'],
    shown: ['What does "perhaps" in column "Status" mean? 2 rows have it.', '● leave these people out'],
  },
  {
    kind: 'a list without a status',
    list: 'Email,Name\na@example.com,Ana\nb@example.com,Bo\n',
    keys: [DOWN, ENTER],
    words: ['--default-status', 'subscribed'],
    shown: ['2 rows of list.csv have no status', 'What are these people?', '● leave these people out'],
  },
  {
    kind: 'a column that may hold the status',
    list: 'Email,Stage\na@example.com,subscribed\nb@example.com,perhaps\nc@example.com,subscribed\n',
    keys: [ENTER, ENTER],
    words: ['--map', 'Stage=status', '--status-map', 'perhaps=skip'],
    shown: ['"Stage": "subscribed" (2), "perhaps" (1)', '● "Stage" says who is subscribed', '○ everyone there agreed'],
  },
  {
    kind: 'several columns of addresses',
    list: 'Parent Email,Student Email,Status\na@example.com,b@example.com,subscribed\n',
    keys: [DOWN, ENTER],
    words: ['--map', 'Student Email=email'],
    shown: ['addresses are in "Parent Email"', '● "Parent Email" holds the address'],
  },
  {
    kind: 'colliding columns',
    list: 'Email,Status,Company / Org,Company Org\na@example.com,subscribed,Acme,Acme Ltd\n',
    keys: [ENTER],
    words: ['--map', 'Company Org=attributes.company_org_2'],
    shown: ['● keep "Company Org" as company_org_2', '○ leave "Company Org" out'],
  },
  {
    kind: 'ambiguous dates',
    list: 'Email,Status,Unsubscribed At\na@example.com,unsubscribed,03/04/2024\n',
    keys: [DOWN, ENTER],
    words: ['--date-order', 'mdy'],
    shown: ['1 opt-out date can be read two ways', '● the day is first: 03/04 is 3 April'],
  },
  {
    kind: 'a free or paid account',
    list: people(600),
    keys: [UP, ENTER],
    words: ['--plan', 'paid'],
    shown: ['a free plan holds 500', '○ the account is on a paid plan', '● stop here: nothing is sent'],
  },
  {
    kind: 'an automation that starts as people join',
    list: 'Email,Status\na@example.com,subscribed\n',
    keys: [UP, ENTER],
    words: ['--allow-automation', 'aut_'],
    shown: ['would start for all people imported', '● stop here: nothing is sent'],
    prepare: ({ emulator }) => {
      emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
    },
  },
];

/** Plans a dry run, which leaves no run that a later command would continue. Its report goes to report.json. */
async function planOf(world: World, words: readonly string[], keys?: readonly string[]) {
  const keyboard = keys && createKeyboard(keys);
  const line = ['migrate', 'list.csv', '--dry-run', '--report', 'report.json', ...words];
  const run = await world.svc(line, keyboard ? { answers: [], keyboard } : {});
  const report = run.code === 0 || run.code === 5 ? readReport(world) : undefined;
  return { code: run.code, err: run.err, report, screens: (await keyboard?.screens()) ?? [] };
}

function readReport({ folder }: World) {
  const path = join(folder, 'report.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

async function worldWith({ list, prepare }: Pick<Case, 'list' | 'prepare'>): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', list);
  prepare?.(world);
  return world;
}

/** The command of a page as words after `svc`. A backslash continues the line. */
function commandIn(page: string): string[] {
  const commands = page.replaceAll(/ \\\n\s+/g, ' ').match(/^ +svc .*$/gm) ?? [];
  return splitShellText(commands.at(-1) ?? '').slice(1);
}

const SAVE_NOTHING = [DOWN, ENTER];
/** The line about the end of a run, which every run without a terminal prints. */
const REFUSED_LINE = expect.stringMatching(/^\S+Z migrate refused run_\S+ read=.*\n$/);

describe.each(CASES)('a question about $kind', (given) => {
  test('an answer to a question has the effect of the flags svc prints (C4)', async () => {
    const world = await worldWith(given);
    const asked = await planOf(world, [], [...given.keys, ...SAVE_NOTHING]);
    expect(asked.code, asked.err).toBe(0);
    for (const text of given.shown) {
      expect(asked.screens[0]).toContain(text);
    }
    const command = commandIn(asked.err);
    expect(command.join(' ')).toContain(given.words.join(' '));
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    const pasted = await world.svc(command);
    expect(pasted.code, pasted.err).toBe(0);
    const { plan, rows, skipped } = asked.report;
    expect(readReport(world)).toMatchObject({ plan, rows, skipped });
  });

  test('preselects no answer that subscribes people or lifts a limit (C4)', async () => {
    const world = await worldWith(given);
    const stops = (await world.svc('migrate list.csv --dry-run --json')).json.findings.filter(
      ({ level }: { level: string }) => level === 'stop',
    );
    const questions = questionsOf(stops) ?? [];
    expect(questions.length).toBeGreaterThan(0);
    for (const { choices } of questions) {
      const [selected, ...others] = choices.filter(({ isLikely }) => isLikely);
      expect(others).toEqual([]);
      expect((selected?.flags ?? []).join(' ')).not.toMatch(/subscribed|--reason|--allow|--max|--plan/);
    }
  });

  test('without a terminal, prints a command that works instead of asking (C11)', async () => {
    const world = await worldWith(given);
    const stopped = await world.svc('migrate list.csv --report report.json');
    expect([stopped.code, stopped.out, readReport(world).status]).toEqual([5, REFUSED_LINE, 'refused']);
    let run = stopped;
    for (let round = 0; run.code === 5 && round < 3; round++) {
      run = await world.svc(commandIn(run.err));
    }
    expect(run.code, run.err).toBe(0);
  });
});

test('a resume reads the list with the answers that the user gave (C4, D1)', async () => {
  const world = await worldWith({ list: 'Email,Status\na@example.com,active\nb@example.com,perhaps\n' });
  const keyboard = createKeyboard([DOWN, DOWN, ENTER, ...SAVE_NOTHING]);
  const full = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before', times: 1 } as const;
  world.emulator.admin.addFault({ ...full, match: { route: BATCH } });
  const stopped = await world.svc('migrate list.csv', { answers: ['y'], keyboard });
  expect(stopped.code, stopped.err).not.toBe(0);

  const { code, json } = await world.svc('runs resume --json');

  expect([code, json.rows.skipped, world.emulator.admin.contact('b@example.com')?.status]).toEqual([
    0,
    0,
    'unsubscribed',
  ]);
});

const FIELDS = Array.from({ length: 60 }, (_, index) => `Field ${index}`);

test.each([
  [
    'more new fields than the limit',
    'list.csv',
    ['Email', 'Status', ...FIELDS].join(','),
    ['subscribed', ...FIELDS].join(','),
    [],
  ],
  ['a header that gives no key', 'list.csv', 'Email,Status,\u540d\u524d', 'subscribed,Ana', []],
  [
    'a reserved key',
    'list.csv',
    'Email,Status,Email Address,First Name,first_name',
    'subscribed,a@example.com,Ana,Anna',
    [],
  ],
  [
    'more rejected rows than the limit',
    'list.csv',
    'Email,Status',
    'subscribed\nbroken,subscribed',
    ['--max-failures', '0'],
  ],
  ['a file name that means opted-out people', "Ana's unsubscribed list.csv", 'Email', '', []],
])('prints a command that resolves the problem of %s (C11)', async (_, name, header, rest, words) => {
  const world = await createWorld();
  world.file(name, `${header}\na@example.com${rest === '' ? '' : ','}${rest}\n`);
  const stopped = await world.svc(['migrate', name, ...words]);
  expect([stopped.code, stopped.out], stopped.err).toEqual([5, REFUSED_LINE]);
  expect(stopped.err.split('nothing was sent')).toHaveLength(2);
  const pasted = await world.svc(commandIn(stopped.err));
  expect([0, 3], pasted.err).toContain(pasted.code);
  const status = name === 'list.csv' ? 'subscribed' : 'unsubscribed';
  expect(world.emulator.admin.contacts()).toMatchObject([{ email: 'a@example.com', status }]);
});

test('asks about a list without a header line (C4)', async () => {
  const world = await worldWith({ list: 'a@example.com,Ana\nb@example.com,Bo\n' });
  const asked = await planOf(world, [], [ENTER, UP, UP, UP, ENTER, ...SAVE_NOTHING]);
  expect(asked.screens[0]).toContain('● "1" holds the address');
  expect([asked.code, commandIn(asked.err).slice(-4)], asked.err).toEqual([
    0,
    ['--map', '1=email', '--default-status', 'subscribed'],
  ]);
});

test.each(['Status', 'Status=attributes.My-Key'])(
  'reports a wrong flag as an error and asks nothing: --map %s',
  async (pair) => {
    const world = await worldWith({ list: 'Email,Status\na@example.com,active\n' });
    const keyboard = createKeyboard([ENTER]);
    const { code } = await world.svc(`migrate list.csv --map ${pair}`, { answers: ['y'], keyboard });
    expect([code, await keyboard.screens()]).toEqual([2, ['']]);
  },
);

describe('a user who does not answer a question', () => {
  const list = 'Email,Status,Note\na@example.com,active,\nb@example.com,perhaps,\nc@example.com,maybe,\n';

  test.each([
    ['Ctrl-C', [ENTER, CTRL_C], 130],
    ['Escape', [ENTER, ESCAPE], 5],
    ['the choice to stop', [ENTER, UP, ENTER], 5],
  ])('prints the answers so far and sends nothing after %s (C4, M7)', async (_, keys, code) => {
    const world = await worldWith({ list });
    const keyboard = createKeyboard(keys);
    const left = await world.svc('migrate list.csv', { answers: ['y'], keyboard });
    expect([left.code, left.out], left.err).toEqual([code, '']);
    expect(left.err).toContain('nothing was sent');
    expect(commandIn(left.err)).toEqual(['migrate', 'list.csv', '--status-map', 'Status:perhaps=skip']);
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('shows the same question again when a key has no meaning', async () => {
    const world = await worldWith({ list });
    const keyboard = createKeyboard(['x', '7', '?', ENTER, ENTER, ...SAVE_NOTHING]);
    const { code, err } = await world.svc('migrate list.csv', { answers: ['n'], keyboard });
    expect(commandIn(err)).toEqual([
      'migrate',
      'list.csv',
      '--status-map',
      'Status:perhaps=skip',
      '--status-map',
      'Status:maybe=skip',
    ]);
    const screens = await keyboard.screens();
    expect(new Set(screens.slice(0, 4)).size).toBe(1);
    expect(code).toBe(5);
  });
});

describe('a file of saved answers', () => {
  const list = 'Email,Status,Company / Org,Company Org\na@example.com,active,A,B\nb@example.com,perhaps,,\n';

  test('makes the same plan with a file of saved answers (C4)', async () => {
    const world = await worldWith({ list });
    const asked = await planOf(world, [], [ENTER, ENTER, ENTER]);
    expect(asked.code, asked.err).toBe(0);
    expect(asked.screens.at(-1)).toContain('Save these answers for next time (--mapping)?');
    const next = await planOf(world, ['--mapping', 'list.mapping.json']);
    expect(next.code, next.err).toBe(0);
    expect(next.report.plan).toEqual(asked.report.plan);
  });

  test('saves all answers but the plan of the account, which stays a flag', async () => {
    const world = await worldWith({ list: `${people(600)}z@example.com,perhaps\n` });
    const asked = await planOf(world, [], [ENTER, UP, ENTER, ENTER]);
    const [, saved = ''] = /Next time, without questions:\n((?: {2}.*\n)+)/.exec(asked.err) ?? [];
    const words = splitShellText(saved.replaceAll('\\\n', ' '));
    const line = 'svc migrate list.csv --dry-run --report report.json --mapping list.mapping.json --plan paid';
    expect(words.join(' ')).toBe(line);
    const next = await planOf(world, words.slice(words.indexOf('--mapping')));
    expect([next.code, next.report.plan]).toEqual([0, asked.report.plan]);
  });

  test('offers no mapping file when the account plan is the only answer', async () => {
    const world = await worldWith({ list: people(600) });
    const asked = await planOf(world, [], [UP, ENTER]);
    expect([asked.code, asked.screens.at(-1)]).toEqual([0, expect.not.stringContaining('Save these answers')]);
    expect(existsSync(join(world.folder, 'list.mapping.json'))).toBe(false);
  });

  test('Enter replaces no existing mapping file, --save-mapping saves answers', async () => {
    const world = await worldWith({ list });
    world.file('list.mapping.json', 'precious');
    await planOf(world, [], [ENTER, ENTER, ENTER]);
    expect(readFileSync(join(world.folder, 'list.mapping.json'), 'utf8')).toBe('precious');
    await planOf(world, ['--save-mapping', 'own.json'], [ENTER, ENTER]);
    expect(JSON.parse(readFileSync(join(world.folder, 'own.json'), 'utf8'))).toMatchObject({
      map: ['Company Org=attributes.company_org_2'],
      status_map: ['perhaps=skip'],
    });
  });
});

describe('a problem of a list about which svc asks nothing', () => {
  const list = 'Email,Status\na@example.com,active\nb@example.com,perhaps\n';

  test.each([['--yes'], ['--json'], ['-q']])(
    'asks nothing, and ends the run at a problem, with %s (M7)',
    async (flag) => {
      const world = await worldWith({ list });
      const keyboard = createKeyboard([ENTER, ENTER, ENTER]);
      const { code, err } = await world.svc(['migrate', 'list.csv', flag], { answers: ['y'], keyboard });
      expect([code, (await keyboard.screens()).join('')]).toEqual([5, '']);
      expect(err).toContain('--status-map perhaps=skip');
    },
  );

  test('asks nothing that a flag answers already (C4)', async () => {
    const world = await worldWith({ list: `${list}c@example.com,maybe\n` });
    const keyboard = createKeyboard([ENTER, ...SAVE_NOTHING]);
    const words = ['migrate', 'list.csv', '--status-map', 'perhaps=unsubscribed'];
    const { err } = await world.svc(words, { answers: ['y'], keyboard });
    expect(commandIn(err)).toEqual([...words, '--status-map', 'maybe=skip']);
    expect(world.emulator.admin.contact('b@example.com')?.status).toBe('unsubscribed');
  });
});

test('asks nothing in a resume, because its options are fixed (C4)', async () => {
  const world = await worldWith({ list: people(3) });
  const { admin } = world.emulator;
  world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', times: 1 });
  await world.svc('migrate list.csv');
  admin.clearFaults();
  admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });
  const keyboard = createKeyboard([UP, ENTER, ...SAVE_NOTHING]);
  const { code } = await world.svc('migrate list.csv', { answers: ['y'], keyboard });
  expect([code, await keyboard.screens()]).toEqual([7, ['']]);
});

describe('the question that lets the user choose an audience', () => {
  test('describes each audience in the question, and prints the chosen id (L3)', async () => {
    const world = await worldWith({ list: 'Email,Status\na@example.com,subscribed\n' });
    const { id } = (await world.svc('audiences create Second --json')).json;
    world.requests();
    const keyboard = createKeyboard([ENTER, ...SAVE_NOTHING]);
    const { code, err } = await world.svc('migrate list.csv', { answers: ['y'], keyboard });
    const [first = ''] = await keyboard.screens();
    expect(code, err).toBe(0);
    expect(first).toMatch(/● Second \(aud_\w+\) {2}\(0 contacts, made \d{4}-\d\d-\d\d\)/);
    expect(commandIn(err)).toEqual(['migrate', 'list.csv', '--audience', id]);
  });

  test('indents the second line of a long answer when the prompt is in color', async () => {
    const before = process.env;
    onTestFinished(() => {
      process.env = before;
    });
    process.env = { ...before, FORCE_COLOR: '1' };
    const world = await worldWith({ list: 'Email,Status\na@example.com,subscribed\n' });
    await world.svc(['audiences', 'create', 'Letter of maps']);
    const keyboard = createKeyboard([ENTER, ...SAVE_NOTHING], 80);
    await world.svc('migrate list.csv', { answers: ['y'], keyboard, columns: 80 });
    const [first = ''] = await keyboard.screens();
    const answers = first.split('\n').filter((line) => /^│ {2}\S/.test(line) && !line.includes('↑'));
    expect(
      answers.map((line) => line.slice(3, 4)),
      first,
    ).toEqual(['●', '○', '○']);
  });
});

describe('the question that lets the user choose an unfinished run', () => {
  test('describes each unfinished run, and continues the chosen one only (C4)', async () => {
    const world = await worldWith({ list: people(3) });
    world.file('other.csv', people(2, 10));
    world.emulator.admin.createAudience('Partners');
    world.refuse(BATCH, { status: 403, code: 'plan_limit_reached', times: 2 });
    await world.svc('contacts import list.csv --audience Newsletter --verify-sample 0');
    await world.clock.advance(3_600_000);
    await world.svc('contacts import other.csv --audience Partners --verify-sample 0');
    world.emulator.admin.clearFaults();
    const keyboard = createKeyboard([DOWN, ENTER]);
    const { code, err } = await world.svc('runs resume', { answers: [], keyboard });
    const [first = ''] = await keyboard.screens();
    expect(code, err).toBe(0);
    expect(first).toContain('2 runs are unfinished. Which one continues?');
    expect(first).toMatch(
      /● contacts import other\.csv to Partners {2}\(0 rows sent, began 2026-01-01 01:\d\d, …\w{6}\)/,
    );
    expect(first).toContain('contacts import list.csv to Newsletter');
    expect(world.emulator.admin.contact('person0@example.com')).toBeDefined();
    expect(world.emulator.admin.contact('person10@example.com')).toBeUndefined();
  });
});

test('asks about an unknown status before it enrolls people (C4)', async () => {
  const world = await worldWith({ list: 'Email,Status\na@example.com,active\nb@example.com,perhaps\n' });
  world.emulator.admin.addContacts([{ email: 'a@example.com' }, { email: 'b@example.com' }]);
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const keyboard = createKeyboard([ENTER, ...SAVE_NOTHING]);
  const line = ['automations', 'enroll', automation, 'list.csv'];
  const { code, err } = await world.svc(line, { answers: ['y'], keyboard });
  expect(code, err).toBe(0);
  expect(commandIn(err)).toEqual([...line, '--status-map', 'perhaps=skip']);
  const sent = world.requests().filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => JSON.parse(body).email)).toEqual(['a@example.com']);
});

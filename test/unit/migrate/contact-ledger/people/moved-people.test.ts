import { describe, expect, test } from 'vitest';
import { numberedNames, sentPeople } from '../../../../support/nights.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { type CommandResult, createWorld, type World } from '../../../../support/world.ts';

const DAY_MS = 24 * 3_600_000;
const NAMES = numberedNames(60);

async function night(world: World, text: string, flags = ''): Promise<CommandResult> {
  await world.clock.advance(DAY_MS);
  world.file('users.csv', text);
  world.requests();
  return world.svc(`contacts import users.csv --plan paid --yes --only-changed --json ${flags}`);
}

function findingsOf({ json }: CommandResult) {
  return json.findings.filter(({ check }: { check: string }) => check === 'moved_people');
}

const FIRST = `email,status\n${NAMES.map((name) => `${name}@old.example,subscribed\n`).join('')}`;

/** A list in which the first `count` people have a new address, and the earlier one in another column. */
function movedList(count: number, column: string, earlier = (name: string) => `${name}@old.example`): string {
  const rows = NAMES.map((name, index) =>
    index < count ? `${name}@new.example,subscribed,${earlier(name)}\n` : `${name}@old.example,subscribed,\n`,
  );
  return `email,status,${column}\n${rows.join('')}`;
}

function subscribers(world: World): string[] {
  const contacts = world.emulator.admin.contacts().filter(({ status }) => status === 'subscribed');
  return contacts.map(({ email }) => email).sort();
}

describe('people whose earlier address is now only in another column', () => {
  const columns = ['old_email', 'E-Mail privat', 'login', 'comment', 'Frühere Adresse'];
  for (const [index, flags] of ['', '--gone report', '--gone unsubscribe', '--full'].entries()) {
    test.each(everyNth(columns, 2, index))(
      `stops when earlier addresses moved to the column %s ${flags} (G13)`,
      async (column) => {
        const world = await createWorld();
        await night(world, FIRST);
        const before = subscribers(world);
        const stopped = await night(world, movedList(NAMES.length, column), flags);
        expect([stopped.code, sentPeople(world), subscribers(world)]).toEqual([5, [], before]);
        expect(findingsOf(stopped)).toMatchObject([
          {
            level: 'stop',
            message: expect.stringContaining(`60 people of 60 of earlier lists are in this one only in`),
          },
        ]);
        expect(findingsOf(stopped)[0].message).toContain(JSON.stringify(column));
        expect(stopped.json.findings.filter(({ check }: { check: string }) => check === 'held_back')).toEqual([]);
      },
    );
  }

  test('keeps the earlier addresses when the first printed command is run (G13)', async () => {
    const world = await createWorld();
    await night(world, FIRST);
    const before = subscribers(world);
    const stopped = await night(world, movedList(NAMES.length, 'old_email'));
    const [kept, taken] = findingsOf(stopped)[0].hint.match(/^svc .*$/gm) as string[];
    expect([kept, taken]).toEqual([
      expect.stringContaining('--map old_email=email'),
      expect.stringContaining('--max-moved 60'),
    ]);
    const { code } = await world.svc((kept ?? '').replace(/^svc /, ''));
    expect([code, subscribers(world)]).toEqual([0, before]);
  });

  test('--max-moved signs up no new address of a person who left (C1, G13)', async () => {
    const world = await createWorld();
    await night(world, FIRST.replace('p2@old.example,subscribed', 'p2@old.example,unsubscribed'));
    world.emulator.admin.setStatus('p1@old.example', 'unsubscribed');
    world.emulator.admin.deleteContact('p3@old.example');
    const { code, json } = await night(world, movedList(NAMES.length, 'old_email'), '--max-moved 60');
    expect([code, json.rows.created]).toEqual([0, 57]);
    const added = subscribers(world).filter((email) => email.endsWith('@new.example'));
    expect(added).toEqual(
      NAMES.slice(3)
        .map((name) => `${name}@new.example`)
        .sort(),
    );
  });
});

describe('a few people with a new address beside the earlier one', () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 5],
  ])('when %i of 60 people have a new address, the run exits with %i (G13)', async (count, code) => {
    const world = await createWorld();
    await night(world, FIRST);
    const ended = await night(world, movedList(count, 'old_email'));
    expect([ended.code, findingsOf(ended)]).toMatchObject([code, [{ level: code === 0 ? 'warn' : 'stop' }]]);
  });

  const inApp = ({ emulator }: World) => void emulator.admin.setStatus('p1@old.example', 'unsubscribed');
  const deleted = ({ emulator }: World) => void emulator.admin.deleteContact('p1@old.example');
  const asListed = () => undefined;
  test.each([
    ['unsubscribed in the app', inApp, 0],
    ['deleted in the app', deleted, 0],
    ['unsubscribed by the list', asListed, 0],
    ['missing before', asListed, 1],
    ['unsubscribed in the app, then missing', inApp, 1],
    ['missing, two times', asListed, 2],
    ['unsubscribed, then missing two times', inApp, 2],
    ['deleted, then missing', deleted, 1],
    ['deleted, then missing two times', deleted, 2],
  ] as const)('signs up no new address when the earlier one is %s (C1, G13)', async (how, leave, missing) => {
    const world = await createWorld();
    const isListed = how === 'unsubscribed by the list';
    await night(world, isListed ? FIRST.replace('p1@old.example,subscribed', 'p1@old.example,unsubscribed') : FIRST);
    leave(world);
    for (let lacking = 0; lacking < missing; lacking += 1) {
      const { code } = await night(world, FIRST.replace('p1@old.example,subscribed\n', ''), '--gone unsubscribe');
      expect(code).toBe(0);
    }
    for (const flags of ['', '--full']) {
      const ended = await night(world, movedList(2, 'old_email'), flags);
      expect([ended.code, subscribers(world).filter((email) => email.endsWith('new.example'))]).toEqual([
        0,
        ['p2@new.example'],
      ]);
      expect(JSON.stringify(findingsOf(ended))).toContain('p1@new.example (p1@old.example)');
    }
  });

  test.each([
    ['the header says that it is of other people', 'Referred by', false, true, false],
    ['the person of the other address is in the list', 'other_email', true, true, false],
    ['neither is so', 'other_email', false, false, false],
    ['their address was missing, and is back in the list', 'other_email', true, true, true],
    ['their address was missing, and still is', 'other_email', false, false, true],
  ])(
    'decides whether to send a new address of a person who left: %s (G13)',
    async (_, column, isListed, isSent, lacked) => {
      const world = await createWorld();
      await night(world, FIRST);
      world.emulator.admin.setStatus('p60@old.example', 'unsubscribed');
      const last = 'p60@old.example,subscribed\n';
      if (lacked) {
        await night(world, FIRST.replace(last, ''), '--gone unsubscribe');
      }
      const ended = await night(
        world,
        FIRST.replace(last, isListed ? last : '')
          .replace('email,status', `email,status,${column}`)
          .replaceAll('subscribed\n', 'subscribed,\n')
          .concat('eve@new.example,subscribed,p60@old.example\n'),
      );
      expect([ended.code, subscribers(world).includes('eve@new.example')]).toEqual([0, isSent]);
    },
  );
});

const EARLIER_HEADER = 'email,old_email\n';
const NEW_ROW = 'eve@new.example,\n';
const KNOWN_ROW = 'eve@new.example,p60@old.example\n';
const OTHER_ROWS = numberedNames(3_000)
  .map((name) => `${name}@other.example,\n`)
  .join('');

/** Where the earlier address stands, and the rows of each file. */
const PLACES: readonly (readonly [string, readonly string[]])[] = [
  ['in the first row', [KNOWN_ROW + NEW_ROW]],
  ['in the second row', [NEW_ROW + KNOWN_ROW]],
  ['in the second row of three', [NEW_ROW + KNOWN_ROW + NEW_ROW]],
  ['in the first row, far above', [KNOWN_ROW + OTHER_ROWS + NEW_ROW]],
  ['in the last row, far below', [NEW_ROW + OTHER_ROWS + KNOWN_ROW]],
  ['in a row with other letters', [NEW_ROW + KNOWN_ROW.replace('eve', ' Eve')]],
  ['beside another earlier address', [KNOWN_ROW.replace('p60', 'p59') + KNOWN_ROW]],
  ['after another earlier address', [KNOWN_ROW + KNOWN_ROW.replace('p60', 'p59')]],
  ['in the first file', [KNOWN_ROW, NEW_ROW]],
  ['in the last file', [NEW_ROW, KNOWN_ROW]],
];

describe.each(['', '--duplicates reject'])(
  'a new address in several rows, one of them with the earlier one: %j',
  (merging) => {
    test.each(everyNth(PLACES, 2, merging === '' ? 0 : 1))(
      'the new address is not sent when the earlier one is %s (C1, G13)',
      async (_, files) => {
        const world = await createWorld();
        const earlier = NAMES.map((name) => `${name}@old.example,\n`);
        const listed = earlier.slice(0, 59).join('');
        const inputs = files.map((_file, index) => `part-${'abc'[index]}.csv`).join(' ');
        const send = async (texts: readonly string[]) => {
          await world.clock.advance(DAY_MS);
          texts.forEach((text, index) => world.file(`part-${'abc'[index]}.csv`, EARLIER_HEADER + text));
          const flags = '--default-status subscribed --plan paid --yes --only-changed --max-failures 10 --json';
          return world.svc(`contacts import ${inputs} ${flags} ${merging}`);
        };
        await send(files.map((_file, index) => (index === 0 ? earlier.join('') : 'q1@other.example,\n')));
        world.emulator.admin.setStatus('p60@old.example', 'unsubscribed');
        const ended = await send(files.map((rows, index) => (index === 0 ? listed + rows : rows)));
        expect([0, 3]).toContain(ended.code);
        expect(subscribers(world).filter((email) => email.startsWith('eve'))).toEqual([]);
        expect(JSON.stringify(findingsOf(ended))).toContain('eve@new.example (p60@old.example)');
      },
    );
  },
);

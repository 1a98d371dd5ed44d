import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../../src/base/lib/text.ts';
import { isAnsweredApart } from '../../../../../../src/run-lifecycle/stops/commands-for-stops.ts';
import { stepOf } from '../../../../../support/sweep.ts';
import { createWorld } from '../../../../../support/world.ts';
import { csv, type ReadList, readList } from '../../../support.ts';
import { withFlags } from '../paste-hints.ts';

// Each part of a list stops for one text. Its rows are in the columns `Group,Email,Name,Status`.
const HEADINGS = ['Unsubscribed:', '--- OPTED OUT ---', "Don't mail", 'Abgemeldet', 'Anciens membres', 'Gone'];
const LEGENDS = ['* = no mail', 'x = unsubscribed', '(1) wants no newsletter', 'Red: left', '† abgemeldet'];
const SECOND_HEADERS = ['Email,City,Status,Since', 'Name,E-Mail,Phone,City'];

const part = (kind: string, text: string, at: number): readonly string[] =>
  kind === 'header'
    ? [text, `other${at}@x.test,Ulm,active,2024`]
    : [`,,"${text}",`, `G${at},below${at}@x.test,Bo,active`];

const partOf = (kind: string, texts: readonly string[]) =>
  fc.constantFrom(...texts).map((text): readonly [kind: string, text: string] => [kind, text]);

const partsOfList = fc
  .tuple(
    fc.uniqueArray(fc.oneof(partOf('heading', HEADINGS), partOf('legend', LEGENDS)), {
      maxLength: 4,
      selector: ([, text]) => text,
    }),
    fc.option(partOf('header', SECOND_HEADERS), { nil: undefined }),
    fc.boolean(),
  )
  .map(([texts, header, hasBlanks]) => ({ texts: header ? [...texts, header] : texts, hasBlanks }));

function listOf({ texts, hasBlanks }: { texts: readonly (readonly [string, string])[]; hasBlanks: boolean }): string {
  const labeled = ['News,ana@x.test,Ana,active', 'Unsubscribed,ben@x.test,Ben,active'];
  const blanks = hasBlanks ? [...labeled, ',cleo@x.test,Cleo,active'] : ['A,ana@x.test,Ana,active'];
  return csv('Group,Email,Name,Status', ...blanks, ...texts.flatMap(([kind, text], at) => part(kind, text, at)));
}

test('an answer about the layout ends only the stop that printed it (C10)', async () => {
  await fc.assert(
    fc.asyncProperty(partsOfList, async (parts) => {
      const file = { 'list.csv': listOf(parts) };
      const found = layoutStops(await readList(file));
      expect(found).toHaveLength(parts.texts.length + (parts.hasBlanks ? 1 : 0));
      for (const stop of found) {
        const answered = layoutStops(await readList(file, answer(flagsOf(stop))));
        expect(answered.map(textOf)).toEqual(found.filter((other) => other !== stop).map(textOf));
      }
      const all = found.map(flagsOf).join(' ');
      expect(layoutStops(await readList(file, answer(all)))).toEqual([]);
    }),
    { numRuns: 40 / stepOf(2) },
  );
});

test('applies --allow-heading to its text in each file, and to no other (C10)', async () => {
  const listWith = (text: string) => csv('Email,Name,Status', 'ana@x.test,Ana,active', text, 'bo@x.test,Bo,active');
  const files = {
    'a.csv': listWith('Opted out,,'),
    'b.csv': listWith(',Opted out,'),
    'c.csv': listWith('OPTED OUT!,,'),
  };
  const list = await readList(files, answer("--allow-heading 'Opted out' --allow-joined-files"));
  expect(layoutStops(list).map(({ message }) => message)).toEqual([
    expect.stringContaining('c.csv: 1 row "OPTED OUT!"'),
  ]);
});

const LEFT_BELOW = 'Email,Name,Status\nana@example.com,Ana,active\nUnsubscribed,,\nquinn@example.com,Q,active\n';
const JOINED = 'Email,City,Since\ncara@example.com,Ulm,2024-03-02\n';

test('prints a separate command for each stop about the layout (C11)', async () => {
  const world = await createWorld();
  world.file('list.csv', `${LEFT_BELOW}* = no mail,,\n${JOINED}`);
  const { code, err } = await world.svc('migrate list.csv --yes');
  const commands = err.replaceAll(/\\\n\s*/g, '').match(/svc .*migrate list\.csv .*--allow.*/g) ?? [];
  expect([code, commands.map((command) => command.match(/--allow-\w+/g))]).toEqual([
    5,
    [['--allow-heading'], ['--allow-legend'], ['--allow-joined']],
  ]);
  for (const command of commands) {
    expect((await world.svc(splitShellText(command).slice(1))).code).toBe(5);
  }
  expect(world.emulator.admin.contacts()).toEqual([]);
});

test.each([
  'migrate list.csv',
  'contacts import list.csv',
  'contacts check list.csv',
  'automations enroll Welcome list.csv',
])('svc %s ends a stop at a heading only with the printed answer (C10)', async (line) => {
  const world = await createWorld();
  const id = world.emulator.admin.createAutomation({ name: 'Welcome' });
  world.file('list.csv', LEFT_BELOW);
  const stopped = await world.svc(`${line.replace('Welcome', id)} --allow-joined-files --yes`);
  expect([stopped.code, stopped.err]).toEqual([5, expect.stringContaining('Only if the people below "Unsubscribed"')]);
  const [command = ''] = stopped.err.replaceAll(/\\\n\s*/g, '').match(/svc .*--allow-heading Unsubscribed/) ?? [];
  expect((await world.svc(splitShellText(command).slice(1))).code).toBeLessThan(5);
});

test('names a column by its number when it has no header (C10)', async () => {
  const rows = ['News,ana@x.test', 'Unsubscribed,ben@x.test', ',cleo@x.test'];
  for (const [header, name] of [
    ['', '1'],
    ['Kunden gruppe', "'Kunden gruppe'"],
  ]) {
    const file = { 'list.csv': csv(`${header},Email`, ...rows) };
    const [stop] = layoutStops(await readList(file));
    expect(stop?.otherwise?.map(({ flags }) => flags)).toEqual([`--allow-blanks ${name}`]);
  }
});

test('a saved answer about a heading counts only for its text (C1, C10)', async () => {
  const world = await createWorld();
  world.file('list.csv', LEFT_BELOW);
  const night = (flags: string) => world.svc(`contacts import list.csv --yes ${flags}`);
  const first = await night('--allow-heading Unsubscribed --allow-joined-files --save-mapping m.json');
  const second = await night('--mapping m.json --again');
  world.file('list.csv', LEFT_BELOW.replace('Unsubscribed', 'Left in 2023'));
  const third = await night('--mapping m.json');
  expect([first.code, second.code, third.code], third.err).toEqual([3, 3, 5]);
});

function layoutStops({ reading }: ReadList) {
  return reading.findings.filter(({ check, level }) => check === 'ragged_rows' && level === 'stop');
}

function flagsOf(stop: ReturnType<typeof layoutStops>[number]): string {
  const flags = isAnsweredApart(stop) ? stop.otherwise?.[0]?.flags : stop.hint;
  return flags ?? '';
}

function textOf({ message }: ReturnType<typeof layoutStops>[number]): string {
  return message;
}

function answer(flags: string) {
  return withFlags({}, splitShellText(flags));
}

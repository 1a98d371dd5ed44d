import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

/** Cells with an address that svc or the service rejects. svc guesses the address of most of them. */
const UNREADABLE: readonly ((name: string) => string)[] = [
  (name) => `${name}(at)x.test`,
  (name) => `${name} [at] x.test`,
  (name) => `${name} at x.test`,
  (name) => `${name} @x.test`,
  (name) => `${name}@@x.test`,
  (name) => `${name}@x,test`,
  (name) => `${name}@x.test (home)`,
  (name) => `Ana <${name}@x.test>`,
  (name) => `&#64;${name}@x.test`,
  (name) => `${name}x.test`,
  (name) => `${name} x.test`,
  () => '',
];

/** The words of a status column, and what the service has for their people. */
const STATES: ReadonlyMap<string, string | undefined> = new Map([
  ['complained', 'complained'],
  ['bounced', 'bounced'],
  ['blocklisted', 'suppressed'],
  ['unsubscribed', 'unsubscribed'],
  ['pending', undefined],
  ['active', 'subscribed'],
]);

interface UnreadableRow {
  readonly name: string;
  readonly cell: string;
  readonly word: string;
}

/** A row for each word and each cell. The name of the person is that of the address. */
const ROWS: readonly UnreadableRow[] = [...STATES.keys()].flatMap((word) =>
  UNREADABLE.map((write, kind) => ({ word, name: `${word}${kind}`, cell: write(`${word}${kind}`) })),
);

const addressOf = ({ name }: UnreadableRow) => `${name}@x.test`;

function lineWith(cell: string, { word }: UnreadableRow): string {
  return `${cell.includes(',') ? `"${cell}"` : cell},Ann,${word}\n`;
}

const LIST = `Email,Name,Status\nok@x.test,Al,active\n${ROWS.map((row) => lineWith(row.cell, row)).join('')}`;

/** The rejects file of a run, after the user corrected each address. */
function correctedRejects({ json }: Awaited<ReturnType<World['svc']>>, lineOf = lineWith): string {
  const correct = (text: string, row: UnreadableRow) =>
    text.replace(`,${lineOf(row.cell, row)}`, `,${lineOf(addressOf(row), row)}`);
  return ROWS.reduce(correct, readFileSync(json.files.rejects[0], 'utf8'));
}

/** Each suppressed address with its reason. The reason `unsubscribed` is shown as `suppressed`. */
function suppressions({ emulator }: World): Record<string, string> {
  const shown = (reason: string) => (reason === 'unsubscribed' ? 'suppressed' : reason);
  return Object.fromEntries(emulator.admin.suppressions().map(({ email, reason }) => [email, shown(reason)]));
}

test('suppresses the people of corrected rows like those of a list (C3, C9)', async () => {
  const world = await createWorld();
  const first = await world.svc(['migrate', world.file('list.csv', LIST), '--json']);
  const before = suppressions(world);

  await world.svc(['migrate', world.file('corrected.csv', correctedRejects(first)), '--json']);

  const found = suppressions(world);
  const stateOf = (row: UnreadableRow) => found[addressOf(row)] ?? world.emulator.admin.contact(addressOf(row))?.status;
  expect(before).toEqual({});
  expect(ROWS.map((row) => [row.name, stateOf(row)])).toEqual(ROWS.map(({ name, word }) => [name, STATES.get(word)]));
});

test('suppresses the people of corrected rows under the same --reason (C3, C9)', async () => {
  const world = await createWorld();
  const withoutWord = (lines: string) => lines.replaceAll(/,(?:Status|[a-z]+)$/gm, '');
  const command = ['suppressions', 'import', '--reason', 'bounced', '--json'];
  const first = await world.svc([...command, world.file('list.csv', withoutWord(LIST))]);
  const text = correctedRejects(first, (cell, row) => withoutWord(lineWith(cell, row)));

  await world.svc([...command, world.file('corrected.csv', text)]);

  const emails = [...ROWS.map(addressOf), 'ok@x.test'];
  expect(suppressions(world)).toEqual(Object.fromEntries(emails.map((email) => [email, 'bounced'])));
});

test('suppresses no other person when the rejects file is not corrected (C9)', async () => {
  const world = await createWorld();
  const people = world.file(
    'people.csv',
    `Email,Name,Status\n${ROWS.map((row) => `${addressOf(row)},A,active\n`).join('')}`,
  );
  const first = await world.svc(['migrate', world.file('list.csv', LIST), people, '--json']);
  const rejects = readFileSync(first.json.files.rejects[0], 'utf8');
  const before = suppressions(world);

  const again = await world.svc(['migrate', world.file('again.csv', rejects), people, '--json']);

  const guessed = Object.keys(before).filter((email) => /[0-5]@x/.test(email));
  expect([again.code, suppressions(world), guessed]).toEqual([3, before, []]);
});

test('suppresses the first address of a row when it is corrected (C3, C9)', async () => {
  const world = await createWorld();
  const list = 'Email,Email 2,Status\nok@x.test,,active\ngus @x.test,gus@two.test,bounced,extra\n';
  const first = await world.svc(['migrate', world.file('list.csv', list), '--json']);
  const rejects = readFileSync(first.json.files.rejects[0], 'utf8').replace(',extra\n', '\n');
  const second = await world.svc(['migrate', world.file('same.csv', rejects), '--json']);
  const before = suppressions(world);

  await world.svc(['migrate', world.file('corrected.csv', rejects.replace(',gus @', ',gus@')), '--json']);

  expect([second.code, before, suppressions(world)]).toEqual([0, {}, { 'gus@x.test': 'bounced' }]);
});

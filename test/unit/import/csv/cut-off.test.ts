import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';
import { makeZip } from '../make-zip.ts';
import { csv, readList } from '../support.ts';

const HEADER = 'Email,First,Status,Unsubscribed';
const WHOLE = Array.from({ length: 400 }, (_, index) => `p${index}@example.com,P,subscribed,no`);
const ENDS = [
  ['inside the list of cells', 'quinn@example.com,Q,subscribed'],
  ['after the address', 'quinn@example.com'],
  ['inside the address', 'quinn@exam'],
  ['after a quote', '"quinn@example.com","Q","subscribed"'],
] as const;

const IMPORT = 'contacts import --yes --json';

function contactsOf(world: World): readonly string[] {
  return world.emulator.admin
    .contacts()
    .map(({ email }) => email)
    .filter((email) => email.startsWith('quinn'));
}

function fileOf(rows: readonly string[], last: string): string {
  return csv(HEADER, ...rows) + last;
}

test.each(ENDS)('rejects a last row that ends %s (C1)', async (_, last) => {
  const list = await readList({ 'list.csv': fileOf(WHOLE, last) });

  expect(list.reading.rejections?.map(({ reason, total }) => [reason, total])).toEqual([['cut_off_row', 1]]);
  expect(list.contacts.length).toBe(WHOLE.length);
  expect(list.trouble).toEqual(['warn ragged_rows']);
  expect(list.finding('ragged_rows')?.message).toContain('probably cut off');
});

test.each([
  ['all cells', WHOLE, 'quinn@example.com,Q,subscribed,no'],
  ['a line break', WHOLE, 'quinn@example.com,Q,subscribed\n'],
  ['a carriage return', WHOLE, 'quinn@example.com,Q,subscribed\r'],
  ['fewer cells, as another row', [...WHOLE, 'short@example.com,S,subscribed'], 'quinn@example.com,Q,subscribed'],
  ['padding behind a line break', WHOLE, 'quinn@example.com,Q,subscribed\n\0\0\u001a'],
])('sends a last row with %s', async (_, rows, last) => {
  const list = await readList({ 'list.csv': fileOf(rows, last) });

  expect(list.reading.rejections ?? []).toEqual([]);
  expect(list.contacts.at(-1)?.email).toBe('quinn@example.com');
});

test('does not send a person with a cut-off row, even beside a whole row (C9)', async () => {
  const rows = [...WHOLE, 'quinn@example.com,Q,subscribed,no'];
  const list = await readList({ 'list.csv': fileOf(rows, 'quinn@example.com,Q,subscribed') });

  expect(list.contacts.map(({ email }) => email)).not.toContain('quinn@example.com');
});

test('suppresses the person of a cut-off row, but no cut-off address', async () => {
  const whole = csv('Email,Status,Note', 'a@example.com,bounced,', 'b@example.com,active,');
  const known = await readList({ 'list.csv': `${whole}quinn@example.com,bounced` });
  const cut = await readList({ 'list.csv': `${csv('Status,Email,Note', 'active,b@example.com,')}bounced,quinn@exam` });

  expect(known.suppressions).toEqual({ bounced: ['a@example.com', 'quinn@example.com'] });
  expect([cut.suppressions, cut.reading.rejections?.map(({ reason }) => reason)]).toEqual([{}, ['cut_off_row']]);
});

test('rejects the same cut-off row in bytes, text, gzip and zip (C1)', async () => {
  const content = fileOf(WHOLE, 'quinn@example.com,Q,subscribed');
  const files: Readonly<Record<string, string | Buffer>> = {
    'plain.csv': content,
    'quotes.csv': content.replace('p7@example.com,P', 'p7@example.com,"P\nseven"'),
    'wide.csv': Buffer.from(`\ufeff${content}`, 'utf16le'),
    'packed.csv.gz': gzipSync(content),
    'packed.zip': makeZip([{ name: 'list.csv', content }]),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const world = await createWorld();
    writeFileSync(join(world.folder, name), bytes);
    const { code, json, err } = await world.svc(`${IMPORT} ${name}`);

    expect([name, code, json?.rows.rejected, json?.rows.created], err).toEqual([name, 3, 1, WHOLE.length]);
    expect(contactsOf(world)).toEqual([]);
  }
});

test('rejects a cut-off row again from the rejects file until it is whole', async () => {
  const world = await createWorld();
  world.file('list.csv', fileOf(WHOLE.slice(0, 3), 'quinn@example.com,Q,subscribed'));
  const first = await world.svc(`${IMPORT} list.csv`);
  const [rejects = ''] = first.json?.files.rejects ?? [];
  const text = readFileSync(rejects, 'utf8');
  const again = await world.svc(`${IMPORT} ${rejects}`);
  expect([first.code, again.code, contactsOf(world)], again.err).toEqual([3, 3, []]);

  world.file('whole.csv', text.replace(/(quinn@example.com,Q,subscribed)\n/, '$1,no\n'));
  const { code, err } = await world.svc(`${IMPORT} whole.csv`);
  expect([code, contactsOf(world)], err + text).toEqual([0, ['quinn@example.com']]);
});

import { expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { shellWord } from '../../../../src/base/lib/text.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { createWorld } from '../../../support/world.ts';
import { csv, readList } from '../support.ts';

const FILES = {
  'contacts.csv': csv('Email,Status', 'a@x.test,vip'),
  'unsubscribed.csv': csv('Email,Status', 'b@x.test,active'),
};

/** The hint of the refusal. */
async function hintFor(options: Partial<ReadingOptions>, files: Readonly<Record<string, string>> = FILES) {
  const refusal = await readList(files, options).then(
    () => undefined,
    (error: SvcError) => error,
  );
  return refusal?.hint;
}

test.each(['subscribed.csv', 'kunden.csv', 'unsubscribed'])(
  'offers no sign-up of an opt-out list when no input is named %s (C11)',
  async (name) => {
    const hint = await hintFor({ defaultStatus: { [name]: 'subscribed' } });

    expect(hint).toContain('Without this answer:');
    expect(hint).not.toMatch(/with --default-status/);
  },
);

test('offers no input when no input has a similar name (C11)', async () => {
  const hint = await hintFor(
    { defaultStatus: { 'left.csv': 'unsubscribed' } },
    { 'main.csv': csv('Email', 'a@x.test') },
  );

  expect(hint).not.toContain('main.csv=');
});

test('offers the similar name when the name of an input is mistyped', async () => {
  expect(await hintFor({ defaultStatus: { 'contcts.csv': 'subscribed' } })).toContain('contacts.csv=subscribed');
});

test.each([
  [{ map: ['contacts.csv:Statos=ignore'] }, '--map contacts.csv:Status=ignore'],
  [{ statusMap: { 'contacts.csv:Statos:vip': 'skip' } }, '--status-map contacts.csv:Status:vip=skip'],
])('offers the corrected column with the name of its input for %j (C11)', async (options, flags) => {
  expect(await hintFor(options)).toContain(`with ${flags}`);
});

test.each(['3:active', 'contacts.csv:3:active', '0:active'])(
  'refuses the answer %s when no column has its number (C11)',
  async (subject) => {
    const hint = await hintFor({ statusMap: { [subject]: 'unsubscribed' } });

    expect(hint).toContain('Columns: "Email", "Status"');
  },
);

test('accepts a column number when only one input has that column (C11)', async () => {
  const files = {
    'a.csv': csv('Email,Status', 'a@x.test,active'),
    'b.csv': csv('Email,Status,Code', 'b@x.test,active,B'),
  };

  const { contacts } = await readList(files, { statusMap: { '3:B': 'unsubscribed' } });

  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', undefined],
    ['b@x.test', 'unsubscribed'],
  ]);
});

test.each([{ map: ['Statos=status'] }, { topicValues: { Statos: 'weekly' } }, { statusMap: { 'Statos:vip': 'skip' } }])(
  'refuses the unknown column of %j when another column has no name (C11)',
  async (answer) => {
    const files = { 'list.csv': csv('Email,,Status', 'a@x.test,,vip') };

    const hint = await hintFor({ defaultStatus: { '*': 'subscribed' }, ...answer }, files);

    expect(hint).toContain('Columns: "Email", "", "Status"');
  },
);

test('offers the number of a column when it has no name (C11)', async () => {
  const files = { 'list.csv': csv('Email,,Code', 'a@x.test,B,1') };

  expect(await hintFor({ statusMap: { '9:B': 'skip' } }, files)).toContain('with --status-map 2:B=skip');
});

const TWO = { 'Main.csv': csv('Email,Code', 'a@x.test,B'), 'left.csv': csv('Email,Kode', 'b@x.test,B') };

test.each([
  ['main.csv', { map: ['main.csv:Code=ignore'] }, '--map Main.csv:Code=ignore'],
  ['main', { statusMap: { 'main:Code:B': 'skip' } }, '--status-map Main.csv:Code:B=skip'],
  ['main.csv', { statusMap: { 'main.csv:B': 'skip' } }, '--status-map Main.csv:B=skip'],
  ['main.csv', { statusMap: { 'main.csv:2:B': 'skip' } }, '--status-map Main.csv:2:B=skip'],
  ['main.csv', { topicValues: { 'main.csv:Code': 'weekly' } }, '--topic-value Main.csv:Code=weekly'],
  ['lefd.csv', { map: ['lefd.csv:Code=ignore'] }, undefined],
  ['lefd.csv', { statusMap: { 'lefd.csv:B': 'subscribed' } }, undefined],
  ['lefd.csv', { statusMap: { 'lefd.csv:B': 'unsubscribed' } }, '--status-map left.csv:B=unsubscribed'],
  ['other.csv', { map: ['other.csv:Code=ignore'] }, undefined],
])('offers at most one answer when no input has the name %s: %j (C11)', async (_name, answer, flags) => {
  const hint = await hintFor(answer, TWO);

  expect(hint).toContain('Inputs are: Main.csv, left.csv');
  expect(hint?.split('\n').filter((line) => line.includes(' with '))).toEqual(
    flags === undefined ? [] : [expect.stringContaining(` with ${flags}`)],
  );
});

test.each([{ map: ['left.csv:Code=status'] }, { statusMap: { 'left.csv:Code:B': 'skip' } }])(
  'offers only columns of the input when %j names a missing one (C11)',
  async (answer) => {
    const hint = await hintFor(answer, TWO);

    expect(hint).toContain(' with --');
    expect(hint).not.toMatch(/ with --\S+ '?left\.csv:Code/);
  },
);

test('reads the answer "List: News" as a word when a column is named News (C4)', async () => {
  const files = { 'list.csv': csv('Email,Status,News', 'a@x.test,List: News,1', 'b@x.test,active,1') };

  const { contacts } = await readList(files, { statusMap: { 'List: News': 'unsubscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
});

test.each([
  ['GRÖSSE', 'Größe'],
  ['Straße', 'STRASSE'],
  ['groß', 'GROSS'],
])('refuses an answer for the column %s when the header is %s (C1)', async (typed, header) => {
  const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,gone', 'b@x.test,active,here') };

  await expect(readList(files, { statusMap: { [`${typed}:gone`]: 'unsubscribed' } })).rejects.toMatchObject({
    code: 'unknown_column',
    hint: expect.stringContaining(` with --status-map ${shellWord(`${header}:gone=unsubscribed`)}`),
  });
});

test.each([
  ['--map', 'Mail ✓=status', 'Email'],
  ['--map', 'Emial=unsubscribed_at', 'Email'],
  ['--map', 'list.csv:Mail=reason', 'Email'],
  ['--map', 'Mial=status', 'Mail'],
  ['--map', 'Work emial=status', 'Work email'],
])('offers no address column for a state when %s %s is unknown (C11)', async (flag, pair, header) => {
  const world = await createWorld();
  const list = world.file('list.csv', csv(`${header},Email,Name,Left`, 'a@x.test,,Ana,', 'b@x.test,,Ben,gone'));

  const { code, err } = await world.svc(['migrate', list, flag, pair, '--json']);

  const { code: error, hint } = JSON.parse(err).error;
  expect([code, error]).toEqual([2, 'unknown_column']);
  const [, offered] = hint.split('Perhaps:\n');
  expect(offered).toContain('Left');
  expect(offered).not.toMatch(new RegExp(`${header}[=:]`));
});

test.each([
  ['the addresses', '--map', 'Emial=email', 'a@x.test'],
  ['a mark before addresses', '--status-map', 'Emial:UNSUB-=unsubscribed', 'UNSUB-a@x.test'],
])('offers the address column when the answer names %s (C11)', async (_, flag, pair, email) => {
  const world = await createWorld();

  const { err } = await world.svc(['migrate', world.file('list.csv', csv('Email,Name', `${email},Ana`)), flag, pair]);

  expect(err).toContain(`${flag} ${pair.replace('Emial', 'Email')}`);
});

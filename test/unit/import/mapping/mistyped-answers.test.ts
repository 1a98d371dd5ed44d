import { expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
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
  'offers no sign-up of an opt-out list when %s is no input (C11)',
  async (name) => {
    const hint = await hintFor({ defaultStatus: { [name]: 'subscribed' } });

    expect(hint).toContain('Without this answer:');
    expect(hint).not.toMatch(/with --default-status/);
  },
);

test('offers no input when the typed name is not similar (C11)', async () => {
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
])('keeps the input in the corrected answer when %j is mistyped (C11)', async (options, flags) => {
  expect(await hintFor(options)).toContain(`with ${flags}`);
});

test.each(['3:active', 'contacts.csv:3:active', '0:active'])(
  'stops when the answer %s names the number of no column (C11)',
  async (subject) => {
    const hint = await hintFor({ statusMap: { [subject]: 'unsubscribed' } });

    expect(hint).toContain('Columns: "Email", "Status"');
  },
);

test('takes the number of a column that only one input has (C11)', async () => {
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
  'refuses %j when a column has no name (C11)',
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

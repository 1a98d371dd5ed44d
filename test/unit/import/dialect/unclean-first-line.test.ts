import { describe, expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { csv, type ReadList, readList } from '../support.ts';

const DEFAULT = { defaultStatus: { 'list.csv': 'subscribed', 'unsubscribed.txt': 'unsubscribed' } } as const;
const LIST = csv('Email,Name', 'ana@x.test,Ana', 'bo@x.test,Bo', 'kim@x.test,Kim');

/** First lines about ana@x.test. Those with more than one address also name bo@x.test. */
const FIRST_LINES: readonly string[] = [
  'ana@x.test (left)',
  'ana @x.test',
  'ana @ x.test',
  'ana@@x.test',
  '- ana@x.test',
  '\u2022 ana@x.test',
  '1. ana@x.test',
  'Ana: ana@x.test',
  'Email: ana@x.test',
  'ana(at)x.test',
  'ana [at] x[dot]test',
  'ana%40x.test',
  'ana\uff20x.test',
  'mailto:ana@x.test?subject=hi',
  '"ana@x.test, bo@x.test"',
  'ana@x.test bo@x.test',
];

const SUBSCRIBED = { defaultStatus: { '*': 'subscribed' } } as const;

function subscribed(list: ReadList): readonly string[] {
  return list.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}

describe('a list without a header', () => {
  test.each(FIRST_LINES)('keeps mail away from the person in the first line: %s (C1, C9)', async (line) => {
    const away = line.includes('bo@') ? ['kim@x.test'] : ['bo@x.test', 'kim@x.test'];
    const clean = { 'list.csv': LIST, 'unsubscribed.txt': csv(line, 'cy@x.test', 'di@x.test') };
    const unclean = { 'list.csv': LIST, 'unsubscribed.txt': csv(line, line.replaceAll('ana', 'cy')) };
    for (const list of [
      await readList(clean, DEFAULT),
      await readList(unclean, { ...DEFAULT, map: ['unsubscribed.txt:1=email'] }),
    ]) {
      expect(subscribed(list)).toEqual(away);
      expect(list.reading.tables[1]?.dialect.headerLine).toBe(0);
    }
  });

  test.each(FIRST_LINES)('stops when the list has several columns and begins with %s (C1)', async (line) => {
    for (const rest of [',2024-01-01', ',2024-01-01,x']) {
      const rows = ['cy@x.test', 'di@x.test'].map((email) => `${email}${rest}`);
      const files = { 'list.csv': LIST, 'unsubscribed.txt': csv(`${line}${rest}`, ...rows) };
      const error = await readList(files, DEFAULT).catch((reason: unknown) => reason);
      expect([line, error]).toEqual([line, expect.objectContaining({ code: 'no_header' })]);
      expect((error as SvcError).hint).toContain('unsubscribed.txt:1=email');
    }
  });
});

test.each([
  'E-mail @',
  '@handle',
  'Email @ work',
  'Email (e.g. name@company.com)',
  'Email, e.g. name@company.com',
  'E-Mail-Adresse (z. B. name@firma.de)',
  'Email (name@company.com)',
])('reads a header with an @ as a header: %s', async (header) => {
  for (const rest of ['', ',Name', ',Name,Twitter (@handle)']) {
    const name = header.includes(',') ? `"${header}"` : header;
    const cells = rest.replace(/[^,]+/g, 'x');
    const list = await readList(
      { 'list.csv': csv(`${name}${rest}`, `ana@x.test${cells}`, `bo@x.test${cells}`) },
      SUBSCRIBED,
    );
    expect([subscribed(list), list.reading.tables[0]?.dialect.headerLine]).toEqual([['ana@x.test', 'bo@x.test'], 1]);
  }
});

test('reads a header when the name of another column contains an address', async () => {
  const text = csv('Email,Wants mail from news@shop.test', 'ana@x.test,yes', 'bo@x.test,yes');
  const list = await readList({ 'list.csv': text }, SUBSCRIBED);
  expect([subscribed(list), list.reading.tables[0]?.dialect.headerLine]).toEqual([['ana@x.test', 'bo@x.test'], 1]);
});

test.each(['ana@x.test (left)', '- ana@x.test', 'ana @x.test'])(
  'stops when a header follows the line %s (C1)',
  async (line) => {
    for (const text of [csv(line, 'Email', 'cy@x.test'), csv(`${line},x`, 'Email,Name', 'cy@x.test,Cy')]) {
      const files = { 'list.csv': LIST, 'unsubscribed.txt': text };
      const error = await readList(files, DEFAULT).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'mixed_tables' });
    }
  },
);

test.each(['Mail,Vorname,Newsletter von news@verein.test erlaubt?', 'Name,Email,May we write from news@shop.test?'])(
  'reads %j as a header, although a question names an address',
  async (header) => {
    const at = header.split(',').findIndex((name) => /mail/i.test(name) && !name.includes('@'));
    const rows = ['', '', '', 'ana@x.test'].map((email) => ['x', 'y', 'yes'].with(at, email).join(','));
    const { reading } = await readList({ 'list.csv': csv(header, ...rows) });
    expect(reading.tables.map(({ header: names, columnIndexes }) => [names.join(), columnIndexes.email])).toEqual([
      [header, at],
    ]);
  },
);

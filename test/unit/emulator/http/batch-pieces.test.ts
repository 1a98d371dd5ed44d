import { describe, expect, test } from 'vitest';
import { parseInPieces } from '../../../../src/emulator/protocol/batch-pieces.ts';
import { readJsonBody } from '../../../../src/emulator/protocol/body.ts';

const person = (number: number) => ({
  email: `p${number}@example.com`,
  first_name: number % 2 === 0 ? 'Łucja "},{" ' : '"},{"email":"x"}],"contacts":[{"email":',
  attributes: { notes: '},{\\"email\\":'.repeat(3), company: '美咲' },
  topics: { top_1: [{ email: 'a' }, { email: 'b' }], top_2: [] },
});

const people = Array.from({ length: 1_000 }, (_, index) => person(index));
const whole = JSON.stringify({ upsert: true, contacts: people });

const read = (text: string | Buffer) =>
  readJsonBody({
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  });

describe('parsing a batch piece by piece', () => {
  test('parses a batch as a whole when a piece would end inside a contact', () => {
    expect(parseInPieces(Buffer.from(whole))).toBeUndefined();
    expect(read(whole)).toEqual(JSON.parse(whole));
  });

  test('parses a batch in pieces when each piece ends between two contacts', () => {
    const text = JSON.stringify({ upsert: true, contacts: people.map(({ topics: _, ...rest }) => rest) });
    expect(parseInPieces(Buffer.from(text))).toEqual(JSON.parse(text));
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['other fields follow the contacts', `${whole.slice(0, -1)},"contacts":[{"email":"a"},{"email":"b"}]}`],
    ['the contacts occur twice', whole.replaceAll('},{"email":"p9', '}],"contacts":[{"email":"p9')],
    ['the contacts are no objects', JSON.stringify({ upsert: true, contacts: people.map(({ email }) => email) })],
    ['blanks surround the contacts', JSON.stringify(JSON.parse(whole), null, 1)],
    ['a byte order mark comes first', whole],
  ])('parses a large batch as JSON.parse does when %s', (title, text) => {
    const mark = title.startsWith('a byte') ? '\ufeff' : '';
    expect(read(mark + text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['ends early', whole.slice(0, -3)],
    ['has an array too many', whole.replace('},{"email":"p500@', '}],[{"email":"p500@')],
    ['has a comma too many', `${whole.slice(0, -2)},]}`],
    ['is not UTF-8', Buffer.concat([Buffer.from(whole.slice(0, -20)), Buffer.of(0xff), Buffer.from(whole.slice(-20))])],
  ])('refuses a large batch that %s', (_, text) => {
    expect(() => read(text)).toThrow('The body is not JSON in UTF-8.');
  });
});

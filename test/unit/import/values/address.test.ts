import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContactItem, cutBatches } from '../../../../src/import/batch/cut-batches.ts';
import { suppressionBatches } from '../../../../src/import/batch/suppression-batches.ts';
import { plainAddress, readAddress } from '../../../../src/import/values/address.ts';
import { looseKey } from '../../../../src/wire/person-key.ts';
import { csv, readList } from '../support.ts';

const long = `${'a'.repeat(250)}@x.test`;

test.each([
  ['Ana@Example.com', 'ana@example.com', 'none'],
  ['  ana@example.com\t', 'ana@example.com', 'none'],
  ['ana.b+tag@example.com', 'ana.b+tag@example.com', 'none'],
  ['o\u2019neil@example.com', 'o\u2019neil@example.com', 'none'],
  ['#ana@example.com', '#ana@example.com', 'none'],
  ["'-5@example.com", "'-5@example.com", 'none'],
  ['ana@example.com\u0085', 'ana@example.com\u0085', 'none'],
  ['ana@example.com\u200b', 'ana@example.com\u200b', 'none'],
  ['a@b@c', 'a@b@c', 'none'],
  ['', 'no address', 'missing_email'],
  ['Total: 2 subscribers', 'no address', 'invalid_email'],
  ['ana @example.com', 'no address', 'invalid_email'],
  ['- ana@example.com', 'ana@example.com', 'invalid_email'],
  ['ana@exam\u00a0ple.com', 'no address', 'invalid_email'],
  ['ana@exam\u0007ple.com', 'no address', 'invalid_email'],
  [long, 'no address', 'invalid_email'],
  ['Ana Berg <Ana@example.com>', 'ana@example.com', 'invalid_email'],
  ['ana@example.com, ana.work@example.com', 'ana@example.com', 'two_addresses_in_cell'],
  ['ana@example.com;bo@example.com', 'ana@example.com', 'two_addresses_in_cell'],
  ['J\u00c3\u00b6rg@example.com', 'j\u00f6rg@example.com', 'invalid_email'],
  ['ana@b\u00c3\u00bcro.example', 'ana@b\u00fcro.example', 'invalid_email'],
  ['j\u00f6rg@b\u00fcro.example', 'j\u00f6rg@b\u00fcro.example', 'none'],
])('reads the address cell %j as %s, problem: %s (F8)', (cell, email, reason) => {
  const read = readAddress(cell, false);
  expect([read.email ?? 'no address', read.problem?.reason ?? 'none']).toEqual([email, reason]);
  const plain = plainAddress(cell);
  expect(plain === undefined || (plain === email && reason === 'none')).toBe(true);
});

// A search for addresses would find another fault in each of these cells.
test('refuses a cell of a megabyte for its length, before any search', () => {
  for (const cell of [`<${'@'.repeat(1_000_000)}`, `a@b${' '.repeat(1_000_000)}c`, '@'.repeat(1_000_000)]) {
    expect(readAddress(cell, false)).toMatchObject({
      email: undefined,
      problem: { reason: 'invalid_email', detail: expect.stringMatching(/: longer than 254 bytes$/) },
    });
  }
});

test('suggests the address when a cell holds a name and an address (F8)', () => {
  expect(readAddress('Ana <Ana@x.test>', false).problem?.detail).toBe('Ana <Ana@x.test>: write ana@x.test');
});

test.each([
  ['Ana@x.test;b@x.test', 'ana@x.test', ['b@x.test']],
  ['ana@x.test, b@x.test,c@x.test', 'ana@x.test', ['b@x.test', 'c@x.test']],
  ['ana@x.test ::: b@x.test', 'ana@x.test', ['b@x.test']],
  [`${long}; b@x.test`, 'b@x.test', [long]],
])('reads the first valid address of %j, and returns the others (F8)', (cell, email, others) => {
  expect(readAddress(cell, true)).toEqual({ email, problem: undefined, others });
});

test.each(['ana@x.test or b@x.test', 'ana@x.test;unsubscribed;b@x.test'])(
  'refuses the cell %j, because it holds more than addresses (F8)',
  (cell) => {
    expect(readAddress(cell, true).problem?.reason).toBe('two_addresses_in_cell');
  },
);

test.each([
  'mailto:Ana@x.test',
  ' MAILTO:ana@x.test?subject=Hello%20there ',
  'mailto://ana@x.test',
  '[Ana@x.test](mailto:ana@x.test)',
  '[mailto:ana@x.test](mailto:ana@x.test)',
  '[Ana Elm](mailto:ana@x.test)',
  '[ana@x.test](ana@x.test)',
])('reads the address in the link %j (F8)', (cell) => {
  expect([plainAddress(cell), readAddress(cell, false)]).toEqual([
    undefined,
    { email: 'ana@x.test', problem: undefined },
  ]);
});

test.each([
  '[ana@x.test](mailto:bo@x.test)',
  'mailto:ana%2Bnews@x.test',
  'mailto:ana@x.test; mailto:bo@x.test',
  'Ana mailto:ana@x.test',
  'Ana [ana@x.test](mailto:ana@x.test)',
  '<mailto:ana@x.test>',
])('refuses the ambiguous link %j (F8)', (cell) => {
  expect(readAddress(cell, true).problem?.reason).toBe('invalid_email');
});

test('never sends a link as an address (F8)', () => {
  const part = fc.constantFrom(
    'mailto:',
    'MailTo:',
    '[',
    ']',
    '](',
    '(',
    ')',
    'ana@x.test',
    'Ana',
    '<',
    '>',
    '?x=1',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const { email, problem } = readAddress(parts.join(''), true);
      expect(problem !== undefined || !/mailto:|\]\(/.test(email ?? '')).toBe(true);
      expect(/mailto:|\]\(/.test(plainAddress(parts.join('')) ?? '')).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

const SAME_ADDRESS = [
  ['ana@x.test', 'ana@x.test\u0085'],
  ['ana@x.test', '\u200bana@x.test'],
  ['ana@x.test', 'ana@x.test\ufeff'],
  ['i@x.test', '\u0130@x.test'.toLowerCase()],
  ['i@x.test', 'ı@x.test'],
  ['k@x.test', '\u212a@x.test'],
  ['ς@x.test', 'σ@x.test'],
] as const;

test.each(SAME_ADDRESS)('treats %j and %j as the same address, as the service may (F8)', (one, other) => {
  expect(looseKey(one)).toBe(looseKey(other));
});

test('reads a long run of invisible letters in linear time (F8)', () => {
  const start = performance.now();
  looseKey(`a${'\u3164'.repeat(100_000)}b@x.test`);

  expect(performance.now() - start).toBeLessThan(2_000);
});

test('never sends two spellings of one address in one request (F8)', async () => {
  const emails = SAME_ADDRESS.flat();
  const status = { defaultStatus: { '*': 'subscribed' } };
  const { reading, contacts } = await readList({ 'list.csv': csv('Email', ...new Set(emails)) }, status);
  const batches = await Array.fromAsync(cutBatches(from(contacts.map(({ email }) => email)), { size: 1000 }));
  for (const { items } of batches) {
    const keys = items.map(({ contact }) => looseKey(contact.email));
    expect(new Set(keys).size).toBe(keys.length);
  }
  expect([reading.batches, batches.flatMap(({ items }) => items).length]).toEqual([batches.length, reading.contacts]);
  const suppressed = await readList({ 'list.csv': csv('Email', ...new Set(emails)) }, { reason: 'bounced' });
  const calls = [...suppressionBatches('bounced', suppressed.people.suppressions('bounced'))];
  expect(calls.every(({ items }) => new Set(items.map(({ email }) => looseKey(email))).size === items.length)).toBe(
    true,
  );
  expect(calls.flatMap(({ items }) => items).length).toBe(reading.contacts);
});

test('changes the bytes of only one batch when one contact changes', async () => {
  const emails = Array.from({ length: 2500 }, (_, i) => `p${i}@x.test`);
  const before = await Array.fromAsync(cutBatches(from(emails)));
  const after = await Array.fromAsync(cutBatches(from(emails, 'p1700@x.test')));
  expect(before.map(({ index, items }) => [index, items.length])).toEqual([
    [0, 1000],
    [1, 1000],
    [2, 500],
  ]);
  expect(before.map(({ body }, i) => body.equals(after[i]?.body as Buffer))).toEqual([true, false, true]);
  expect(JSON.parse(String(before[2]?.body))).toEqual({
    upsert: true,
    contacts: emails.slice(2000).map((email) => ({ email })),
  });
});

test('puts at most 1,000 addresses and one reason into a suppression call (S1)', async () => {
  const rows = Array.from({ length: 2002 }, (_, i) => `p${i}@x.test,${i === 3 ? 'complained' : 'bounced'}`);
  const { people } = await readList({ 'list.csv': csv('Email,Status', ...rows) });
  const sizes = [...suppressionBatches('bounced', people.suppressions('bounced'))].map(({ index, items, body }) => [
    index,
    items.length,
    JSON.parse(String(body)).reason,
  ]);
  expect(sizes).toEqual([
    [0, 1000, 'bounced'],
    [1, 1000, 'bounced'],
    [2, 1, 'bounced'],
  ]);
  expect(
    [...suppressionBatches('complained', people.suppressions('complained'))].map(({ body }) => String(body)),
  ).toEqual(['{"reason":"complained","emails":["p3@x.test"]}']);
});

async function* from(emails: readonly string[], renamed?: string): AsyncGenerator<ContactItem> {
  for (const [line, email] of emails.entries()) {
    yield { source: 0, line, contact: { email, ...(email === renamed && { first_name: 'New' }) } };
  }
}

test('names the first address column when a row has no address', async () => {
  const { reading } = await readList({
    'list.csv': csv('Email,Email 2,Status', ',,subscribed', 'a@x.test,,subscribed'),
  });
  expect(reading.rejections).toMatchObject([{ reason: 'missing_email', examples: [{ line: 2, column: 'Email' }] }]);
});

test('an opt-out in UTF-8 holds when the list began in windows-1252 (F8, C9)', async () => {
  const person = 'j\u00f6rg@b\u00fcro.example';
  // svc finds the encoding in the first 256 KiB.
  const others = Array.from({ length: 10_000 }, (_, i) => `p${i}@example.com,J\u00fcrgen,subscribed`);
  const first = Buffer.from(csv('email,name,status', `${person},J\u00f6rg,subscribed`, ...others), 'latin1');
  const list = Buffer.concat([first, Buffer.from(csv(`${person},J\u00f6rg,unsubscribed`))]);
  const { reading, contacts } = await readList({ 'list.csv': list });
  expect([contacts.find(({ email }) => email === person)?.status, reading.rejections]).toMatchObject([
    'unsubscribed',
    [{ reason: 'invalid_email', total: 1, examples: [{ line: 10_003 }] }],
  ]);
});

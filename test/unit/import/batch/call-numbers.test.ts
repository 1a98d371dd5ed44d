import { describe, expect, test } from 'vitest';
import { type ContactItem, cutBatches } from '../../../../src/import/batch/cut-batches.ts';
import { suppressionBatches } from '../../../../src/import/batch/suppression-batches.ts';
import { csv, readList } from '../support.ts';

const SIZE = 4;

/** Spellings of one address. The service may merge them, so each goes into another request. */
const SAME_ADDRESS = ['ana@x.test', '\u200bana@x.test', 'ana@x.test\u0085'];

/** Numbers of people: none, and about one and two full requests. */
const COUNTS = [0, 1, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE - 1, 2 * SIZE, 2 * SIZE + 1, 5 * SIZE];

const LISTS: readonly (readonly [what: string, emails: readonly string[]])[] = [
  ...COUNTS.map((count) => [`${count} people`, numberedAddresses(count)] as const),
  ...COUNTS.map(
    (count) =>
      [`${count} people and an address in several spellings`, [...SAME_ADDRESS, ...numberedAddresses(count)]] as const,
  ),
  ['an address in several spellings at the end', [...numberedAddresses(SIZE), ...SAME_ADDRESS]],
];

// The journal identifies a request by its number. If two requests had one number, the second would not be sent.
describe('the numbers of requests: 0, 1, 2 … (D1)', () => {
  test.each(LISTS)('numbers suppression requests from 0 and sends each person once: %s', async (_, emails) => {
    const { people } = await readList({ 'list.csv': csv('Email', ...emails) }, { reason: 'bounced' });
    const wanted = [...people.suppressions('bounced').map(({ email }) => email)];
    const calls = [...suppressionBatches('bounced', people.suppressions('bounced'), SIZE)];
    expect(calls.map(({ index }) => index)).toEqual(calls.map((_call, at) => at));
    expect(calls.flatMap(({ items }) => items.map(({ email }) => email)).sort()).toEqual(wanted.sort());
    expect(calls.flatMap(({ body }) => JSON.parse(String(body)).emails).sort()).toEqual(wanted.sort());
  });

  test.each(LISTS)('numbers contact batches from 0 and sends each contact once: %s', async (_, emails) => {
    const batches = await Array.fromAsync(cutBatches(contactsOf(emails), { size: SIZE }));
    expect(batches.map(({ index }) => index)).toEqual(batches.map((_batch, at) => at));
    expect(batches.flatMap(({ items }) => items.map(({ contact }) => contact.email)).sort()).toEqual(
      [...emails].sort(),
    );
    expect(batches.flatMap(({ body }) => JSON.parse(String(body)).contacts).length).toBe(emails.length);
  });
});

function numberedAddresses(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `person${at}@x.test`);
}

async function* contactsOf(emails: readonly string[]): AsyncGenerator<ContactItem> {
  for (const [line, email] of emails.entries()) {
    yield { source: 0, line, contact: { email } };
  }
}

test('sends each spelling of an address in a request of its own (F8)', async () => {
  const { people } = await readList({ 'list.csv': csv('Email', ...SAME_ADDRESS) }, { reason: 'bounced' });
  expect(
    [...suppressionBatches('bounced', people.suppressions('bounced'), SIZE)].map(({ items }) => items.length),
  ).toEqual([1, 1, 1]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listContacts } from '../../../../src/emulator/store/contact-series.ts';
import { type ContactRow, deleteContact, insertContacts } from '../../../../src/emulator/store/contacts.ts';
import { ALL_ROWS } from '../../../../src/emulator/store/rows.ts';
import { openStore, type Store } from '../../../../src/emulator/store/store.ts';

const contact = (audience: number, number: number) => ({
  ...{ audience, email: `p${number}@example.com`, first_name: null, last_name: null, unsubscribed_at: null },
  ...{ status: number % 3 === 0 ? 'unsubscribed' : 'subscribed', attributes: '{}', topics: '{}' },
  ...{ created_at: 0, updated_at: 0 },
});

/** Adds runs of contacts in turns to two audiences, and deletes every seventh. Returns the addresses by audience. */
function fill(store: Store, sizes: readonly number[]): string[][] {
  const added: string[][] = [[], []];
  let number = 0;
  for (const [turn, size] of sizes.entries()) {
    const series = Array.from({ length: size }, () => contact((turn % 2) + 1, number++));
    store.transaction(() => insertContacts(store, series));
    added[turn % 2]?.push(...series.map(({ email }) => email));
  }
  return added.map((emails, audience) =>
    emails.filter((email, index) => index % 7 !== 6 || !deleteContact(store, audience + 1, email)).reverse(),
  );
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 90, max: 320 })), { maxLength: 9 });

test('lists the contacts of an audience newest first, page by page', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 150 }), fc.boolean(), (runs, limit, isFiltered) => {
      const store = openStore(undefined);
      const [wanted = []] = fill(store, runs);
      const status = isFiltered ? 'subscribed' : undefined;
      const listed: string[] = [];
      for (let before = ALL_ROWS.before, isMore = true; isMore; ) {
        const rows = listContacts<ContactRow>(store, { audience: 1, status }, { limit, before });
        listed.push(...rows.slice(0, limit).map(({ email }) => email));
        isMore = rows.length > limit;
        before = rows[limit - 1]?.seq ?? 0;
      }
      expect(listed).toEqual(wanted.filter((email) => !isFiltered || Number(/\d+/.exec(email)?.[0]) % 3 !== 0));
      store.close();
    }),
    { numRuns: 60, seed: 20_260_101 },
  );
});

test('stores all values of contacts when they are similar or different', () => {
  const store = openStore(undefined);
  const alike = Array.from({ length: 230 }, (_, number) => ({
    ...contact(1, 3 * number),
    attributes: `{"a":"${number}"}`,
  }));
  const others = Array.from({ length: 230 }, (_, number) => ({
    ...contact(1, 1_000 + number),
    topics: `{"t":${number}}`,
  }));
  store.transaction(() => insertContacts(store, [...alike, ...others]));
  const rows = listContacts<ContactRow>(store, { audience: 1 }, ALL_ROWS).reverse();
  expect(rows).toEqual([...alike, ...others].map((row, index) => ({ seq: index + 1, ...row })));
  store.close();
});

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressIndex } from '../../../../src/emulator/store/address-index.ts';
import {
  findContactByEmail,
  findContacts,
  findEverywhere,
  insertContacts,
} from '../../../../src/emulator/store/contacts.ts';
import { openStore, type Store } from '../../../../src/emulator/store/store.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const row = (email: string, audience = 1) => ({
  ...{ audience, email, first_name: null, last_name: null, status: 'subscribed', unsubscribed_at: null },
  ...{ attributes: '{}', topics: '{}', created_at: 0, updated_at: 0 },
});

const add = (store: Store, emails: readonly string[], audience = 1) =>
  store.transaction(() =>
    insertContacts(
      store,
      emails.map((email) => row(email, audience)),
    ),
  );

const held = (store: Store, emails: readonly string[], audience = 1) =>
  [...findContacts(store, audience, emails).keys()].sort();

/** The stored rows of an index, in memory. Each look-up reads all of them again. */
function tagRows() {
  const stored: { last: number; tags: Uint8Array }[] = [];
  const run = (_: string, ...[, , last, tags]: (number | Uint8Array)[]) =>
    stored.push({ last: Number(last), tags: tags as Uint8Array });
  return { stored, run, all: <Row>() => stored as Row[] };
}

describe('the index of the emulator that finds contacts by address', () => {
  test('the address index computes the hashes that earlier versions stored', () => {
    const rows = tagRows();
    createAddressIndex(rows).addRows(['', 'a@example.com', 'łódź@example.com'], { audience: 1, last: 3 });
    const tags = rows.stored.map((row) => [...new Uint32Array(row.tags.slice().buffer)]);
    expect(tags).toEqual([[2_872_998_923, 122_654_245, 1_035_932_396]]);
  });

  test('the address index finds each contact of an address once while it grows', () => {
    const index = createAddressIndex(tagRows());
    const addresses = Array.from({ length: 20_000 }, (_, at) => `p${(at * 7_919) % 3_000}@example.com`);
    index.addRows(addresses, { audience: 1, last: addresses.length });
    for (const address of ['p0@example.com', 'p1@example.com', 'p17@example.com', 'p2999@example.com']) {
      const rows = addresses.flatMap((each, at) => (each === address ? [at + 1] : []));
      expect(index.candidates([address]).sort((a, b) => a - b)).toEqual(rows);
    }
    expect(index.candidates(['p3000@example.com'])).toEqual([]);
  });

  test('the address index finds an address only in its audience and account', () => {
    const store = openStore(undefined);
    store.run(
      "insert into audiences (organization, name, created_at, updated_at) values (1, 'a', 0, 0), (1, 'b', 0, 0), (2, 'c', 0, 0)",
    );
    add(store, ['x@example.com'], 1);
    add(store, ['x@example.com'], 3);
    expect([findContactByEmail(store, 1, 'x@example.com')?.seq, findContactByEmail(store, 2, 'x@example.com')]).toEqual(
      [1, undefined],
    );
    expect(findEverywhere(store, 1, 'x@example.com').map(({ audience }) => audience)).toEqual([1]);
    store.close();
  });

  test('the address index finds a contact that reuses a rolled-back row number', () => {
    const store = openStore(undefined);
    add(store, ['kept@example.com']);
    const failed = () =>
      store.transaction(() => {
        insertContacts(store, [row('lost@example.com')]);
        expect(held(store, ['lost@example.com'])).toEqual(['lost@example.com']);
        throw new Error('stop');
      });
    expect(failed).toThrow('stop');
    expect(held(store, ['lost@example.com', 'kept@example.com'])).toEqual(['kept@example.com']);
    add(store, ['next@example.com']);
    expect(held(store, ['lost@example.com', 'next@example.com'])).toEqual(['next@example.com']);
    store.close();
  });

  test('the address index finds contacts of another process after a failure', () => {
    const folder = tempFolder();
    const [one, two] = [openStore(folder), openStore(folder)];
    add(one, ['a@example.com']);
    const fail = () =>
      one.transaction(() => {
        insertContacts(one, [row('b@example.com'), row('c@example.com')]);
        held(one, ['b@example.com']);
        throw new Error('stop');
      });
    expect(fail).toThrow('stop');
    add(two, ['d@example.com', 'e@example.com', 'f@example.com']);
    expect(held(one, ['a@example.com', 'b@example.com', 'd@example.com', 'e@example.com', 'f@example.com'])).toEqual([
      ...['a@example.com', 'd@example.com', 'e@example.com', 'f@example.com'],
    ]);
    one.close();
    two.close();
  });

  const names = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 });
  const steps = fc.array(fc.record({ names, fails: fc.boolean(), reopens: fc.boolean() }), { maxLength: 12 });

  test('the address index finds committed contacts after failures and restarts', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const folder = tempFolder();
        let store = openStore(folder);
        const committed = new Set<string>();
        for (const { names: wanted, fails, reopens } of all) {
          const emails = wanted.map((name) => `p${name}@example.com`);
          const fresh = emails.filter((email) => !committed.has(email));
          expect(held(store, emails)).toEqual(emails.filter((email) => committed.has(email)).sort());
          try {
            store.transaction(() => {
              insertContacts(
                store,
                fresh.map((email) => row(email)),
              );
              expect(held(store, emails)).toEqual([...emails].sort());
              if (fails) {
                throw new RangeError('stop');
              }
            });
            fresh.forEach((email) => committed.add(email));
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
          if (reopens) {
            store.close();
            store = openStore(folder);
          }
        }
        store.close();
      }),
      { numRuns: 25, seed: 20_260_101 },
    );
  });

  test('refuses a store and leaves it unchanged when another version made it', () => {
    const folder = tempFolder();
    const file = join(folder, 'emulator.db');
    const old = new DatabaseSync(file);
    old.exec('create table meta (name text); pragma user_version = 7');
    old.close();
    expect(() => openStore(folder)).toThrow('made by another version');
    const again = new DatabaseSync(file);
    expect(again.prepare("select name from sqlite_master where type = 'table'").all()).toEqual([{ name: 'meta' }]);
    again.close();
  });
});

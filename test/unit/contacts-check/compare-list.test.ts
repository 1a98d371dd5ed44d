import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { openAudienceStore } from '../../../src/contacts-check/audience-store.ts';
import { compareList } from '../../../src/contacts-check/compare-list.ts';
import { openResults } from '../../../src/contacts-check/results.ts';
import type { Contact } from '../../../src/wire/shapes.ts';
import { people } from '../../support/lists.ts';
import { readList } from '../import/support.ts';

const EXTRAS = 2_500;

/** A list of two people, and an audience with one of them and `EXTRAS` others. */
async function opened() {
  const { reading: survey, people: merged } = await readList({ 'list.csv': people(2) });
  const db = new DatabaseSync(':memory:');
  const store = openAudienceStore(db);
  const emails = ['person1', ...Array.from({ length: EXTRAS }, (_, at) => `extra${at}`)];
  const contacts = emails.map((name) => ({ id: name, email: `${name}@example.com`, status: 'subscribed' }));
  const state = { pass: 1, expectedCount: contacts.length, at: 0, shownFields: ['email', 'status'] };
  store.addPage(contacts as Partial<Contact>[] as Contact[], state);
  return { survey, people: merged, store, results: openResults(db), runWrites: undefined };
}

test('finds each contact that the list lacks when the audience is large (V1)', async () => {
  const comparison = await opened();
  await compareList({ ...comparison, signal: new AbortController().signal });
  const { results } = comparison;
  expect(results.counts()).toEqual({ same: 1, different: 0, missing: 1, extra: EXTRAS, opted_out: 0 });
  const emails = new Set(results.list('extra', EXTRAS).map(({ email }) => email));
  expect([emails.size, emails.has('extra0@example.com'), emails.has(`extra${EXTRAS - 1}@example.com`)]).toEqual([
    EXTRAS,
    true,
    true,
  ]);
});

test('stops soon when a signal comes during the search for other contacts (I5)', async () => {
  const { store, ...comparison } = await opened();
  const [stop, interruption] = [new AbortController(), createInterruption('SIGINT')];
  let reads = 0;
  const contactsAfter: typeof store.contactsAfter = (id, most) => {
    reads += 1;
    stop.abort(interruption);
    return store.contactsAfter(id, most);
  };
  const ended = compareList({ ...comparison, store: { ...store, contactsAfter }, signal: stop.signal });
  await expect(ended).rejects.toBe(interruption);
  expect(reads).toBe(1);
});

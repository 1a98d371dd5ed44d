import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rereadEnrollees } from '../../../../src/import/batch/reread-list.ts';
import { contactOfRow, decideRow } from '../../../../src/import/batch/row-decision.ts';
import { csvLine } from '../../../../src/import/csv/quoting.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { parseRecord } from '../../../../src/import/record/parse-record.ts';
import { readRows } from '../../../../src/import/rows/read-rows.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type ReadList, readList } from '../support.ts';
import { type Fault, type ListedPerson, type Outcome, outcomesOf, stateOfRow, WORDS } from './oracle.ts';

const FAULTS: readonly Fault[] = ['none', 'none', 'none', 'none', 'none', 'none', 'long', 'nul', 'address', 'missing'];
// The lists have one to three status columns, and a column of opt-out dates.
const STATE_COLUMNS = ['Status', 'Mail status', 'Contact status'];

const row: fc.Arbitrary<ListedPerson> = fc.record({
  email: fc.integer({ min: 0, max: 8 }).map((n) => `p${n}@x.test`),
  words: fc.array(fc.constantFrom(...WORDS, 'active', 'active', 'active'), { minLength: 3, maxLength: 3 }),
  left: fc.constantFrom('', '', '', '2023-01-02', '2024-02-03'),
  first: fc.constantFrom('', 'Ana', 'Bo'),
  last: fc.constantFrom('', 'Berg', 'Stein'),
  city: fc.constantFrom('', 'Bonn', 'Ulm'),
  newsletter: fc.constantFrom('', 'no', 'yes'),
  fault: fc.constantFrom(...FAULTS),
});
/** The number of status columns, and the rows. */
const table = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.array(row, { maxLength: 16 }))
  .map(([width, rows]) => [...rows, KNOWN].map((one) => ({ ...one, words: one.words.slice(0, width) })).filter(isRow));
const tables = fc.array(table, { minLength: 1, maxLength: 3 });
const duplicates = fc.constantFrom('merge' as const, 'reject' as const);

/** False for a line without any text. */
function isRow({ fault, words, left, first, last, city, newsletter }: ListedPerson): boolean {
  return fault !== 'missing' || [...words, left, first, last, city, newsletter].some((cell) => cell !== '');
}

// Every table holds a known status, so svc asks about a blank beside it.
const KNOWN: ListedPerson = {
  email: 'known@x.test',
  words: ['active', 'active', 'active'],
  left: '',
  first: '',
  last: '',
  city: '',
  newsletter: '',
  fault: 'none',
};
const ANSWERS: Partial<ReadingOptions> = { map: ['News=topics.top_1'], topicValues: { News: 'opt_in' } };

test('decides random rows as docs/rules.md says (C1, C2, C4, C7, C9, S3)', async () => {
  await fc.assert(
    fc.asyncProperty(tables, duplicates, async (lists, policy) => {
      const list = await readList(filesOf(lists), { ...ANSWERS, duplicates: policy });
      const must = outcomesOf(lists.flat(), policy);
      expect(await outcomesRead(list)).toEqual(must);
      expect(sent(list)).toEqual(must.filter((outcome) => /^(?:contact|suppressed)/.test(outcome)).length);
      expect(list.contacts.map((contact) => `contact ${JSON.stringify(contact)}`)).toEqual(
        must.filter((outcome) => outcome.startsWith('contact')),
      );
      expect(countsOf(list)).toEqual({
        read: must.length,
        merged: must.filter((outcome) => outcome === 'merged').length,
        rejected: must.filter((outcome) => outcome.startsWith('rejected')).length,
        skipped: outcomeCounts(must.filter((outcome) => outcome.startsWith('skipped'))),
      });
      // An unknown status word stops the run. Then the fields of its row do not matter yet.
      if (!must.includes('skipped unknown_status')) {
        expect(list.reading.usedKeys).toEqual(usedKeys(list));
      }
    }),
    { numRuns: 150 / stepOf(6) },
  );
});

test('enrolls only people whose most restrictive status is subscribed (M1)', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (lists) => {
      const list = await readList(filesOf(lists), ANSWERS);
      const { signal } = new AbortController();
      const people = await Array.fromAsync(rereadEnrollees({ survey: list.reading, people: list.people }, { signal }));
      const rows = lists.flat();
      const sentAsAttributes = rows.filter(
        ({ email, fault }, at) =>
          fault === 'none' &&
          rows.findIndex((other) => other.email === email && other.fault === 'none') === at &&
          rows.every(
            (other) => other.email !== email || other.fault === 'missing' || stateOfRow(other) === 'subscribed',
          ),
      );
      expect(people.map(({ email }) => email)).toEqual(sentAsAttributes.map(({ email }) => email));
      expect(people.length).toBe(list.reading.enrollable);
    }),
    { numRuns: 40 / stepOf(2) },
  );
});

function filesOf(lists: readonly (readonly ListedPerson[])[]): Record<string, string> {
  return Object.fromEntries(lists.map((rows, at) => [`list-${at}.csv`, textOf(rows)]));
}

function textOf(rows: readonly ListedPerson[]): string {
  const columns = STATE_COLUMNS.slice(0, rows[0]?.words.length);
  const header = ['Email', 'First Name', 'Last Name', 'City', 'News', 'Unsubscribed At', ...columns];
  return [csvLine(header, ','), ...rows.map(lineOf)].map((line) => `${line}\n`).join('');
}

function lineOf({ email, words, left, first, last, city, newsletter, fault }: ListedPerson): string {
  const addresses: Readonly<Partial<Record<Fault, string>>> = { address: `Ana <${email}>`, missing: '' };
  const place = fault === 'nul' ? 'a\0b' : city;
  const more = fault === 'long' ? ['more'] : [];
  return csvLine([addresses[fault] ?? email, first, last, place, newsletter, left, ...words, ...more], ',');
}

async function outcomesRead({ reading, people }: ReadList): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of reading.tables) {
    for await (const rows of readRows(one.source, one.dialect)) {
      outcomes.push(...rows.map((raw) => outcomeWord(decideRow({ survey: reading, people }, parseRecord(one, raw)))));
    }
  }
  return outcomes;
}

const REASONS: Readonly<Record<string, string>> = {
  complained: 'complained',
  bounced: 'bounced',
  suppressed: 'unsubscribed',
};

function outcomeWord(outcome: ReturnType<typeof decideRow>): Outcome {
  const contact = contactOfRow(outcome);
  if (contact) {
    return `contact ${JSON.stringify(contact)}`;
  }
  if (outcome.kind === 'rejected') {
    return `rejected ${outcome.problem.reason}`;
  }
  if (outcome.kind !== 'person') {
    return outcome.kind;
  }
  const reason = REASONS[outcome.state];
  return reason === undefined ? `skipped ${outcome.why ?? outcome.state}` : `suppressed ${reason}`;
}

function sent({ contacts, suppressions }: ReadList): number {
  return contacts.length + new Set(Object.values(suppressions).flat()).size;
}

function countsOf({ reading: { rows } }: ReadList): object {
  return { ...rows, skipped: Object.fromEntries(Object.entries(rows.skipped).sort()) };
}

function outcomeCounts(outcomes: readonly Outcome[]): Record<string, number> {
  const counts = Map.groupBy(outcomes, (outcome) => outcome.replace('skipped ', ''));
  return Object.fromEntries([...counts].map(([reason, of]) => [reason, of.length] as const).sort());
}

function usedKeys({ contacts }: ReadList): string[] {
  return [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})))].sort();
}

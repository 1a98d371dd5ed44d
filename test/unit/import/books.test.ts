import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrollees, rowOutcome } from '../../../src/import/batch/last-read.ts';
import { readRows } from '../../../src/import/csv/parse.ts';
import { parseRecord } from '../../../src/import/record/parse-record.ts';
import { rankOf, type State } from '../../../src/platforms/lib/states.ts';
import { type ReadList, readList } from './support.ts';

const STATES: Readonly<Record<string, State>> = {
  active: 'subscribed',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complained: 'complained',
  suppressed: 'suppressed',
  pending: 'pending',
};

interface Row {
  readonly email: string;
  readonly state: string;
  readonly city: string;
  readonly fault: 'none' | 'long' | 'nul' | 'address';
}

const row: fc.Arbitrary<Row> = fc.record({
  email: fc.integer({ min: 0, max: 12 }).map((n) => `p${n}@x.test`),
  state: fc.constantFrom(...Object.keys(STATES)),
  city: fc.constantFrom('', 'Bonn', 'Ulm'),
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'long', 'nul', 'address'),
});
const tables = fc.array(fc.array(row, { maxLength: 20 }), { minLength: 1, maxLength: 3 });
const duplicates = fc.constantFrom('merge' as const, 'reject' as const);

test('C7 C9 S3: every row has one fate, and every person the strictest state of all their rows, for any tables', async () => {
  await fc.assert(
    fc.asyncProperty(tables, duplicates, async (lists, policy) => {
      const list = await readList(filesOf(lists), { duplicates: policy });
      const suppressed = Object.values(list.suppressions).flat();
      const { rows } = list.reading;
      const skipped = Object.values(rows.skipped).reduce((sum, count) => sum + count, 0);
      expect(rows.read).toBe(list.contacts.length + suppressed.length + rows.merged + skipped + rows.rejected);
      expect(new Set(suppressed).size).toBe(suppressed.length);
      expect([list.reading.contacts, Object.values(list.reading.suppressions).reduce((a, b) => a + b, 0)]).toEqual([
        list.contacts.length,
        suppressed.length,
      ]);
      expect(await fates(list)).toEqual({
        merged: rows.merged,
        rejected: rows.rejected,
        people: list.contacts.length + suppressed.length + skipped,
      });
      expect(written(list)).toEqual(expected(lists.flat()));
      expect(usedKeys(list)).toEqual(list.reading.usedKeys);
    }),
    { numRuns: 150 },
  );
});

test('M1: only people whose strictest state is subscribed are enrolled, for any tables', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (lists) => {
      const list = await readList(filesOf(lists));
      const people = await Array.fromAsync(
        enrollees(list.reading, list.people, { signal: new AbortController().signal }),
      );
      expect(people.map(({ email }) => email)).toEqual(
        list.contacts.filter(({ status }) => !status).map(({ email }) => email),
      );
      expect(people.length).toBe(list.reading.enrollable);
    }),
    { numRuns: 50 },
  );
});

function filesOf(lists: readonly (readonly Row[])[]): Record<string, string> {
  return Object.fromEntries(lists.map((rows, i) => [`list-${i}.csv`, `Email,City,Status\n${rows.map(line).join('')}`]));
}

function line({ email, state, city, fault }: Row): string {
  const address = fault === 'address' ? `Ana <${email}>` : email;
  return `${address},${fault === 'nul' ? 'a\0b' : city},${state}${fault === 'long' ? ',more' : ''}\n`;
}

async function fates({ reading, people }: ReadList): Promise<Record<string, number>> {
  const counts = { merged: 0, rejected: 0, people: 0 };
  for (const table of reading.tables) {
    for await (const rows of readRows(table.source, table.dialect)) {
      for (const one of rows) {
        const { kind } = rowOutcome({ reading, people }, parseRecord(table, one));
        counts[kind === 'person' ? 'people' : kind === 'merged' ? 'merged' : 'rejected']++;
      }
    }
  }
  return counts;
}

function written(list: ReadList): Record<string, string> {
  return Object.fromEntries([
    ...list.contacts.map(({ email, status }) => [email, status ?? 'subscribed'] as const),
    ...Object.entries(list.suppressions).flatMap(([reason, emails]) =>
      emails.map((email) => [email, `suppressed ${reason}`] as const),
    ),
  ]);
}

const WRITTEN: Readonly<Partial<Record<State, string>>> = {
  subscribed: 'subscribed',
  unsubscribed: 'unsubscribed',
  bounced: 'suppressed bounced',
  complained: 'suppressed complained',
  suppressed: 'suppressed unsubscribed',
};

// The rule again, in plain words: the strictest of all rows wins, and each written person has a row.
function expected(rows: readonly Row[]): Record<string, string> {
  const people: Record<string, string> = {};
  for (const email of new Set(rows.map((one) => one.email))) {
    const own = rows.filter((one) => one.email === email);
    const strictest = own.map(({ state }) => STATES[state] as State).reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a));
    const suppresses = rankOf(strictest) <= rankOf('suppressed');
    const stands = own.some(({ fault }) => fault === 'none' || (suppresses && fault !== 'address'));
    const word = WRITTEN[strictest];
    if (stands && word) {
      people[email] = word;
    }
  }
  return people;
}

function usedKeys({ contacts }: ReadList): string[] {
  return [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})))].sort();
}

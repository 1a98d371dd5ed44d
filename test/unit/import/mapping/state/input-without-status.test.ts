import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepOf } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';

const PEOPLE = ['ana', 'bo', 'cy', 'di'].map((name) => `${name}@x.test`);
const people = fc.subarray(PEOPLE, { minLength: 1 });
const extra = fc.constantFrom('', ',City', ',Since', ',Grp');
const name = fc.constantFrom('b.csv', 'liste2.csv', 'export (1).csv', 'Z.csv');

/** An input without statuses: addresses, and perhaps a meaningless column. */
const silent = fc.record({ name, extra, people });
/** Inputs with subscribed people, with and without an opt-out column. */
const stated = fc.record({
  people,
  header: fc.constantFrom('Status', 'Email status'),
  word: fc.constantFrom('active', 'subscribed'),
});

test('asks about an input without statuses when another has them (C4, C7)', async () => {
  await fc.assert(
    fc.asyncProperty(stated, silent, fc.boolean(), async (first, second, isFirst) => {
      const one = [
        'a.csv',
        csv(`Email,${first.header}`, ...first.people.map((email) => `${email},${first.word}`)),
      ] as const;
      const row = (email: string) => `${email}${second.extra === '' ? '' : ',7'}`;
      const other = [second.name, csv(`Email${second.extra}`, ...second.people.map(row))] as const;
      const files = Object.fromEntries(isFirst ? [one, other] : [other, one]);
      const asked = await readList(files);
      expect(asked.finding('no_status')?.level).toBe('stop');
      const flag = `${second.name}=unsubscribed`;
      expect(asked.finding('no_status')?.hint).toContain(flag);
      const answered = await readList(files, { defaultStatus: { [second.name]: 'unsubscribed' } });
      const mailed = answered.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
      expect(answered.finding('no_status')).toBeUndefined();
      expect(mailed).toEqual(first.people.filter((email) => !second.people.includes(email)));
    }),
    { numRuns: 40 / stepOf(2) },
  );
});

test('accepts an input without statuses when no person is subscribed (C4)', async () => {
  const list = await readList({
    'a.csv': csv('Email,Status', 'ana@x.test,unsubscribed'),
    'b.csv': csv('Email', 'ana@x.test'),
  });
  expect(list.finding('no_status')).toBeUndefined();
});

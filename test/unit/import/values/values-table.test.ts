import { expect, test } from 'vitest';
import { csvLine } from '../../../../src/import/csv/quoting.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { type DateStyle, readDate } from '../../../../src/import/values/dates.ts';
import { createZoneOffset } from '../../../../src/import/values/time-zones.ts';
import { differing, goldenLines, tableOf } from '../consent-columns/vocabulary/golden.ts';
import { readList } from '../support.ts';

/** Compares dates, names, topics, tags and attribute keys with reviewed text files, which hold the exact results. */

const STYLES: Readonly<Record<string, DateStyle>> = {
  'any order': { form: undefined, order: undefined, zone: createZoneOffset('UTC') },
  'day first': { form: undefined, order: 'dmy', zone: createZoneOffset('UTC') },
  'month first': { form: undefined, order: 'mdy', zone: createZoneOffset('UTC') },
  'year first': { form: undefined, order: 'ymd', zone: createZoneOffset('UTC') },
  'Unix times': { form: 'unix', order: undefined, zone: createZoneOffset('UTC') },
  'Excel serials': { form: 'excel', order: undefined, zone: createZoneOffset('UTC') },
};

test('reads each date as the time in the reviewed file (F9)', () => {
  const lines = goldenLines('dates.txt').map(({ heading, cells }) => [heading, ...cells]);
  const read = lines.map(([heading = '', text = '']) => [heading, text, dateWord(heading, text)]);
  expect(lines.length).toBeGreaterThan(250);
  expect(differing(read, lines)).toEqual([]);
});

/** A heading of the file is the name of a date style or a time zone. */
function dateWord(heading: string, text: string): string {
  const style = STYLES[heading] ?? { form: undefined, order: undefined, zone: createZoneOffset(heading) };
  const date = readDate(text, style);
  return date.kind === 'at' ? date.moment : date.kind;
}

const NAME = 'mailchimp-subscribed_members_export_1.csv';
const KINDS: Readonly<Record<string, readonly [header: string, answers: Partial<ReadingOptions>]>> = {
  values: ['Note', {}],
  'tags of Mailchimp': ['TAGS', {}],
  topics: ['News', { map: ['News=topics.top_1'], topicValues: { News: 'opt_in' } }],
  'full names': ['Full', { map: ['Full=name'] }],
};

test.each(Object.keys(KINDS))('sends %s as the reviewed file says (F1, F2, F10)', async (kind) => {
  const lines = goldenLines('values.txt')
    .filter(({ heading }) => heading === kind)
    .map(({ cells }) => cells);
  const [header, answers] = KINDS[kind] ?? ['', {}];
  const rows = lines.map(([cell = ''], at) => csvLine([`p${at}@x.test`, cell], ','));
  const list = await readList({ [NAME]: [`Email Address,${header}`, ...rows, ''].join('\n') }, answers);
  const read = lines.map(([cell = ''], at) => {
    const { email: _, ...sent } = list.contacts.find(({ email }) => email === `p${at}@x.test`) ?? { email: '' };
    return [cell, JSON.stringify(sent)];
  });
  expect(lines.length).toBeGreaterThan(8);
  expect(differing(read, lines)).toEqual([]);
});

test('makes the same attribute key from each header as earlier versions (F3)', () => {
  const lines = goldenLines('keys.txt').map(({ cells }) => cells);
  const read = lines.map(([header = '']) => {
    const column = tableOf([header]).columns[1];
    return [header, column?.kind === 'attribute' ? column.key || '-' : `${column?.kind}`];
  });
  expect(lines.length).toBeGreaterThan(40);
  expect(differing(read, lines)).toEqual([]);
});

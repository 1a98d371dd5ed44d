import { expect, test } from 'vitest';
import { dateMeaning } from '../../../../src/import/consent-columns/headers/date-headers.ts';
import { type DateReading, provenDateOrder, readDate } from '../../../../src/import/values/dates.ts';
import { createZoneOffset } from '../../../../src/import/values/time-zones.ts';
import { csv, readList } from '../support.ts';

const style = { form: undefined, order: undefined, zone: createZoneOffset('UTC') };

const FORMS: readonly (readonly [text: string, at: string | DateReading['kind']])[] = [
  ['2018-07-23 12:19:27', '2018-07-23T12:19:27.000Z'],
  ['2024-01-01', '2024-01-01T00:00:00.000Z'],
  ['2019-11-14T00:55:31.820Z', '2019-11-14T00:55:31.820Z'],
  ['2024-01-01T00:00:00-05:00', '2024-01-01T05:00:00.000Z'],
  ['2020-09-25 16:45:13 -0400', '2020-09-25T20:45:13.000Z'],
  ['2024-03-13 11:33:53 UTC', '2024-03-13T11:33:53.000Z'],
  ['2024-05-01 10:11:12.123456 +0000 UTC', '2024-05-01T10:11:12.123Z'],
  ['2024-05-01 10:11:12.123456 +0200 CEST', '2024-05-01T08:11:12.123Z'],
  ['Mon, 23 Jul 2018 12:19:27 +0000', '2018-07-23T12:19:27.000Z'],
  ['Tue, 02 Jan 2024 03:04:05 UTC', '2024-01-02T03:04:05.000Z'],
  ['20110122T111244', '2011-01-22T11:12:44.000Z'],
  ['Sep 23 2010', '2010-09-23T00:00:00.000Z'],
  ['June 5, 2023', '2023-06-05T00:00:00.000Z'],
  ['2026/04/19', '2026-04-19T00:00:00.000Z'],
  ['13/04/2024 3:05 PM', '2024-04-13T15:05:00.000Z'],
  ['04/13/2024 12:05 AM', '2024-04-13T00:05:00.000Z'],
  ['05.05.2024', '2024-05-05T00:00:00.000Z'],
  ['12-04-2022', 'ambiguous'],
  ['01.02.2024', 'ambiguous'],
  ['2024-02-30', 'unreadable'],
  ['31/02/2024', 'unreadable'],
  ['2023-02-29', 'unreadable'],
  ['2024-01-01 25:00', 'unreadable'],
  ['2024-01-01 13:00 PM', 'unreadable'],
  ['2024-01-01 10:00 XST', 'unreadable'],
  ['45292.5', 'unreadable'],
  ['1700000000', 'unreadable'],
  ['3/4/24', 'unreadable'],
  ['20240101', '2024-01-01T00:00:00.000Z'],
  ['yesterday', 'unreadable'],
  ['0000-00-00 00:00:00', 'unreadable'],
];

test.each(FORMS)('reads the date %s without a hint as %s (F9)', (text, expected) => {
  const read = readDate(text, style);
  expect(read.kind === 'at' ? read.moment : read.kind).toBe(expected);
});

/** The values on both sides of each limit: years, days, times, zones and their forms. */
const LIMITS: typeof FORMS = [
  ['1900-01-01', '1900-01-01T00:00:00.000Z'],
  ['1899-12-31', 'unreadable'],
  ['1900-01-01T00:00:00+00:01', 'unreadable'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59-00:01', 'unreadable'],
  ['2024-12-31', '2024-12-31T00:00:00.000Z'],
  ['2024-12-32', 'unreadable'],
  ['2024-13-01', 'unreadable'],
  ['2024-00-10', 'unreadable'],
  ['2024-01-00', 'unreadable'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-01-01 23:59:59', '2024-01-01T23:59:59.000Z'],
  ['2024-01-01 24:00', 'unreadable'],
  ['2024-01-01 10:60', 'unreadable'],
  ['2024-01-01 10:59:60', 'unreadable'],
  ['2024-01-01 12:59 AM', '2024-01-01T00:59:00.000Z'],
  ['2024-01-01 12:59 p.m.', '2024-01-01T12:59:00.000Z'],
  ['2024-01-01 1:00 AM', '2024-01-01T01:00:00.000Z'],
  ['2024-01-01 0:30 AM', 'unreadable'],
  ['2024-01-01 PM', 'unreadable'],
  ['2024-01-01 10:00:00.5', '2024-01-01T10:00:00.500Z'],
  ['2024-01-01 10:00:00,25', '2024-01-01T10:00:00.250Z'],
  ['2024-01-01T10:00+14:00', '2023-12-31T20:00:00.000Z'],
  ['2024-01-01T10:00+14:01', 'unreadable'],
  ['2024-01-01T10:00-03:30', '2024-01-01T13:30:00.000Z'],
  ['2024-01-01T10:00+05', '2024-01-01T05:00:00.000Z'],
  ['Sept. 5, 2023', '2023-09-05T00:00:00.000Z'],
  ['Sep 1 2023', '2023-09-01T00:00:00.000Z'],
  ['Septober 1 2023', 'unreadable'],
  ['5 Ma 2023', 'unreadable'],
  ['12/12/2024', '2024-12-12T00:00:00.000Z'],
  ['12/11/2024', 'ambiguous'],
  ['12/13/2024', '2024-12-13T00:00:00.000Z'],
  ['13/13/2024', 'unreadable'],
  [`2024-01-01T10:00Z${' '.repeat(100)}`, '2024-01-01T10:00:00.000Z'],
  [`2024-01-01T10:00+00:00 m=${'1'.repeat(75)}`, '2024-01-01T10:00:00.000Z'],
  [`2024-01-01T10:00+00:00 m=${'1'.repeat(76)}`, 'unreadable'],
  ...'January February March April May June July August September October November December'
    .split(' ')
    .flatMap((name, month) =>
      [name, name.slice(0, 3)].map(
        (word) => [`7 ${word} 2024`, `2024-${String(month + 1).padStart(2, '0')}-07T00:00:00.000Z`] as const,
      ),
    ),
];

test.each(LIMITS)('reads the date %s at a limit as %s (F9)', (text, expected) => {
  const read = readDate(text, style);
  expect(read.kind === 'at' ? read.moment : read.kind).toBe(expected);
});

test.each([
  ['12/13/2024', 'mdy'],
  ['13/12/2024', 'dmy'],
  ['12/11/2024', 'either'],
  ['12/12/2024', undefined],
  ['13/14/2024', undefined],
  ['2024-01-02', undefined],
  ['13/04/2024', 'dmy'],
  ['03/04/2024', 'either'],
])('finds which order of day and month the date %s proves: %s (F9)', (text, order) => {
  expect(provenDateOrder(text)).toBe(order);
});

test.each([
  ['99999999999', { ...style, form: 'unix' as const }, '5138-11-16T09:46:39.000Z'],
  ['100000000000', { ...style, form: 'unix' as const }, '1973-03-03T09:46:40.000Z'],
  ['-1', { ...style, form: 'unix' as const }, '1969-12-31T23:59:59.000Z'],
  ['1.5', { ...style, form: 'unix' as const }, '1970-01-01T00:00:01.500Z'],
  ['2', { ...style, form: 'excel' as const }, '1900-01-01T00:00:00.000Z'],
  ['1', { ...style, form: 'excel' as const }, undefined],
  ['2024-01-01', { ...style, form: 'unix' as const }, '2024-01-01T00:00:00.000Z'],
  ['13/04/2024', { ...style, order: 'ymd' as const }, undefined],
  ['05/05/2024', { ...style, order: 'ymd' as const }, undefined],
  ['12-04-2022', { ...style, order: 'dmy' as const }, '2022-04-12T00:00:00.000Z'],
  ['12-04-2022', { ...style, order: 'mdy' as const }, '2022-12-04T00:00:00.000Z'],
  ['13/04/2024', { ...style, order: 'mdy' as const }, undefined],
  ['1700000000', { ...style, form: 'unix' as const }, '2023-11-14T22:13:20.000Z'],
  ['1700000000123', { ...style, form: 'unix' as const }, '2023-11-14T22:13:20.123Z'],
  ['45292.5', { ...style, form: 'excel' as const }, '2024-01-01T12:00:00.000Z'],
  ['2024-07-01 00:00:00', { ...style, zone: createZoneOffset('America/New_York') }, '2024-07-01T04:00:00.000Z'],
  ['2024-01-01 00:00:00', { ...style, zone: createZoneOffset('Europe/Berlin') }, '2023-12-31T23:00:00.000Z'],
  ['2024-10-27 02:30:00', { ...style, zone: createZoneOffset('Europe/Berlin') }, '2024-10-27T00:30:00.000Z'],
  ['2024-03-31 02:30:00', { ...style, zone: createZoneOffset('Europe/Berlin') }, '2024-03-31T01:30:00.000Z'],
])('reads the date %s in a given form, order or time zone (F9)', (text, declared, at) => {
  expect(readDate(text, declared)).toEqual(at === undefined ? { kind: 'unreadable' } : { kind: 'at', moment: at });
});

const dated = (...dates: readonly string[]) => ({
  'list.csv': csv('Email,Status,Unsubscribed At', ...dates.map((date, i) => `p${i}@x.test,unsubscribed,${date}`)),
});

test('decides the order of day and month from all dates of a column (F9)', async () => {
  const list = await readList(dated('03/04/2024', '13/04/2024'));
  expect(list.contacts.map((contact) => contact.unsubscribed_at)).toEqual([
    '2024-04-03T00:00:00.000Z',
    '2024-04-13T00:00:00.000Z',
  ]);
  expect(list.trouble).toEqual([]);
});

test.each([
  ['no date shows whether the day or the month is first', ['03/04/2024', '05/06/2024']],
  ['some dates have the day first and others the month', ['03/04/2024', '13/04/2024', '04/13/2024']],
])('stops and offers --date-order when %s (F9)', async (_, dates) => {
  const stopped = await readList(dated(...dates));
  expect(stopped.finding('ambiguous_dates')).toMatchObject({
    level: 'stop',
    hint: '--date-order dmy',
  });
  const answered = await readList(dated(...dates), { dateOrder: 'dmy' });
  expect(answered.contacts[0]?.unsubscribed_at).toBe('2024-04-03T00:00:00.000Z');
  expect(answered.trouble).not.toContain('stop ambiguous_dates');
});

test('stops when a column mixes day-first and month-first dates (F9)', async () => {
  const list = await readList(dated('13/04/2024', '04/13/2024', '25/04/2024'));
  expect(list.finding('ambiguous_dates')).toMatchObject({
    level: 'stop',
    message: 'list.csv: the opt-out dates contradict each other: some are day first, some month first',
    examples: [{ line: 3, column: 'Unsubscribed At', value: '04/13/2024' }],
    total: 1,
  });
  const answered = await readList(dated('13/04/2024', '04/13/2024'), { dateOrder: 'dmy' });
  expect(answered.contacts.map((contact) => contact.unsubscribed_at)).toEqual(['2024-04-13T00:00:00.000Z', undefined]);
});

test('reads a suppression date in the day and month order of its column (F9)', async () => {
  const file = {
    'list.csv': csv('Email,Status,Unsubscribed At', 'a@x.test,bounced,03/04/2024', 'b@x.test,bounced,13/04/2024'),
  };
  const { people } = await readList(file);
  expect([...people.suppressions('bounced')].map(({ optOutDate }) => optOutDate)).toEqual([
    '2024-04-03T00:00:00.000Z',
    '2024-04-13T00:00:00.000Z',
  ]);
});

test('refuses an unknown --timezone as a usage error', () => {
  expect(() => createZoneOffset('Mars/Olympus')).toThrow(
    expect.objectContaining({ code: 'unknown_timezone', exit: 2 }),
  );
});

const HEADERS = {
  agreed:
    'doi_at|coi at|soi at|double opt at|single opt at|confirmed opt|opt in at|opted in at|optin|verified_at|email_verified|geverifieerd op|Confirmed|confirmation time|confermato il|bestätigt am|bestaetigt|bevestigd op|bekräftad|bekraeftet|potwierdzono|agreed|agrees|agree|agreement|accepted_at|approved at|validated on|consent date|permission date|Zustimmung am|zugestimmt am|Einwilligung vom|activated at|aktiviert am|freigeschaltet am|GDPR date|DSGVO am|RGPD|Subscribed at|Status date|Newsletter since',
  optedOut:
    'Unsubscribed at|Complaint date|Complained at|Spam complaint on|Bounce date|Hard bounced on|Suppressed at|Suppression date|Blocked at|Do not mail since|Opted in or out|Newsletter end|Deceased on|Paused on',
  unclear: 'Last visit|Birthday|Active since|Mail date|Created|Changed',
} as const;

test.each(['agreed', 'optedOut', 'unclear'] as const)(
  'recognizes each header of dates that mean "%s" (C11, C12)',
  (meaning) => {
    const headers = HEADERS[meaning].split('|');
    expect(headers.filter((header) => dateMeaning(header) !== meaning)).toEqual([]);
  },
);

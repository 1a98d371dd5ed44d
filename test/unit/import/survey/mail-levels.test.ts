import { expect, test } from 'vitest';
import { readHeader } from '../../../../src/import/consent-columns/headers/read-header.ts';
import { csv, readList } from '../support.ts';

const DEFAULT = { defaultStatus: { '*': 'subscribed' } };

/** Headers about the delivery of mail, or of goods. */
const DELIVERIES = ['Delivery', 'Mail delivery', 'List delivery'].flatMap((name) =>
  ['', ' mode', ' type', ' option', ' setting', ' frequency'].map((end) => `${name}${end}`),
);

async function warnings(header: string, good: string, bad: string) {
  const rows = [good, good, bad, good, good].map((cell, at) => `p${at}@x.test,${cell}`);
  const { finding } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) }, DEFAULT);
  return [finding('no_status')?.level, finding('unknown_status')?.level];
}

test.each<readonly [string, string, string]>([
  ...['status_id', 'statusID', 'subscription_status_id', 'email_status_id', 'consent_status_id', 'status_nr'].map(
    (header) => [header, '1', '4'] as const,
  ),
  ['email_level', 'always', 'never'],
  ['emails', 'all', 'never'],
  ['mail_level', '2', '0'],
  ['delivery', 'on', 'off'],
  ...DELIVERIES.map((header) => [header, 'each', 'none'] as const),
])('warns or asks the user about the column %s with %s and %s (C11)', async (header, good, bad) => {
  expect((await warnings(header, good, bad)).join('')).not.toBe('');
});

test.each([
  ['delivery', 'on time', 'late'],
  ...DELIVERIES.slice(0, 5).map((header) => [header, 'yes', 'no'] as [string, string, string]),
  ['Delivery type', 'express', 'standard'],
  ['Delivery date', '2024-01-02', '2024-01-03'],
  ['Mailing Country', 'DE', 'NO'],
  ['email_language', 'de', 'no'],
  ['Mailing city', 'Nice', 'Off'],
  ['level', '2', '0'],
  ['Email source', 'web', 'shop'],
  ['plan_id', '1', '4'],
  ['class level', 'A1', 'B2'],
])('does not warn about the column %s with %s and %s (C11)', async (header, good, bad) => {
  expect(await warnings(header, good, bad)).toEqual([undefined, undefined]);
});

test.each(['Mailstatus', 'Emailstatus', 'Newsletterstatus', 'Abostatus', 'Optinstatus', 'nyhetsbrevstatus'])(
  'reads the compound header %s as a mail status (C10)',
  (header) => {
    expect(readHeader(header)?.meaning).toBe('status');
    expect(readHeader(header)?.asksAboutUnknown).toBe(true);
  },
);

test.each(['Familienstatus', 'Versandstatus', 'Bestellstatus', 'Lieferstatus', 'Reisestatus', 'Gaststatus'])(
  'does not read the header %s as a mail status (C10)',
  (header) => {
    expect(readHeader(header)?.asksAboutUnknown ?? false).toBe(false);
  },
);

const UNTIL = ['2999-12-31', '2999-12-31 00:00:00', '31.12.2999', '12/31/2200', 'infinity', '-infinity'];

test.each(UNTIL)('reads %s in an opt-out date column as blank (C12)', async (cell) => {
  const rows = ['ana@x.test,active,2020-03-04', `bo@x.test,active,${cell}`, `cy@x.test,active,${cell}`];
  const { contacts } = await readList({ 'list.csv': csv('Email,Status,unsubscribed_at', ...rows) });
  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined, undefined]);
});

test.each(['noch aktiv', 'still active', 'toujours actif', 'not yet', 'still a member', 'ongoing'])(
  'asks the user about "%s" in an opt-out date column (C12)',
  async (cell) => {
    const rows = ['ana@x.test,2020-03-04', `bo@x.test,${cell}`];
    const { trouble } = await readList({ 'list.csv': csv('Email,unsubscribed_at', ...rows) });
    expect(trouble).toContain('stop unknown_status');
  },
);

test.each(['2024-12-31', '2099-12-31', '31.12.2023', 'still too many mails', 'moved away'])(
  'reads "%s" in an opt-out date column as an opt-out (C12)',
  async (cell) => {
    const rows = ['ana@x.test,2020-03-04', `bo@x.test,${cell}`];
    const { contacts } = await readList({ 'list.csv': csv('Email,unsubscribed_at', ...rows) }, DEFAULT);
    expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', 'unsubscribed']);
  },
);

test('does not warn about an opt-out date when there is no status column (C10)', async () => {
  const rows = ['ana@x.test,2020-03-04', 'bo@x.test,'];
  const { finding } = await readList({ 'list.csv': csv('Email,unsubscribed_at', ...rows) }, DEFAULT);
  expect(finding('unknown_status')).toBeUndefined();
});

test.each(['DateHeld', 'date_held', 'held_at'])('reads a date under %s as an opt-out (C10)', async (header) => {
  const rows = ['ana@x.test,Active,2020-03-04', 'bo@x.test,Active,'];
  const { contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
});

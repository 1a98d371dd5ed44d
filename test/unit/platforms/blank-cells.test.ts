import { expect, test } from 'vitest';
import { csvLine } from '../../../src/import/csv/quoting.ts';
import { readList } from '../import/support.ts';

/**
 * The columns of platforms that are filled only for people who left, or whose mail came back. The address
 * stands first in each row, and the cell of the column last.
 */
const COLUMNS: readonly (readonly [platform: string, header: string, cells: string])[] = [
  ['hubspot', 'Email,Record ID,Unsubscribed from all email,Email hard bounce reason', '1,false'],
  ['hubspot', 'Email,Record ID,Unsubscribed from all email,hs_email_hard_bounce_reason_enum', '1,false'],
  ['hubspot', 'Email,Datensatz-ID,Von allen E-Mails abgemeldet,Grund für Hard Bounce', '1,false'],
  ['hubspot', 'Email,Record ID,Unsubscribed from all email,Motif de mise en quarantaine', '1,false'],
  ['salesforce', 'Email,AccountId,OwnerId,HasOptedOutOfEmail,EmailBouncedReason', '1,2,false'],
  ['salesforce', 'Email,AccountId,OwnerId,HasOptedOutOfEmail,EmailBouncedDate', '1,2,false'],
  ['mailchimp', 'Email,MEMBER_RATING,LEID,EUID,UNSUB_TIME', '2,1,a'],
  ['mailchimp', 'Email,MEMBER_RATING,LEID,EUID,CLEAN_TIME', '2,1,a'],
  ['beehiiv', 'Email,subscriber_id,api_subscription_id,status,unsubscribed_at', '1,2,active'],
  ['mailerlite', 'Subscriber,Subscribed,Groups,Unsubscribed', '2020-01-01 10:00:00,g'],
  ['aweber', 'Email,Name 1,Add Method,Inactive Date', 'Ana,import'],
  ['omnisend', 'Email,Email status,Email opt-in date,Email opt-out date', 'subscribed,2020-01-01'],
  ['moosend', 'Email,SubscribeType,CreatedOn,UnsubscribedOn', 'Subscribed,2020-01-01'],
  ['buttondown', 'Email,type,creation_date,secondary_id,unsubscription_date', 'regular,2020-01-01,1'],
  ['zoho', 'Email,Contact Owner.id,Record Id,Email Opt Out,Unsubscribed Mode', '1,2,false'],
  ['zoho', 'Email,Contact Owner.id,Record Id,Email Opt Out,Unsubscribed Time', '1,2,false'],
  ['constant-contact', 'Email,Email permission status,Email update source,Confirmed Opt-Out Date', 'Express,import'],
];

/** What databases and other programs write for a blank. */
const BLANKS = [
  ...['', ' ', 'NULL', 'null', 'None', 'N/A', 'nan', 'NaT', '-', '—', '\\N', '(blank)', '""', '[]', 'undefined'],
  ...['0000-00-00', '0000-00-00 00:00:00', '0001-01-01T00:00:00Z', '1970-01-01 00:00:00', '1/0/1900', '0', '0.0'],
  ...['false', 'FALSE', 'no', 'No', 'n', 'nein', '-62135596800'],
];

/** Cells that say something. */
const FILLED = [
  ...['2024-02-03 04:05:06', '2024-02-03', '3 Feb 2024', '1700000000', 'true', 'yes', '1', '-1', 'x', '✓'],
  ...['Unknown user', '550 no such user', '5.1.1', 'no mailbox', 'none of these', '~~no~~', '❌', 'Other', 'na ja'],
  ...['2201-03-04 10:00:00', '04/03/2564', '00:00.0', '00000000-1234', '000012345678 campaign'],
];

test.each(COLUMNS)('takes no blank for an opt-out or a bounce: %s, %s (C6, C12)', async (platform, header, cells) => {
  const rows = [...BLANKS, ...FILLED].map((cell, index) =>
    csvLine([`p${index}@x.test`, ...cells.split(','), cell], ','),
  );
  const files = { 'list.csv': [header, ...rows].join('\n') };
  const list = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(list.reading.inputs[0]?.platform).toBe(platform);
  const subscribed = list.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
  expect(subscribed).toEqual(BLANKS.map((_, index) => `p${index}@x.test`));
});

test('suppresses no person when the reason of the bounce is NULL (C6)', async () => {
  const header = 'Record ID,Email,Unsubscribed from all email,Lifecycle Stage,Email hard bounce reason\n';
  const list = await readList({ 'list.csv': `${header}1,a@x.test,false,lead,NULL\n2,b@x.test,false,lead,NULL\n` });
  expect([list.suppressions, list.trouble, list.contacts.length]).toEqual([{}, [], 2]);
});

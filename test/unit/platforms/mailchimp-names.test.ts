import { expect, test } from 'vitest';
import { csv, readList } from '../import/support.ts';

const TEXT = csv('Email Address,MEMBER_RATING,LEID,EUID', 'ana@example.com,2,1,a');

test.each([
  ...['subscribed_members_export_0a1b2c3d4e.csv', 'subscribed_email_audience_export_1.csv', 'subscribed_export.csv'],
  ...['subscribed_segment_export_abcdefabcd.csv', '2024-05-06 subscribed_members_export_1.csv', 'subscribed.csv'],
  ...['mailchimp-subscribed_members_export_1.csv', 'Copy of subscribed.csv', 'subscribed (1).csv', 'subscribed.txt'],
  ...['subscribed_members_export_0a1b2c3d4e - Copy.csv', 'Kopie von subscribed_members_export_1.csv.gz'],
])('reads the people of the Mailchimp file %s as subscribed', async (name) => {
  const { contacts, trouble } = await readList({ [name]: TEXT });
  expect([contacts.map(({ email, status }) => [email, status]), trouble]).toEqual([
    [['ana@example.com', undefined]],
    [],
  ]);
});

test.each([
  ...['un-subscribed_members_export_abc.csv', 'un_subscribed_export.csv', 'un.subscribed_export_1.csv'],
  ...['un subscribed_members_export_1.csv', 'ex-subscribed.csv', 'lapsed_subscribed.csv', 'archive subscribed.csv'],
  ...['subscribed_old.csv', 'subscribed until 2020.csv', 'subscribed.old.csv', 'subscribed_no_more.csv'],
  ...['subscribed_members_export_old.csv', 'subscribed_members_export_1_left.csv', 'not.subscribed_export.csv'],
  ...['de-subscribed.csv', 'de_subscribed_export_1.csv', 'DE subscribed (1).csv', 'mailchimp de-subscribed.csv'],
  ...['von subscribed.csv', 'of subscribed.csv', 'copy of de-subscribed.csv', 'copy-de-de-subscribed.csv'],
  ...['no longer subscribed_members_export_1.csv', 'subscribed-but-bounced.csv', 'formerly-subscribed_export.csv'],
])('asks the user about the people of the file %s (C4)', async (name) => {
  const { contacts, finding } = await readList({ [name]: TEXT });
  expect([contacts, finding('no_status')?.level]).toEqual([[], 'stop']);
});

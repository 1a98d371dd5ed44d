import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

// Replies of mail servers in columns about something else, and texts that only look like such replies.

test.each([
  ...['550 5.1.1', '(550 5.1.1)', '554: 5.7.1 refused', 'smtp; 550 5.1.1 user unknown', '521 5.1.2 address rejected'],
  ...['host mx.x.test said: 550 5.1.1 <a@x.test>: Recipient address rejected', '550 12 no such user'],
  ...['Bounce: 550 5.1.1', 'Undelivered, 550-5.2.1 closed', 'we got 550 5.1.1 user unknown', 'SMTP 551 5.1.6 moved'],
  ...['550 <a@x.test>: Recipient address rejected', '550 Sorry, no such user', '550-The account does not exist'],
  ...['550 Requested action not taken: mailbox unavailable', '550 This user account is disabled'],
])('skips a person with the reply %s in any column (C10)', async (reply) => {
  for (const header of ['Zusatz', 'Message', 'Company', 'Last name']) {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,Rome', `b@x.test,active,"${reply}"`) };
    const { contacts, trouble } = await readList(files);
    expect([header, trouble, contacts.map(({ email }) => email)]).toEqual([header, [], ['a@x.test']]);
  }
});

test.each([
  ...['Order 512 - 5.3.21', 'Firmware 520 5.1.2', '520 5.1.2', 'Rev. 550 5.1.2', 'Bob (550 5.1.1)'],
  ...['550 Elm St - address unknown', '551 Oak Road, invalid address', '550 Park Ave: recipient unknown'],
])('asks about %s instead of skipping the person (C10)', async (text) => {
  for (const header of ['Extra', 'Notes', 'Address', 'Product', 'Last name', 'Reason']) {
    for (const before of ['Rome', '550 5.1.1 user unknown']) {
      const rows = [`a@x.test,active,${before}`, 'b@x.test,active,', 'c@x.test,active,likes cats'];
      const files = { 'list.csv': csv(`Email,Status,${header}`, ...rows, `d@x.test,active,"${text}"`) };
      const { finding, contacts } = await readList(files);
      expect([header, JSON.stringify(finding('unknown_status')).includes(text)]).toEqual([header, true]);
      expect(contacts.map(({ email }) => email)).not.toContain('d@x.test');
    }
  }
});

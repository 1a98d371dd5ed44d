import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { csv, readList } from '../../support.ts';

// Replies of mail servers in columns about something else, and texts that only look like such replies.

test.each([
  ...['550 5.1.1', '(550 5.1.1)', '554: 5.7.1 refused', 'smtp; 550 5.1.1 user unknown', '521 5.1.2 address rejected'],
  ...['host mx.x.test said: 550 5.1.1 <a@x.test>: Recipient address rejected', '550 12 no such user'],
  ...['Bounce: 550 5.1.1', 'Undelivered, 550-5.2.1 closed', 'we got 550 5.1.1 user unknown', 'SMTP 551 5.1.6 moved'],
  ...['550 <a@x.test>: Recipient address rejected', '550 Sorry, no such user', '550-The account does not exist'],
  ...['550 Requested action not taken: mailbox unavailable', '550 This user account is disabled', 'Bob (550 5.1.1)'],
  ...['Delivery failed: 550 5.1.1', 'Zustellung fehlgeschlagen: 550 5.1.1', 'Permanent failure 550 5.1.1'],
  ...["Remote server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound'", 'Error 550 5.1.1', 'Fehler 550 5.1.1'],
  ...['Erreur 550 5.1.1', 'Errore 550 5.1.1', 'Błąd 550 5.1.1', 'エラー 550 5.1.1', 'failed 550 5.1.1'],
  ...['2024-01-05 550 5.1.1', '#5.1.1 550 5.1.1', 'Gmail: 550 5.1.1', 'outlook.com 550 5.5.0', 'Hotmail 554-5.7.1'],
  ...['Delivery failed: 521 5.1.1', '521 5.7.1 Service unavailable', '500 5.5.1 Command unrecognized'],
  ...['550 a@x.test User unknown', '550 RCPT TO user unknown', '550 Host rejected, no such user'],
  ...['550 Permanent failure for one or more recipients (mailbox unknown)', '550 address a@x.test invalid address'],
  ...['550 Message rejected, recipient unknown', '553 sorry, no mailbox here by that name (account unknown)'],
  ...['550 relaying denied, invalid recipient', 'Order mail failed: 550 5.1.1'],
])('skips a person with the reply %s in any column (C10)', async (reply) => {
  for (const header of ['Zusatz', 'Message', 'Company', 'Last name']) {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,Rome', `b@x.test,active,"${reply}"`) };
    const { contacts, trouble } = await readList(files);
    expect([header, trouble, contacts.map(({ email }) => email)]).toEqual([header, [], ['a@x.test']]);
  }
});

test.each([
  ...['Order 512 - 5.3.21', 'Firmware 520 5.1.2', '520 5.1.2', 'Rev. 550 5.1.2', 'Order no. 550 5.1.2'],
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

const ANSWERS = ['Notes:*', '*', 'list.csv:Notes:*', 'list.csv:*'];

test.each(['Order 512 - 5.3.21', 'Firmware 520 5.1.2', '550 Elm St - address unknown', 'Delivery failed: 550 5.1.1'])(
  'skips a person with %s until an answer names this text (C1)',
  async (text) => {
    const read = async (answers: Readonly<Record<string, string>>, header = 'Email,Notes') => {
      const rows = [`a@x.test,"${text}"`, 'b@x.test,likes wine', 'c@x.test,not interested'];
      const files = { 'list.csv': csv(header, ...rows) };
      const { contacts } = await readList(files, { defaultStatus: { '*': 'subscribed' }, statusMap: answers });
      return contacts.map(({ email }) => email);
    };
    for (const all of ANSWERS) {
      expect([all, await read({ [all]: 'subscribed' })]).toEqual([all, ['b@x.test', 'c@x.test']]);
    }
    for (const header of ['Email,Reason', 'Email,Extra', 'Email,Newsletter', 'Email,State', 'Email,SMTP error']) {
      expect([header, ...(await read({ '*': 'subscribed' }, header))]).not.toContain('a@x.test');
    }
    expect(await read({ 'Notes:*': 'subscribed', [`Notes:${text}`]: 'subscribed' })).toContain('a@x.test');
  },
);

test('the answer offered for all notes covers a note like an SMTP reply (C1)', async () => {
  const files = { 'list.csv': csv('Email,Status,Notes', 'a@x.test,active,Order 512 - 5.3.21', 'b@x.test,active,') };
  const { finding } = await readList(files);
  const flags = finding('unknown_status')?.otherwise?.at(-1)?.flags ?? '';
  const statusMap = Object.fromEntries(
    splitShellText(flags)
      .filter((part) => part.startsWith('Notes:'))
      .map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)]),
  );
  const { trouble, contacts } = await readList(files, { statusMap });
  expect([trouble, contacts.map(({ email }) => email)]).toEqual([[], ['a@x.test', 'b@x.test']]);
});

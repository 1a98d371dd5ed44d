import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

function read(header: string, ...cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: cells.map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

/** Tags and notes that refuse text messages or calls, but not email. */
const OTHER_CHANNELS =
  'sms-optout|SMS opt-out|sms_unsubscribed|unsubscribed-sms|unsubscribed from SMS|opted out of SMS|optout-sms|phone-optout|whatsapp-optout|push-unsubscribed|call-blocked|no-sms|telefon-abgemeldet|vip, sms-optout';

/** Tags and notes about email, although they name another channel. */
const ABOUT_EMAIL =
  'sms-optout, unsubscribed|sms-optout,email-optout|unsubscribed by phone|unsubscribed from SMS and email|called, wants to be unsubscribed|unsubscribed';

test.each(OTHER_CHANNELS.split('|'))('keeps a person with the tag or note %s subscribed (C5, C10)', (text) => {
  expect([read('Tags', text), read('Notes', text)]).toEqual([['-'], ['-']]);
});

test.each(ABOUT_EMAIL.split('|'))('does not subscribe a person with the tag or note %s (C10)', (text) => {
  for (const header of ['Tags', 'Notes']) {
    expect([header, ['unsubscribed', 'refused'].includes(String(read(header, text)[0]))]).toEqual([header, true]);
  }
});

test.each(['post-optout', 'print-unsubscribed', 'opted out of direct mail'])(
  'asks the user about the tag %s, because post may be email (C10)',
  (tag) => {
    expect(read('Tags', tag)).toEqual(['refused']);
  },
);

/** Headers that name a complaint, bounce or opt-out together with something that is not email. */
const OTHER_THINGS =
  'Complaints (product)|Product complaints|Customer complaints|Service complaint|Delivery complaint|Beschwerden (Produkt)|Returned mail (post)|Postal mail returned|Returned mail (letters)|Bounced cheque|Bounced payment|Blocked (card)|Bounce house rental|Catalogue opt-out|Opt-out (print catalogue)|Cookie opt-out|Tracking opt-out|Analytics opt-out|Direct mail opt-out';

test.each(OTHER_THINGS.split('|'))('asks the user about a yes, but not a no or blank, under %s (C6, C10)', (header) => {
  expect(read(header, 'yes', 'no', '')).toEqual(['refused', '-', '-']);
});

test.each([
  ['Email complaints', 'complained'],
  ['Spam complaints', 'complained'],
  ['Complaints', 'complained'],
  ['Email bounced', 'bounced'],
  ['Customer unsubscribed', 'unsubscribed'],
  ['Newsletter opt-out', 'unsubscribed'],
  ['Unsubscribed from product newsletter', 'unsubscribed'],
])('reads a yes under %s as %s (C10)', (header, meaning) => {
  expect(read(header, 'yes')).toEqual([meaning]);
});

test.each([
  ['Complaints (product)', 'broken zip', 'refused'],
  ['Complaint reason', 'late delivery', 'asked'],
  ['Complaint reason', 'spam', 'complained'],
  ['Complaint date', '2024-01-01', 'complained'],
  ['Status', 'complaint (product)', 'asked'],
  ['Status', 'sms-unsubscribed', 'asked'],
])('distinguishes other complaints from spam: under %s, %s is %s (C6)', (header, cell, meaning) => {
  expect(read(header, cell, 'active').slice(0, 1)).toEqual([meaning]);
});

/** JSON cells whose keys say nothing, and their meaning under an opt-out, the date of one, a complaint and a bounce. */
test.each([
  ['{"reason":"too many"}', 'asked', 'unsubscribed', 'asked', 'asked'],
  ['{"product":"late delivery"}', 'asked', 'unsubscribed', 'asked', 'asked'],
  ['[{"note":"asked by phone"}]', 'asked', 'unsubscribed', 'asked', 'asked'],
  ['{"at":"2024-01-01","reason":"x"}', 'unsubscribed', 'unsubscribed', 'complained', 'skipped bounced'],
  ['{"reason":"none","opted_out":false}', 'subscribed', '-', '-', '-'],
  ['{"reason":"too many","sms":false}', 'asked', 'unsubscribed', 'asked', 'asked'],
  ['{"sms":"unsubscribed"}', '-', '-', '-', '-'],
  ['{"reason":null}', '-', '-', '-', '-'],
  ['{"reason":" "}', '-', '-', '-', '-'],
  ['{}', '-', '-', '-', '-'],
])('ignores blank fields of the JSON cell %s, and reads the others (C6, C10)', (cell, ...meanings) => {
  const headers = ['Opted out', 'Unsubscribed at', 'Complaint date', 'Bounced'];
  expect(headers.map((header) => read(header, cell)[0])).toEqual(meanings);
});

/** JSON cells, their meaning in a column `Consent`, and their meaning in a column `Settings`. */
test.each([
  ['{"email":false}', 'refused', 'refused'],
  ['{"email":0}', 'refused', 'refused'],
  ['{"email":"no","sms":"yes"}', 'refused', 'refused'],
  ['{"email":false,"sms":true}', 'refused', 'refused'],
  ['{"email":{"marketing":false}}', 'refused', 'refused'],
  ['{"newsletter":false}', 'refused', 'refused'],
  ['{"email":null}', 'asked', '-'],
  ['{"sms":true}', 'asked', '-'],
  ['{"sms":true,"post":true}', 'asked', '-'],
  ['{"email":true,"sms":false}', 'agrees', '-'],
  ['{"email":{"consent":"SUBSCRIBED"},"sms":{"consent":"UNSUBSCRIBED"}}', 'subscribed', 'subscribed'],
  ['{"email":{"consent":"UNSUBSCRIBED"},"sms":{"consent":"SUBSCRIBED"}}', 'unsubscribed', 'unsubscribed'],
])('reads %s as %s under Consent and as %s under Settings (C10)', (cell, consent, settings) => {
  expect([read('Consent', cell)[0], read('Settings', cell)[0]]).toEqual([consent, settings]);
});

test('suppresses no person for an SMS tag or a product complaint (C5, C6)', async () => {
  const tags = await readList({ 'list.csv': 'Email,Status,Tags\nana@x.test,active,sms-optout\n' });
  expect([tags.contacts.map(({ status = 'subscribed' }) => status), tags.trouble]).toEqual([['subscribed'], []]);
  const complaints = 'Email,Status,Complaints (product)\nana@x.test,active,2\nben@x.test,active,\n';
  const asked = await readList({ 'list.csv': complaints });
  expect(asked.trouble).toEqual(['stop unknown_status']);
  const answers = { statusMap: { 'Complaints (product):2': 'subscribed' } };
  const answered = await readList({ 'list.csv': complaints }, answers);
  expect([answered.contacts.length, answered.suppressions]).toEqual([2, {}]);
});

test.each([
  'Unsubscribed (clicked link)',
  'Unsubscribed via link',
  'Abgemeldet per Link',
  'Opted out on landing page',
  'Unsubscribe page',
  'Unsubscribed by phone',
  'Abgemeldet per Telefon',
  'Désinscrit par téléphone',
  'Unsubscribed by post',
  'Unsubscribed over the phone',
  'Abgemeldet telefonisch am',
  'Widerruf per Brief',
])('asks about a yes under %s, which may mean an opt-out (C10)', async (header) => {
  for (const yes of ['x', 'yes', '1', '2024-01-02']) {
    const rows = [`left@x.test,active,${yes}`, 'a@x.test,active,', 'b@x.test,active,'];
    const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect([finding('unknown_status')?.level, contacts.map(({ email }) => email)]).toEqual([
      'stop',
      ['a@x.test', 'b@x.test'],
    ]);
  }
});

test.each([
  ['Unsubscribed by phone', ['yes (called)', 'x']],
  ['Abgemeldet per Telefon', ['Frau Meier', 'Frau Meier']],
  ['Unsubscribed by post', ['yes', 'letter of 3 May']],
  ['Unsubscribed (clicked link)', ['yes', 'footer']],
])('asks about the column %s when some of its cells are texts: %j (C10)', async (header, cells) => {
  const rows = cells.map((cell, row) => `left${row}@x.test,active,${cell}`);
  const { contacts, finding } = await readList({
    'list.csv': csv(`Email,Status,${header}`, ...rows, 'a@x.test,active,'),
  });
  expect(finding('unknown_status')?.level).toBe('stop');
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test']);
});

test.each([
  ['Unsubscribe link', 'https://x.test/u/1'],
  ['Unsubscribe token', 'a8f3e1'],
  ['Opt-out key', '17'],
  ['Opt-out by SMS', 'yes'],
  ['Do not contact by phone', 'yes'],
  ['Unsubscribed phone', 'yes'],
  ['Unsubscribed from SMS', 'yes'],
])('asks nothing about the column %s with %s (C10)', async (header, cell) => {
  const { contacts, finding } = await readList({
    'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${cell}`),
  });
  expect([finding('unknown_status'), contacts.length]).toEqual([undefined, 1]);
});

test.each([
  ['Churn reason', 'too expensive'],
  ['Deactivation reason', 'user request'],
  ['Austrittsgrund', 'Umzug'],
  ['Grund der Kündigung', 'zu teuer'],
  ['Motif de départ', 'déménagement'],
  ['Motivo de cancelación', 'mudanza'],
  ['Reden van vertrek', 'verhuisd'],
  ['Orsak till utträde', 'flyttat'],
])('asks about a text under %s, which may be the reason of an opt-out (C10)', async (header, reason) => {
  const files = {
    'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,', `left@x.test,active,${reason}`),
  };
  const { contacts, finding } = await readList(files);
  expect(finding('unknown_status')?.message).toContain(`"${reason}" (1)`);
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  expect((await pasteHints(files))?.contacts).toEqual([{ email: 'a@x.test' }]);
});

test.each(['Closed lost reason', 'Return reason', 'Reason for visit', 'Anmeldegrund', 'Motivo de contacto'])(
  'asks nothing about a text under %s (C10)',
  async (header) => {
    const { trouble } = await readList({ 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,other') });
    expect(trouble).not.toContain('stop unknown_status');
  },
);

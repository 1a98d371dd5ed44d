import { expect, test } from 'vitest';
import { csv, readList } from './support.ts';

const PEOPLE = csv('Email,Status', 'ana@x.test,active', 'bo@x.test,active');
const GONE = csv('Email', 'ANA@x.test');

test.each([
  ['unsubscribed.csv', 'unsubscribed'],
  ['bounces.csv', 'bounced'],
  ['spam complaints.csv', 'complained'],
  ['suppressions.csv', 'suppressed'],
  ['inactive.csv', 'skip'],
  ['non-subscribed.csv', 'skip'],
  ['Never subscribed.csv', 'skip'],
  ['archived contacts.csv', 'skip'],
  ['unconfirmed.csv', 'pending'],
  ['blacklist.csv', 'suppressed'],
  ['do_not_contact.csv', 'suppressed'],
  ['opted-out.csv', 'unsubscribed'],
  ['Opted Out.csv', 'unsubscribed'],
  ['cancelled.csv', 'unsubscribed'],
  ['Abgemeldete.csv', 'unsubscribed'],
  ['de\u0301sabonne\u0301s.csv', 'unsubscribed'],
  ['complained.csv', 'complained'],
  ['exclusions.csv', 'suppressed'],
  ['removed.csv', 'unsubscribed'],
  ['dead.csv', 'bounced'],
  ['rücklaeufer.csv', 'bounced'],
  ['Robinsonliste.csv', 'suppressed'],
  ['DNC.csv', 'suppressed'],
  ['DND.csv', 'suppressed'],
  ['Widersprüche.csv', 'unsubscribed'],
  ['gone.csv', 'unsubscribed'],
  ['left.csv', 'unsubscribed'],
  ['STOP.csv', 'unsubscribed'],
  ['Kuendigungen.csv', 'unsubscribed'],
  ['수신거부.csv', 'unsubscribed'],
])(
  'stops for %s beside a list with states until it is answered, because both may name the same people (C4 C7)',
  async (name, state) => {
    const files = { 'people.csv': PEOPLE, [name]: GONE };
    const asked = await readList(files);
    expect(asked.finding('no_status')).toMatchObject({
      level: 'stop',
      message: expect.stringMatching(/(?:has|have) no status, and its name says that these people left$/),
      hint: expect.stringContaining(`${name}=${state}`),
      total: 1,
    });
    const general = await readList(files, { defaultStatus: { '*': 'subscribed' } });
    expect(general.trouble).toContain('stop no_status');
    const answered = await readList(files, { defaultStatus: { [name]: state } });
    expect(answered.trouble).not.toContain('stop no_status');
    const named = await readList(files, { defaultStatus: { [name]: 'subscribed' } });
    expect([named.trouble.includes('stop no_status'), named.contacts.length]).toEqual([false, 2]);
  },
);

test.each([
  ['a line above the header', 'Unsubscribed contacts as of 2024-05-01\n\nEmail,Name\na@x.test,Ana', 'unsubscribed'],
  ['a line above the header in German', 'Abgemeldete Empfänger\nE-Mail;Name\na@x.test;Ana', 'unsubscribed'],
  ['a remark above the header', '# bounced addresses\nEmail,Name\na@x.test,Ana', 'bounced'],
  ['the header of the addresses', 'Unsubscribed emails\na@x.test', 'unsubscribed'],
  ['the header of the addresses in several columns', 'Bounced email addresses,Name\na@x.test,Ana', 'bounced'],
])('asks about a list if %s says that its people opted out (C4)', async (_, text, state) => {
  const files = { 'list.csv': `${text}\n` };
  const asked = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
    [],
    { level: 'stop', hint: `--default-status list.csv=${state}`, when: 'If these people left' },
  ]);
  const named = await readList(files, { defaultStatus: { 'list.csv': 'subscribed' } });
  expect(named.contacts).toHaveLength(1);
});

test('names an input by its path if another one has the same name (C4 C11)', async () => {
  const files = { 'x.zip/Unsubscribed/list.csv': GONE, 'x.zip/Active/list.csv': csv('Email', 'bo@x.test') };
  const asked = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(asked.finding('no_status')?.hint).toBe('--default-status Unsubscribed/list.csv=unsubscribed');
  const answered = await readList(files, {
    defaultStatus: { '*': 'subscribed', 'Unsubscribed/list.csv': 'unsubscribed' },
  });
  expect(answered.contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
});

test.each([
  [
    'a long text',
    `"${'When you export your connections, some may be missing because they left. '.repeat(2)}"\nEmail,Name`,
  ],
  ['a title that says nothing', 'Contacts of 2024\nEmail,Name'],
  ['a line of several cells', 'Unsubscribed: 3,Active: 1\nEmail,Name'],
])('does not take %s above the header for the title of an opt-out list (C4)', async (_, head) => {
  const list = await readList({ 'list.csv': `${head}\na@x.test,Ana\n` }, { defaultStatus: { '*': 'subscribed' } });
  expect(list.contacts).toHaveLength(1);
});

test('asks about subscribed rows in a list that is named as an opt-out list (C10 C4)', async () => {
  const files = { 'unsubscribed_contacts.csv': PEOPLE };
  const asked = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
    [],
    {
      level: 'stop',
      message: expect.stringMatching(/2 rows of .* say subscribed .*, and its name says that these people left$/),
      hint: '--default-status unsubscribed_contacts.csv=unsubscribed',
      otherwise: [{ flags: '--default-status unsubscribed_contacts.csv=subscribed' }],
    },
  ]);
  const statuses = async (state: string) => {
    const { contacts } = await readList(files, { defaultStatus: { 'unsubscribed_contacts.csv': state } });
    return contacts.map(({ status }) => status);
  };
  expect(await statuses('unsubscribed')).toEqual(['unsubscribed', 'unsubscribed']);
  expect(await statuses('subscribed')).toEqual([undefined, undefined]);
});

test('asks about an input without any state, even if all its people are subscribed in another input (C4 C7)', async () => {
  const files = { 'people.csv': PEOPLE, 'more.csv': GONE };
  const asked = await readList(files);
  expect(asked.finding('no_status')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining('its people may have left, although other inputs say that they are subscribed'),
    hint: '--default-status more.csv=unsubscribed',
    otherwise: [{ flags: '--default-status more.csv=skip' }, { flags: '--default-status more.csv=subscribed' }],
    total: 1,
  });
  const statuses = async (state: string) => {
    const { trouble, contacts } = await readList(files, { defaultStatus: { 'more.csv': state } });
    return [trouble, contacts.map(({ status }) => status)];
  };
  expect(await statuses('unsubscribed')).toEqual([['warn duplicates'], ['unsubscribed', undefined]]);
  expect(await statuses('skip')).toEqual([['warn duplicates'], [undefined, undefined]]);
});

test.each([
  ['sendgrid', 'list.csv', csv('status,reason,email,created', '5.1.1,x,ana@x.test,1700000000')],
  ['mailgun', 'mailgun.csv', csv('address,created_at', 'ana@x.test,')],
])(
  'subscribes no person of an opt-out list of %s because of a default status for all inputs (C4 C6)',
  async (_, name, text) => {
    const general = { '*': 'subscribed' };
    const list = await readList({ 'people.csv': csv('Email', 'bo@x.test'), [name]: text }, { defaultStatus: general });
    expect([list.trouble, list.contacts]).toEqual([['stop no_status'], [{ email: 'bo@x.test' }]]);
    const answered = await readList({ [name]: text }, { defaultStatus: { ...general, [name]: 'bounced' } });
    expect([answered.trouble, answered.suppressions]).toEqual([[], { bounced: ['ana@x.test'] }]);
  },
);

test('reads the folder name in an archive as the name of its lists (C4 C7)', async () => {
  const list = await readList({ 'x.zip/all/list.csv': PEOPLE, 'x.zip/unsubscribers/list.csv': GONE });
  expect(list.trouble).toContain('stop no_status');
});

test.each([
  ['bounces.csv', 'bounced', ['active.csv'], 'unsubscribed'],
  ['complaints.csv', 'complained', ['active.csv'], 'unsubscribed'],
  ['blocklist.csv', 'suppressed', [], 'skip'],
])('offers no suppression first for %s when its rows say active (C11)', async (name, named, others, first) => {
  const files = Object.fromEntries([name, ...others].map((file) => [file, PEOPLE]));
  const { finding } = await readList(files);
  expect(finding('no_status')).toMatchObject({
    hint: `--default-status ${name}=${first}`,
    otherwise: [{ flags: `--default-status ${name}=${named}` }, { flags: `--default-status ${name}=subscribed` }],
  });
});

const MAILCHIMP = csv('Email Address,MEMBER_RATING,LEID,EUID', 'a@x.test,2,1,a');

test.each([
  ['a list without a state', csv('Email', 'a@x.test')],
  ['a list of active people', csv('Email,Status', 'a@x.test,active')],
  ['columns of Mailchimp', MAILCHIMP],
])('suppresses no person for the name cleaned-list-2024.csv of %s (C11)', async (_, text) => {
  const { suppressions, finding } = await readList({ 'cleaned-list-2024.csv': text });
  expect([suppressions, finding('no_status')]).toMatchObject([
    {},
    {
      level: 'stop',
      hint: '--default-status cleaned-list-2024.csv=skip',
      otherwise: [{ flags: '--default-status cleaned-list-2024.csv=subscribed' }],
    },
  ]);
});

test.each([
  ['cleaned_email_audience_export_0a1b2c3d4e.csv', MAILCHIMP],
  ['cleaned.csv', csv('Email Address,MEMBER_RATING,LEID,EUID,CLEAN_TIME', 'a@x.test,2,1,a,2024-01-02 03:04:05')],
])('suppresses the cleaned people of the Mailchimp export %s (C6)', async (name, text) => {
  const { suppressions, trouble } = await readList({ [name]: text });
  expect([suppressions, trouble]).toEqual([{ bounced: ['a@x.test'] }, []]);
});

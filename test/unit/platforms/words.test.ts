import { expect, test } from 'vitest';
import { csvLine } from '../../../src/import/csv/quoting.ts';
import { csv, readList } from '../import/support.ts';

// One person for each status word, and the outcome: subscribed, unsubscribed, suppressed, skipped, or a stop.
const CASES: readonly (readonly [platform: string, header: string, row: string, outcome: string])[] = [
  ['kit', 'email,status', 'cold', 'subscribed'],
  ['kit', 'email,status', 'Inactive', 'skipped pending'],
  ['kit', 'email,status', 'CANCELLED', 'unsubscribed'],
  ['kit', 'email,status', 'subscribed', 'stop unknown_status'],
  ['beehiiv', 'email,status', 'needs_attention', 'skipped pending'],
  ['beehiiv', 'email,status', 'needs attention', 'skipped pending'],
  ['mailerlite', 'email,status', 'spam', 'suppressed complained'],
  ['constant-contact', 'email,Email status', 'Removed', 'skipped removed'],
  ['constant-contact', 'Email address,Email status,Email permission status', 'Active,Express', 'subscribed'],
  ['constant-contact', 'Email address,Email status,Email permission status', 'Active,On hold', 'skipped no_consent'],
  [
    'constant-contact',
    'Email address,Email status,Email permission status',
    'Active,Temporary hold',
    'skipped no_consent',
  ],
  ['drip', 'email,status', 'removed', 'unsubscribed'],
  ['aweber', 'email,Status', 'Subscribed', 'subscribed'],
  ['sendy', 'email,Status', 'Soft bounced', 'subscribed'],
  ['activecampaign', 'Email,Status', '-1', 'stop unknown_status'],
  ['activecampaign', 'Email,Status', '❌ Active', 'stop unknown_status'],
  ['activecampaign', 'Email,Status', '/', 'stop unknown_status'],
  ['activecampaign', 'Email,Status', '\uf0fc', 'stop unknown_status'],
  ['moosend', 'Email,SubscribeType', '-1', 'stop unknown_status'],
  ['patreon', 'Email,Patron Status', 'Active patron', 'stop no_status'],
  ['patreon', 'Email,Patron Status', 'Declined patron', 'stop no_status'],
  ['patreon', 'Email,Patron Status', 'Former patron', 'stop unknown_status'],
  ['listmonk', 'email,status', 'enabled', 'stop no_status'],
  ['ghost', 'email,subscribed_to_emails', 'maybe', 'stop unknown_status'],
  ['brevo', 'EMAIL,EMAIL_BLACKLISTED', 'Yes', 'suppressed unsubscribed'],
  ['brevo', 'EMAIL,EMAIL_BLACKLISTED', '', 'stop no_status'],
  ['hubspot', 'Email,Unsubscribed from all email', 'True', 'suppressed unsubscribed'],
  ['hubspot', 'Email,hs_email_optout_12', 'true', 'unsubscribed'],
  ['hubspot', 'Email,Unsubscribed from all email', 'perhaps', 'stop unknown_status'],
  ['hubspot', 'Email,City', 'Kassel', 'stop no_status'],
  ['klaviyo', 'Email,Email Suppressions', '"[""USER_SUPPRESSED"",""SPAM_COMPLAINT""]"', 'suppressed complained'],
  ['klaviyo', 'Email,Email Suppressions', 'NEW_REASON', 'stop unknown_status'],
  ['klaviyo', 'Email,Email Marketing Consent', 'NEVER_SUBSCRIBED', 'skipped no_consent'],
  ['mailgun', 'address,tags,created_at', '"[""news"",""*""]",', 'suppressed unsubscribed'],
  ['postmark', 'EmailAddress,SuppressionReason,Origin', 'ManualSuppression,Admin', 'suppressed unsubscribed'],
  ['generic', 'Email,Status', 'Opt-Out', 'unsubscribed'],
  ['generic', 'Email,Status', 'hard_bounce', 'suppressed bounced'],
  ['generic', 'Email,Status', 'vip', 'stop unknown_status'],
  ['generic', 'Email,Unsubscribed', 'yes', 'unsubscribed'],
  ['generic', 'Email,Unsubscribed', 'false', 'subscribed'],
  ['generic', 'Email,Reason', 'provider_suppressed', 'suppressed unsubscribed'],
  ['generic', 'Email,Status', 'provider_suppressed', 'suppressed unsubscribed'],
  ['generic', 'Email,Reason', 'hard_bounce', 'suppressed bounced'],
  ['generic', 'Email,Unsubscribed At', '2024-01-01', 'unsubscribed'],
];

test.each(CASES)(
  'reads a %s export with the columns %s: %j is %s (C4, C6, S2)',
  async (platform, header, row, outcome) => {
    const list = await readList({ 'list.csv': csv(header, `ana@example.com,${row}`) }, { from: platform });
    expect(outcomeOf(list)).toBe(outcome);
  },
);

// A person can be suppressed and subscribed at once, so any sign of a suppression counts.
test.each([
  ...['', 'NULL', 'null', '[]', '{}', '[null]', '[""]', 'false', 'No', '0'].map((cell) => [cell, 'subscribed']),
  ...['true', 'TRUE', '1', 'yes', 'x', '✓', '2023-05-01', '1700000000'].map((cell) => [cell, 'stop unknown_status']),
  ...['["2023-05-01T10:00:00Z"]', '[1700000000]', '[true]', '[{}, 1]'].map((cell) => [cell, 'stop unknown_status']),
  ...[
    'HARD_BOUNCE',
    '["HARD_BOUNCE"]',
    '{"HARD_BOUNCE":true}',
    '[{"reason":"HARD_BOUNCE","at":"2023-05-01T10:00:00Z"}]',
  ].map((cell) => [cell, 'suppressed bounced']),
])('reads the cell %s of Email Suppressions as %s (C4, C7)', async (cell = '', outcome) => {
  const row = csvLine(['ana@example.com', 'A1', 'SUBSCRIBED', cell], ',');
  const list = await readList({ 'list.csv': csv('Email,Klaviyo ID,Email Marketing Consent,Email Suppressions', row) });
  expect(outcomeOf(list)).toBe(outcome);
});

test.each([
  ...[
    '',
    'NULL',
    '{}',
    '{"topics":{}}',
    '{"topics":{"a":true}}',
    "{'topics': {'a': True}}",
    '{"topics":{"a":"True"}}',
  ].map((cell) => [cell, 'subscribed']),
  ...[
    '{"topics":{"a":false}}',
    "{'topics': {'a': False, 'b': False}}",
    '{"topics":{"a":"false"}}',
    '{"a":"FALSE"}',
  ].map((cell) => [cell, 'unsubscribed']),
  ...['{"topics":{"a":0}}', '{"topics":{"a":"no"}}', '{"topics":{"a":null}}', '{"topics":{"a":[1]}}'].map((cell) => [
    cell,
    'stop unknown_status',
  ]),
  ...["{'a': True, 'b': False}", '{"a":true,"b":"false"}', '{"topics":{"a":fals', 'false', '0', 'none of them'].map(
    (cell) => [cell, 'stop unknown_status'],
  ),
])('reads the cell %s of cio_subscription_preferences as %s (C4, C10)', async (cell = '', outcome) => {
  const row = csvLine(['1', 'ana@example.com', 'false', cell], ',');
  const list = await readList({ 'list.csv': csv('cio_id,email,unsubscribed,cio_subscription_preferences', row) });
  expect(outcomeOf(list)).toBe(outcome);
});

const KIT = 'first_name,email,created_at,status';
const KIT_STATE = 'first_name,email_address,state,created_at,tags';
const KIT_CASES: readonly (readonly [header: string, rows: readonly string[], people: readonly string[]])[] = [
  [`${KIT},state`, ['active,CA', 'active,', 'cancelled,NY'], ['p0', 'p1', 'p2 unsubscribed']],
  [`${KIT},State`, ['active,active', 'active,cancelled'], ['p0', 'p1 unsubscribed']],
  [`${KIT},state`, ['active,', 'active,cancelled', 'cancelled,active'], ['p0', 'p1 unsubscribed', 'p2 unsubscribed']],
  [KIT, ['active', 'cancelled'], ['p0', 'p1 unsubscribed']],
];
const KIT_STATE_CASES: typeof KIT_CASES = [
  [KIT_STATE, ['active,,', 'cancelled,,'], ['p0', 'p1 unsubscribed']],
  [`${KIT_STATE},status`, ['active,,,VIP', 'active,,,active'], ['stop unknown_status', 'p1']],
  [`${KIT_STATE},status`, ['active,,,active', 'cancelled,,,active'], ['p0', 'p1 unsubscribed']],
  [`${KIT_STATE},status`, ['CA,,,active', 'NY,,,cancelled'], ['p0', 'p1 unsubscribed']],
  [KIT_STATE, ['CA,,', 'NY,,'], ['stop unknown_status']],
];

test.each([
  ...KIT_CASES.map((one) => ['2024-01-01T00:00:00Z,', ...one] as const),
  ...KIT_STATE_CASES.map((one) => ['', ...one] as const),
])('after the cells %j, reads the Kit columns %s: %j is %j (C4, C7)', async (before, header, rows, people) => {
  const lines = rows.map((row, index) => `Ana,p${index}@example.com,${before}${row}`);
  const list = await readList({ 'list.csv': csv(header, ...lines) });
  expect(list.reading.inputs[0]?.platform).toBe('kit');
  const contacts = list.contacts.map(({ email, status }) => [email.split('@')[0], status].filter(Boolean).join(' '));
  expect([...list.trouble.filter((line) => line.startsWith('stop')), ...contacts]).toEqual(people);
});

test('sends the address column state as an attribute from a Kit export (C4)', async () => {
  const row = 'Ana,ana@example.com,2024-01-01T00:00:00Z,active,CA';
  const { contacts } = await readList({ 'list.csv': csv(`${KIT},state`, row) });
  expect(contacts[0]?.attributes).toEqual({ state: 'CA' });
});

test('asks about a Kit file when its column state is part of an address (C4)', async () => {
  const list = await readList({ 'kit-list.csv': csv('email,first_name,state', 'ana@example.com,Ana,CA') });
  expect([outcomeOf(list), list.contacts]).toEqual(['stop no_status', []]);
  const read = await readList({ 'kit-list.csv': csv('email,first_name,state', 'ana@example.com,Ana,cold') });
  expect(outcomeOf(read)).toBe('subscribed');
});

test.each([
  ['UNSUB_TIME,CLEAN_CAMPAIGN_ID', ',77', 'bounced'],
  ['UNSUB_TIME,CLEAN_CAMPAIGN_TITLE', ',May news', 'bounced'],
  ['UNSUB_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_ID', ',,77', 'bounced'],
  ['UNSUB_TIME,CLEAN_CAMPAIGN_ID', '2023-05-01 10:00:00,77', 'unsubscribed'],
  ['UNSUB_TIME,CLEAN_CAMPAIGN_ID', ',NULL', 'subscribed'],
  ['CLEAN_TIME,UNSUB_CAMPAIGN_ID', ',77', 'unsubscribed'],
  ['CLEAN_TIME,UNSUB_CAMPAIGN_TITLE', ',May news', 'unsubscribed'],
  ['CLEAN_TIME,UNSUB_REASON', ',NORMAL', 'unsubscribed'],
])('reads a Mailchimp row with %s as %j: %s (C6, C12)', async (header, row, outcome) => {
  const columns = header.split(',');
  const gone = [
    'gone@example.com,3,1,a',
    ...columns.map((name) => (name.endsWith('_TIME') ? '2023-05-01 10:00:00' : '')),
  ];
  const lines = [`ana@example.com,3,1,a,${row}`, gone.join(',')];
  const list = await readList({ 'list.csv': csv(`Email Address,MEMBER_RATING,LEID,EUID,${header}`, ...lines) });
  const isBounced = list.suppressions.bounced?.includes('ana@example.com');
  const contact = list.contacts.find(({ email }) => email === 'ana@example.com');
  expect([
    list.trouble.filter((line) => line.startsWith('stop')),
    isBounced ? 'bounced' : (contact?.status ?? 'subscribed'),
  ]).toEqual([[], outcome]);
});

test('uses the more restrictive of two status columns (C7)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status,Opted Out', 'ana@example.com,active,yes', 'bo@example.com,active,'),
  });
  expect(list.contacts).toEqual([{ email: 'ana@example.com', status: 'unsubscribed' }, { email: 'bo@example.com' }]);
});

test('suppresses SendGrid bounces only when the file name says bounces (C6)', async () => {
  const file = csv('status,reason,email,created', '5.1.1,no such user,ana@example.com,1700000000');
  const unnamed = await readList({ 'list.csv': file });
  expect([outcomeOf(unnamed), unnamed.suppressions]).toEqual(['stop unknown_status', {}]);
  expect((await readList({ 'suppression_bounces.csv': file })).suppressions).toEqual({ bounced: ['ana@example.com'] });
});

test.each([
  ['a soft bounce', 'suppression_bounces.csv', '4.2.2,mailbox full'],
  ['a block', 'suppression_blocks.csv', '5.7.1,listed'],
])('suppresses no person when a SendGrid export reports %s (C6)', async (_, name, words) => {
  const file = csv('status,reason,email,created', `${words},ana@example.com,1700000000`);
  expect((await readList({ [name]: file })).suppressions).toEqual({});
});

function outcomeOf(list: Awaited<ReturnType<typeof readList>>): string {
  const [stop] = list.trouble.filter((line) => line.startsWith('stop'));
  const [reason] = Object.keys(list.suppressions);
  const [skipped] = Object.keys(list.reading.rows.skipped);
  const [contact] = list.contacts;
  if (stop) {
    return stop;
  }
  return reason ? `suppressed ${reason}` : skipped ? `skipped ${skipped}` : (contact?.status ?? 'subscribed');
}

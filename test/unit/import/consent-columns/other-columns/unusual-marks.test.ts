import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** Reads a list of these rows. The user gave `--default-status subscribed` in advance. */
const typed = (header: string, rows: readonly string[]) =>
  readList({ 'list.csv': csv(`Email,${header}`, ...rows) }, { defaultStatus: { '*': 'subscribed' } });

const mailed = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.filter(({ status }) => status === undefined).map(({ email }) => email.split('@')[0]);

const ASKED: readonly (readonly [header: string, good: string, left: string])[] = [
  ['Flag', '', '⛔'],
  ['Flag', '⭐', '🚫'],
  ['Style', 'normal', 'strikethrough'],
  ['Format', 'fett', 'durchgestrichen'],
  ['List', 'IN', 'OUT'],
  ['Tags', 'vip', 'unsub_request vip'],
  ['-News', '', 'x'],
  ['Title', 'Ms', 'Estate of'],
  ['Name', 'Ann Oak', 'Estate of Ben Oak'],
  ['Name', 'Ann Oak', 'Ben Oak RIP'],
  ['Name', '山田', '退職済み'],
  ['Response', 'valid', 'spamtrap'],
  ['🚫 Newsletter', '', 'x'],
];

test.each(ASKED)('asks the user about a mark in the column %s: first %s, then %s (C10)', async (header, good, left) => {
  const read = await typed(header, [`good@x.test,${good}`, `left@x.test,${left}`]);
  expect(read.finding('unknown_status')?.level).toBe('stop');
  expect(mailed(read)).not.toContain('left');
});

// The user marked these people in a column without a name, or did not choose them. Or their addresses are not
// verified.
const MARKED: readonly (readonly [header: string, good: string, left: string])[] = [
  ...['', 'Unnamed: 3', 'Column1', 'Spalte 4', 'x', '?', '!'].map((header) => [header, '', 'x'] as const),
  ...['no', 'nein', 'X', '✗'].map((cell) => ['', '', cell] as const),
  ...['', 'Unnamed: 3', '#', 'x'].map((header) => [header, '', '1'] as const),
  ...['Locked', 'Is locked', 'Account locked', 'Lock', 'LCK', 'BLK', 'Ignore', 'Ignorieren', 'SUPP', 'Supp flag'].map(
    (header) => [header, '0', '1'] as const,
  ),
  ...['EMOPT', 'Opt flag', 'Opt-O', 'S/U', 'Inact.', 'NOML'].map((header) => [header, '', '1'] as const),
  ...['Keine Einladung', 'Keine Einladungen', 'No invites', 'Geen uitnodiging', 'Sin invitación', 'Keine Infos'].map(
    (header) => [header, '0', 'x'] as const,
  ),
  ...['Kein Versand', 'Keine Zusendung', "Pas d'invitation"].map((header) => [header, 'nein', 'ja'] as const),
  ['S/U', 'S', 'U'],
  ...['bounce list 2021', 'Bounce-Liste', 'bounces import', 'bounced contacts list (2020)', 'import: bounces'].map(
    (left) => ['Source', 'web form', left] as const,
  ),
  ...['complaints 2020', 'Abmeldungen 2019', 'Lista de bajas', 'spam complaints upload', 'removed people export'].map(
    (left) => ['List source', 'Facebook list 2021', left] as const,
  ),
  ['', 'ok', 'x'],
  ['', 'ja', 'nein'],
  ...['Import?', 'Include', 'Keep', 'Use?', 'Migrate?', 'Take over'].map((header) => [header, 'y', 'n'] as const),
  ...['Übernehmen', 'Behalten', 'Importieren?'].map((header) => [header, 'ja', 'nein'] as const),
  ...['Verified email', 'Verified address', 'Email address verified'].map((header) => [header, 'yes', 'no'] as const),
  ...['Garder', 'Incluir', 'Importare'].map((header) => [header, '1', '0'] as const),
];

test.each(MARKED)('asks the user about an active person marked under %j: %s, %s (C10)', async (header, good, left) => {
  const list = csv(`Email,Status,${header}`, `good@x.test,active,${good}`, `left@x.test,active,${left}`);
  const read = await readList({ 'list.csv': list });
  expect(read.finding('unknown_status')).toMatchObject({ level: 'stop', hint: expect.stringMatching(/=skip'?$/) });
  expect(mailed(read)).not.toContain('left');
});

test.each([
  ['Unnamed: 0', '0', '1'],
  ['Source', 'list of donors', 'import 2021'],
  ['Source', 'Price list', 'import web'],
  ['Event', 'cancelled 2021', 'Left Bank 2020'],
  ['', '1', '1'],
  ['', '', '2'],
  ['Logins', '', '1'],
  ['Locked', '0', '0'],
  ['Locker', '1', '1'],
  ['Supplier', 'x', ''],
  ['No of invites', '1', '2'],
  ['Einladung', '', 'x'],
  ['LKZ', 'D', 'A'],
  ['S/U', 'S', 'S'],
  ['', 'Bonn', 'Rome'],
  ['', 'Bonn', 'x'],
  ['Keep', 'cats', 'dogs'],
  ['Import date', '2021-03-04', '2021-03-05'],
  ['VIP', '✅', '🚫'],
  ['Flag', '⭐', '🏳'],
  ['List', 'Inbound', 'Outbound'],
  ['News', 'x', ''],
  ['Name', 'Ann Oak', 'Rip Oak'],
  ['Address', 'Oak Estate', 'Estate Road 5'],
  ['Notes', 'teacher', 'retired'],
  ['Tags', 'unsung heroes', 'outdoor'],
])('does not ask the user about usual values in the column %s: %s, %s (C10)', async (header, one, other) => {
  const read = await readList({
    'list.csv': csv(`Email,${header},Status`, `good@x.test,${one},active`, `left@x.test,${other},active`),
  });
  expect(read.trouble).not.toContain('stop unknown_status');
});

test.each([
  ['Ampel', 'grün', 'rot'],
  ['RAG', 'green', 'red'],
  ['Membership', 'Active', 'Transferred out'],
])('warns that the column %s may hold opt-outs: %s, %s (C11)', async (header, good, left) => {
  const read = await typed(header, [`good@x.test,${good}`, `ok@x.test,${good}`, `left@x.test,${left}`]);
  expect(read.finding('no_status')).toMatchObject({
    level: 'warn',
    message: expect.stringContaining(`this column may say who opted out: "${header}"`),
  });
});

test.each([
  ['Report Name: Opted-out contacts,'],
  ['Filter: unsubscribed,'],
  ['Liste: Abgemeldet,'],
  ['3,unsubscribed'],
  ['U,= unsubscribed'],
])('stops at a last line that marks opted-out people: %s (C4)', async (row) => {
  const read = await typed('Code', ['good@x.test,1', 'left@x.test,3', row]);
  expect(read.finding('ragged_rows')?.level).toBe('stop');
});

test.each([
  ['2,,unsubscribed', 'a person without an address'],
  ['Total,,2', 'a sum'],
  ['List: Spring 2024,,', 'another list'],
])('does not stop at the row %s, which is %s', async (row) => {
  const files = { 'list.csv': csv('No,Email,Status', '1,good@x.test,active', row, '3,ok@x.test,active') };
  const read = await readList(files);
  expect(read.trouble).not.toContain('stop ragged_rows');
  expect(mailed(read)).toEqual(['good', 'ok']);
});

const PERMISSION =
  'Email address,First name,Email status,Email permission status,Email update source,Confirmed Opt-Out Date';

test('does not offer to keep a consent column as an attribute (C11)', async () => {
  const rows = ['good@x.test,Ana,Active,Express,Form,', 'left@x.test,Ben,Active,Unsubscribed,Form,'];
  const { finding, contacts } = await readList({ 'contact_export_1.csv': csv(PERMISSION, ...rows) });
  expect(contacts.map(({ status }) => status)).toEqual([undefined, 'unsubscribed']);
  expect(finding('columns')?.message).toContain('Email permission status');
  expect(finding('columns')?.hint).toBe("--map 'Email update source=attributes.email_update_source'");
});

test.each([
  ['UNSUB_CAMPAIGN_TITLE', 'unsubscribed'],
  ['UNSUB_CAMPAIGN_ID', 'unsubscribed'],
  ['UNSUB_REASON', 'unsubscribed'],
  ['CLEAN_CAMPAIGN_TITLE', 'bounced'],
  ['CLEAN_CAMPAIGN_ID', 'bounced'],
])('asks about a Mailchimp file named final.csv when it has %s (C4)', async (column, state) => {
  const rows = ['left@x.test,2,1,a,Spring', 'ben@x.test,2,2,b,'];
  const files = { 'final.csv': csv(`Email Address,MEMBER_RATING,LEID,EUID,${column}`, ...rows) };
  const { finding } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('no_status')).toMatchObject({ level: 'stop', hint: `--default-status final.csv=${state}` });
});

test('asks about RIP in brackets after a name, also below the first rows (C10)', async () => {
  const rows = Array.from({ length: 60 }, (_, nth) => `p${nth}@x.test,active,Ben Berg`);
  const marked = async (header: string, name: string) => {
    const list = await readList({
      'list.csv': csv(`Email,Status,${header}`, ...rows, `q@x.test,active,"${name}"`),
    });
    return list.trouble.includes('stop unknown_status');
  };
  for (const header of ['Name', 'First name', 'Last name']) {
    for (const name of ['Ann Oak (RIP)', 'Ann (rip) Oak', 'Ann Oak (R.I.P.)', 'Ann Oak [RIP]', 'Oak *RIP*']) {
      expect([header, name, await marked(header, name)]).toEqual([header, name, true]);
    }
    for (const name of ['Robert (Rip) Oak', 'Rip Oak', 'Ann (Ripley) Oak']) {
      expect([header, name, await marked(header, name)]).toEqual([header, name, false]);
    }
  }
  expect(await marked('Company', 'Raster Image Processing (RIP)')).toBe(false);
});

import { expect, test } from 'vitest';
import { hasDoubtfulName, stateByName } from '../../../../../src/import/mapping/state/default-status.ts';
import { csv, readList, readSources, sourcesOf } from '../../support.ts';

const PEOPLE = csv('Email,Status', 'ana@x.test,active', 'bo@x.test,active');
const GONE = csv('Email', 'ANA@x.test');

test.each([
  ['unsubscribed.csv', 'unsubscribed'],
  ['bounces.csv', 'bounced'],
  ['spam complaints.csv', 'complained'],
  ['suppressions.csv', 'suppressed'],
  ['inactive.csv', 'unsubscribed'],
  ['Inaktive.csv', 'unsubscribed'],
  ['non-subscribed.csv', 'unsubscribed'],
  ['Never subscribed.csv', 'unsubscribed'],
  ['cleaned.csv', 'unsubscribed'],
  ['invalid.csv', 'unsubscribed'],
  ['not opted in.csv', 'unsubscribed'],
  ['archived contacts.csv', 'unsubscribed'],
  ['unconfirmed.csv', 'pending'],
  ['blacklist.csv', 'unsubscribed'],
  ['do_not_contact.csv', 'unsubscribed'],
  ['do-not-mail.csv', 'unsubscribed'],
  ['opted-out.csv', 'unsubscribed'],
  ['Opted Out.csv', 'unsubscribed'],
  ['cancelled.csv', 'unsubscribed'],
  ['Abgemeldete.csv', 'unsubscribed'],
  ['de\u0301sabonne\u0301s.csv', 'unsubscribed'],
  ['complained.csv', 'complained'],
  ['exclusions.csv', 'unsubscribed'],
  ['removed.csv', 'unsubscribed'],
  ['dead.csv', 'bounced'],
  ['rücklaeufer.csv', 'bounced'],
  ['Robinsonliste.csv', 'unsubscribed'],
  ['DNC.csv', 'unsubscribed'],
  ['DND.csv', 'unsubscribed'],
  ['Widersprüche.csv', 'unsubscribed'],
  ['gone.csv', 'unsubscribed'],
  ['left.csv', 'unsubscribed'],
  ['STOP.csv', 'unsubscribed'],
  ['Kuendigungen.csv', 'unsubscribed'],
  ['수신거부.csv', 'unsubscribed'],
])('stops at the opt-out file %s until an answer names it (C4, C7)', async (name, state) => {
  const files = { 'people.csv': PEOPLE, [name]: GONE };
  const asked = await readList(files);
  expect(asked.finding('no_status')).toMatchObject({
    level: 'stop',
    message: expect.stringMatching(/(?:has|have) no status, and its name says that these people opted out$/),
    hint: expect.stringContaining(`${name}=${state}`),
    total: 1,
  });
  const general = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(general.trouble).toContain('stop no_status');
  const answered = await readList(files, { defaultStatus: { [name]: state } });
  expect(answered.trouble).not.toContain('stop no_status');
  const named = await readList(files, { defaultStatus: { [name]: 'subscribed' } });
  expect([named.trouble.includes('stop no_status'), named.contacts.length]).toEqual([false, 2]);
});

test.each([
  ['a line above the header', 'Unsubscribed contacts as of 2024-05-01\n\nEmail,Name\na@x.test,Ana', 'unsubscribed'],
  ['a line above the header in German', 'Abgemeldete Empfänger\nE-Mail;Name\na@x.test;Ana', 'unsubscribed'],
  ['a remark above the header', '# bounced addresses\nEmail,Name\na@x.test,Ana', 'bounced'],
  ['a title beside its label', 'List:,Unsubscribed contacts\nEmail,Name\na@x.test,Ana', 'unsubscribed'],
  ['a filter above the header', 'Filter,Email opt out = true\nEmail,Name\na@x.test,Ana', 'unsubscribed'],
  [
    'a whole sentence above the header',
    'People who asked us by phone or by letter not to get any newsletter any more,\nEmail,Name\na@x.test,Ana',
    'unsubscribed',
  ],
  ['the header of the addresses', 'Unsubscribed emails\na@x.test', 'unsubscribed'],
  ['the header of the addresses in several columns', 'Bounced email addresses,Name\na@x.test,Ana', 'bounced'],
])('asks the user about a list when %s says that people opted out (C4)', async (_, text, state) => {
  const files = { 'list.csv': `${text}\n` };
  const asked = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
    [],
    { level: 'stop', hint: `--default-status list.csv=${state}`, when: 'If these people opted out' },
  ]);
  const named = await readList(files, { defaultStatus: { 'list.csv': 'subscribed' } });
  expect(named.contacts).toHaveLength(1);
});

test('reads "* = no mail" above the header as a legend, not a title (C10)', async () => {
  const list = await readList({ 'list.csv': csv('* = no mail,', 'Email,Name', 'a@x.test,Ana', 'bo@x.test,Bo *') });
  expect(list.finding('ragged_rows')).toMatchObject({
    level: 'stop',
    total: 1,
    examples: [{ line: 1, value: '* = no mail' }],
  });
  expect(list.finding('no_status')?.message).not.toContain('left');
});

test('names an input by its path when two have the same name (C4, C11)', async () => {
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
  ['a filter that excludes opted-out people', 'Filter,Email opt out = false\nEmail,Name'],
])('does not treat %s above the header as the title of an opt-out list (C4)', async (_, head) => {
  const list = await readList({ 'list.csv': `${head}\na@x.test,Ana\n` }, { defaultStatus: { '*': 'subscribed' } });
  expect(list.contacts).toHaveLength(1);
});

test('asks the user about subscribed rows in an opt-out list (C10, C4)', async () => {
  const files = { 'unsubscribed_contacts.csv': PEOPLE };
  const asked = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
    [],
    {
      level: 'stop',
      message: expect.stringMatching(/2 rows of .* say subscribed .*, and its name says that these people opted out$/),
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

test('asks about a list without statuses beside other lists (C4, C7, C11)', async () => {
  const files = { 'people.csv': PEOPLE, 'more.csv': GONE };
  const asked = await readList(files);
  expect(asked.finding('no_status')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining('its people may have opted out, although other inputs say who is subscribed'),
    hint: '--default-status more.csv=unsubscribed',
    otherwise: [{ flags: '--default-status more.csv=skip' }, { flags: '--default-status more.csv=subscribed' }],
    total: 1,
  });
  const statuses = async (state: string) => {
    const { trouble, contacts } = await readList(files, { defaultStatus: { 'more.csv': state } });
    return [trouble, contacts.map(({ status }) => status)];
  };
  expect(await statuses('unsubscribed')).toEqual([['warn duplicates'], ['unsubscribed', undefined]]);
  expect(await statuses('skip')).toEqual([
    ['warn duplicates', 'warn duplicates'],
    [undefined, undefined],
  ]);
});

test.each([
  ['sendgrid', 'list.csv', csv('status,reason,email,created', '5.1.1,x,ana@x.test,1700000000')],
  ['mailgun', 'mailgun.csv', csv('address,created_at', 'ana@x.test,')],
])('does not apply a default for all lists to an opt-out list of %s (C4, C6)', async (_, name, text) => {
  const general = { '*': 'subscribed' };
  const list = await readList({ 'people.csv': csv('Email', 'bo@x.test'), [name]: text }, { defaultStatus: general });
  expect([list.trouble, list.contacts]).toEqual([['stop no_status'], [{ email: 'bo@x.test' }]]);
  const answered = await readList({ [name]: text }, { defaultStatus: { ...general, [name]: 'bounced' } });
  expect([answered.trouble, answered.suppressions]).toEqual([[], { bounced: ['ana@x.test'] }]);
});

test('stops at a list in an archive folder named "unsubscribers" (C4, C7)', async () => {
  const list = await readList({ 'x.zip/all/list.csv': PEOPLE, 'x.zip/unsubscribers/list.csv': GONE });
  expect(list.trouble).toContain('stop no_status');
});

test.each([
  ['bounces.csv', 'bounced', ['active.csv'], 'unsubscribed'],
  ['complaints.csv', 'complained', ['active.csv'], 'unsubscribed'],
  ['blocklist.csv', 'suppressed', [], 'skip'],
])('does not offer first to suppress %s when its rows say active (C11)', async (name, named, others, first) => {
  const files = Object.fromEntries([name, ...others].map((file) => [file, PEOPLE]));
  const { finding } = await readList(files);
  expect(finding('no_status')).toMatchObject({
    hint: `--default-status ${name}=${first}`,
    otherwise: [{ flags: `--default-status ${name}=${named}` }, { flags: `--default-status ${name}=subscribed` }],
  });
});

const MAILCHIMP = csv('Email Address,MEMBER_RATING,LEID,EUID', 'a@x.test,2,1,a');

test.each([
  ['a list without statuses', csv('Email', 'a@x.test')],
  ['a list of active people', csv('Email,Status', 'a@x.test,active')],
  ['a Mailchimp list', MAILCHIMP],
])('offers no suppression of people when cleaned-list-2024.csv is %s (C11)', async (_, text) => {
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
])('suppresses the people of the Mailchimp bounce export %s (C6)', async (name, text) => {
  const { suppressions, trouble } = await readList({ [name]: text });
  expect([suppressions, trouble]).toEqual([{ bounced: ['a@x.test'] }, []]);
});

/** File names that may say that their people opted out, and file names that only contain such a word. */
const DOUBTFUL =
  'old.csv|old.csv.gz|list_old.csv|oldContacts.csv|mailing list old backup.csv|former.csv|former customers.csv|archive.csv|Archiv 2019.csv|graveyard.csv|trash.csv|lost.csv|churn.csv|on hold.csv|dormant users.csv|weg.txt|raus.csv|alte Liste.csv|Papierkorb Newsletter.csv|archivados.csv|vecchi soci.csv|oude lijst.csv|stare kontakty.csv|gamla kunder.csv|архив.csv|旧会員.csv'.split(
    '|',
  );
/** Names from DOUBTFUL that may also mean an earlier version of the file. In such a file a status counts. */
const EARLIER_VERSIONS =
  'old.csv|old.csv.gz|list_old.csv|mailing list old backup.csv|archive.csv|Archiv 2019.csv|alte Liste.csv|archivados.csv|oude lijst.csv|архив.csv|旧会員.csv'.split(
    '|',
  );
const ORDINARY =
  'old-town-club.csv|archive of photos club.csv|Old Spice fans.csv|old-crm.csv|alte Oper.csv|Alumni.csv|archivo.csv|past attendees.csv|backup.csv|Lost Boys fanclub.csv|out.csv|list.csv|2019.csv|history society.csv|Trash Metal newsletter.csv|passive house fans.csv|old/list.csv|archive/list.csv|spam-project/list.csv|exports/list.csv|unsub-export-tool/list.csv'.split(
    '|',
  );

test.each(DOUBTFUL)('asks the user about rows without a status in the file %s (C4, C10)', async (name) => {
  const general = { defaultStatus: { '*': 'subscribed' } };
  const asked = await readList({ [name]: GONE }, general);
  expect([asked.contacts, asked.finding('no_status')]).toMatchObject([
    [],
    {
      level: 'stop',
      message: expect.stringContaining('its name says that these people may have opted out'),
      hint: expect.stringMatching(/--default-status \S.*=unsubscribed'?$/),
      otherwise: [{ flags: expect.stringContaining('=skip') }, { flags: expect.stringContaining('=subscribed') }],
    },
  ]);
  expect((await readList({ 'people.csv': PEOPLE, [name]: GONE }, general)).trouble).toContain('stop no_status');
  const named = await readList({ [name]: GONE }, { defaultStatus: { [name]: 'subscribed' } });
  expect([named.trouble, named.contacts.length]).toEqual([[], 1]);
  const { contacts, finding } = await readList({ [name]: PEOPLE });
  const keepsStatus = EARLIER_VERSIONS.includes(name);
  expect([contacts.length, finding('no_status')?.level]).toEqual(keepsStatus ? [2, undefined] : [0, 'stop']);
});

test.each([
  ...['no.csv', 'nein.csv', 'NEJ.csv', 'ex.csv', 'EX 2023.csv', 'weg.csv', 'former 2023.csv', 'old members.csv'],
  ...['past members 2021.csv', 'partis.csv', 'usciti.csv', 'alte Kunden.csv', 'anciens membres.csv', 'oude leden.csv'],
])('asks about active people in the file %s (C4, C10)', async (name) => {
  const asked = await readList({ [name]: PEOPLE });
  expect([asked.contacts.length, asked.finding('no_status')?.level]).toEqual([0, 'stop']);
  expect((await readList({ [name]: PEOPLE }, { defaultStatus: { [name]: 'subscribed' } })).contacts).toHaveLength(2);
});

test.each([
  ...['old.csv', 'old list.csv', 'archive 2019.csv', 'errors.csv', 'example.csv', 'export.csv', 'members.csv'],
  ...['non members.csv', 'norway.csv', 'no limits.csv', 'new members.csv', 'expo.csv', 'nonprofits.csv'],
])('asks nothing about active people in the file %s (C4)', async (name) => {
  const { contacts, trouble } = await readList({ [name]: PEOPLE });
  expect([contacts.length, trouble]).toEqual([2, []]);
});

test('does not ask the user about file names such as "Old Spice fans" (C4)', () => {
  const nameOf = (path: string) => ({ path, entry: undefined, name: path.slice(path.lastIndexOf('/') + 1) });
  const asked = ORDINARY.map(nameOf).filter((one) => hasDoubtfulName(one) || stateByName(one) !== undefined);
  expect(asked.map(({ path }) => path)).toEqual([]);
});

test.each([
  ['Inactive/people.csv', true],
  ['/srv/lists/Inactive members/people.csv', true],
  ['opted-out/list.csv', true],
  ['bounces 2024/list.csv', true],
  ['Abgemeldete/liste.csv', true],
  ['./people.csv', false],
  ['../people.csv', false],
  ['/state/svc/runs/run_1/rejects/people.csv', false],
  ['blockchain/list.csv', false],
])('says whether the folder of %s may name opted-out people: %s (C4)', (path, isDoubtful) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const source = { path, entry: undefined, name };
  expect(hasDoubtfulName(source) || stateByName(source) !== undefined).toBe(isDoubtful);
});

const LEFT_FOLDERS = [
  'unsubscribed',
  'abgemeldet',
  'former members',
  'lists/bounced',
  'désabonnés/2024',
  'a/afgemeld/b',
];
const USUAL_FOLDERS = ['Downloads', 'export/old', 'archive/2024', 'Newsletter export', 'blockchain', './lists', '..'];

test('a folder in a typed path counts like one in an archive (C4)', async () => {
  const listIn = async (path: string) => {
    const sources = sourcesOf({ 'list.csv': csv('Email,Status', 'ana@x.test,active') });
    const list = await readSources(sources.map((source) => ({ ...source, path })));
    return list.reading.findings.filter(({ level }) => level === 'stop').map(({ check }) => check);
  };
  for (const folder of LEFT_FOLDERS) {
    const entry = await readList({ [`x.zip/${folder}/list.csv`]: csv('Email,Status', 'ana@x.test,active') });
    const asked = entry.reading.findings.filter(({ level }) => level === 'stop').map(({ check }) => check);
    expect([folder, asked]).toEqual([folder, ['no_status']]);
    expect([folder, await listIn(`${folder}/list.csv`)]).toEqual([folder, asked]);
    expect([folder, await listIn(`/srv/data/${folder}/list.csv`)]).toEqual([folder, asked]);
  }
  for (const folder of [...USUAL_FOLDERS, '/unsubscribed/2024/new']) {
    expect([folder, await listIn(`${folder}/list.csv`)]).toEqual([folder, []]);
  }
});

test('asks the user about archive folders named "old" or "Archive" (C4)', () => {
  const of = (entry: string) => hasDoubtfulName({ path: 'x.zip', entry, name: 'list.csv' });
  expect(['old/list.csv', 'Archive/2019/list.csv', 'photos archive/list.csv'].map(of)).toEqual([true, true, false]);
});

test('offers first to opt out people of folder Inactive beside Active (C4, C7)', async () => {
  const files = { 'x.zip/Inactive/people.csv': GONE, 'x.zip/Active/people.csv': PEOPLE };
  const { hint, otherwise } = (await readList(files)).finding('no_status') ?? {};
  expect([hint, otherwise?.map(({ flags }) => flags)]).toEqual([
    '--default-status Inactive/people.csv=unsubscribed',
    ['--default-status Inactive/people.csv=skip', '--default-status Inactive/people.csv=subscribed'],
  ]);
  const answered = await readList(files, { defaultStatus: { 'Inactive/people.csv': 'unsubscribed' } });
  expect(answered.contacts.map(({ email, status }) => [email, status])).toEqual([
    ['ana@x.test', 'unsubscribed'],
    ['bo@x.test', undefined],
  ]);
  expect((await readList({ 'inactive.csv': GONE })).finding('no_status')?.hint).toBe(
    '--default-status inactive.csv=skip',
  );
});

test.each([
  ...['cleaned.csv', 'invalid.csv', 'not opted in.csv', 'never subscribed.csv', 'soft bounces.csv', 'inactive.csv'],
])('offers first to unsubscribe the list %s beside an active list (C7, C11)', async (name) => {
  const [title = ''] = name.split('.');
  const byName = { 'people.csv': PEOPLE, [name]: GONE };
  const byRows = { 'people.csv': PEOPLE, [name]: csv('Email,Status', 'ana@x.test,active') };
  const byTitle = { 'people.csv': PEOPLE, 'export.csv': `Segment: ${title}\n\nEmail,Name\nana@x.test,Ana\n` };
  const lists: readonly Readonly<Record<string, string>>[] = [byName, byRows, byTitle];
  for (const files of lists) {
    const input = Object.keys(files).at(-1) ?? '';
    const { hint } = (await readList(files)).finding('no_status') ?? {};
    expect(hint).toContain(`${input}=unsubscribed`);
    const { contacts } = await readList(files, { defaultStatus: { [input]: 'unsubscribed' } });
    expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
    const { hint: alone } = (await readList({ [input]: files[input] ?? '' })).finding('no_status') ?? {};
    expect(alone).toContain(`${input}=skip`);
  }
});

test.each(['do-not-mail.csv', 'blacklist.csv', 'DNC.csv', 'Robinsonliste.csv', 'Werbesperre.csv', 'stop list.csv'])(
  'offers suppression as the last answer for the people of %s (C5, C11)',
  async (name) => {
    const { hint, when, otherwise } = (await readList({ [name]: GONE })).finding('no_status') ?? {};
    expect([hint, when, otherwise]).toEqual([
      expect.stringContaining('=unsubscribed'),
      'If these people opted out',
      [{ when: expect.stringContaining('not even password mail'), flags: expect.stringContaining('=suppressed') }],
    ]);
  },
);

test('offers first to suppress the people of a list suppressions.csv (C5)', async () => {
  const { finding } = await readList({ 'suppressions.csv': GONE });
  expect(finding('no_status')?.hint).toBe('--default-status suppressions.csv=suppressed');
});

test.each([
  ...['RIP.csv', 'undelivered.csv', 'failed.csv', 'errors.csv', 'Ausschlussliste.csv', 'cancelaciones.csv'],
  ...['revocati.csv', 'sunset.csv', 'gekuendigt.csv', 'refused.csv', 'objected.csv', 'revocados.csv'],
])('asks the user about the file %s despite a default for all lists (C4)', async (name) => {
  const list = await readList({ [name]: csv('Email', 'ana@x.test') }, { defaultStatus: { '*': 'subscribed' } });
  expect([list.finding('no_status')?.level, list.contacts]).toEqual(['stop', []]);
});

test.each([
  ...['sunset-club.csv', 'Sunset Beach guests.csv', 'trip.csv', 'error-free.csv', 'ripley.csv', 'RIP curl fans.csv'],
  ...['Ausschreibung.csv', 'subjects.csv', 'Kundige.csv', 'failsafe users.csv', 'terrors.csv', 'refugees.csv'],
])('does not read the file name %s as an opt-out list (C4)', async (name) => {
  const list = await readList({ [name]: csv('Email', 'ana@x.test') }, { defaultStatus: { '*': 'subscribed' } });
  expect(list.contacts).toHaveLength(1);
});

test.each(['Contacts who objected', 'Contacts who refused', 'Members who withdrew'])(
  'asks the user about a list with the title line "%s" (C4)',
  async (title) => {
    const files = { 'list.csv': `${title}\n\nEmail,Name\na@x.test,Ana\n` };
    const list = await readList(files, { defaultStatus: { '*': 'subscribed' } });
    expect(list.finding('no_status')?.level).toBe('stop');
  },
);

test.each([
  'ana [at] x.test',
  '="ana@x.test"',
  '=HYPERLINK(mailto:ana@x.test)',
  'ana @x.test',
  'Ana: ana@x.test (old)',
])('asks about a file when its only address is rejected: %s (C4, C9)', async (cell) => {
  for (const name of ['optouts.csv', 'export.csv']) {
    const files = { 'people.csv': PEOPLE, [name]: csv('Email', `"${cell.replaceAll('"', '""')}"`) };
    const { finding, trouble } = await readList(files);
    expect([trouble.includes('stop no_status'), finding('no_status')?.hint]).toEqual([
      true,
      `--default-status ${name}=unsubscribed`,
    ]);
    const { contacts } = await readList(files, { defaultStatus: { [name]: 'unsubscribed' } });
    expect(contacts.filter(({ status }) => status === undefined)).toEqual([{ email: 'bo@x.test' }]);
  }
});

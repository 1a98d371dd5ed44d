import { expect, test } from 'vitest';
import { csv, type ReadList, readList } from '../support.ts';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

const SUBSCRIBED = { defaultStatus: { '*': 'subscribed' } };

// A list, and the status of its people. All use `--default-status subscribed`, so only a status keeps mail away.
const LISTS: readonly (readonly [claim: string, header: string, rows: readonly string[], states: readonly string[]])[] =
  [
    [
      'the most restrictive of several status columns wins (C10)',
      'Email,List status,Global status',
      ['a@x.test,subscribed,subscribed', 'b@x.test,subscribed,unsubscribed', 'c@x.test,unsubscribed,subscribed'],
      ['a', 'b unsubscribed', 'c unsubscribed'],
    ],
    [
      'the columns confirmed, blacklisted and disabled count together (C10)',
      'email,confirmed,blacklisted,disabled',
      ['a@x.test,1,0,0', 'b@x.test,0,0,0', 'c@x.test,1,1,0', 'd@x.test,1,0,1'],
      ['a', 'c unsubscribed'],
    ],
    [
      'a status beside a header of Mailchimp is read (C10)',
      'Email Address,MEMBER_RATING,LEID,EUID,Status',
      ['a@x.test,2,1,a,subscribed', 'b@x.test,2,1,a,unsubscribed', 'c@x.test,2,1,a,cleaned'],
      ['a', 'b unsubscribed'],
    ],
    [
      'a second column of the same name is read (C10)',
      'first_name,email,created_at,status,Status',
      ['Ana,a@x.test,,active,active', 'Ben,b@x.test,,active,unsubscribed'],
      ['a', 'b unsubscribed'],
    ],
    [
      'a person with a blank UNSUB_TIME has not opted out (C12)',
      'Email Address,MEMBER_RATING,LEID,EUID,UNSUB_TIME',
      ['a@x.test,2,1,a,', 'b@x.test,2,1,a,2024-01-02 03:04:05'],
      ['a', 'b unsubscribed'],
    ],
    [
      'a blank or a zero date in an opt-out column is no opt-out (C12)',
      'Email,Unsubscribed At,Has Opted Out',
      ['a@x.test,,', 'b@x.test,0000-00-00 00:00:00,0', 'c@x.test,2024-01-02,', 'd@x.test,,1'],
      ['a', 'b', 'c unsubscribed', 'd unsubscribed'],
    ],
    [
      'a placeholder such as 1900-01-01 or 9999-12-31 is no opt-out date (C12)',
      'Email,Unsubscribed at',
      [
        ...['0001-01-01T00:00:00', '1753-01-01 00:00:00', '1899-12-30', '30/12/1899', '1900-01-00', '1900-01-01'],
        ...['1970-01-01 01:00:00', '9999-12-31', '31.12.9999', '9999-12-31 23:59:59', '01.01.0001 00:00:00'],
        ...['2024-01-02', '1999-12-31', '2024-03-14', '1970-02-01'],
      ].map((day, at) => `${'abcdefghijklmno'[at]}@x.test,${day}`),
      [...'abcdefghijk', ...['l unsubscribed', 'm unsubscribed', 'n unsubscribed', 'o unsubscribed']],
    ],
    [
      'an opt-out word counts under any header, also in tags and JSON (C10)',
      'Email,Tags,c7,Data',
      [
        'a@x.test,vip,k1,{}',
        'b@x.test,"vip, Unsubscribed",k2,',
        'c@x.test,,opted out,',
        'd@x.test,,k3,"{""email_status"":""unsubscribed""}"',
      ],
      ['a', 'b unsubscribed', 'c unsubscribed', 'd unsubscribed'],
    ],
    [
      'values in JSON count, and its keys do not (C10)',
      'Email,Klaviyo ID,Email Suppressions',
      ['a@x.test,1,[]', 'b@x.test,1,"[{""reason"":""UNSUBSCRIBE"",""timestamp"":""2023-01-01T00:00:00Z""}]"'],
      ['a'],
    ],
    [
      'columns on SMS, links, counts and places say nothing about consent',
      'Email,State,Country,Do Not Call,SMS subscriber status,Unsubscribe link,Emails opened,Subscriber ID,Active deals,Opt-in time',
      [
        'a@x.test,Ohio,US,1,never subscribed,https://x.test/u/1,3,17,2,2024-01-02 03:04:05',
        'b@x.test,Bavaria,DE,0,unsubscribed,https://x.test/u/2,0,18,0,',
      ],
      ['a', 'b'],
    ],
    [
      'an order that was cancelled is no opt-out',
      'Email,Order Status',
      ['a@x.test,cancelled', 'b@x.test,shipped'],
      ['a', 'b'],
    ],
  ];

test.each(LISTS)('reads a list with consent columns as expected: %s', async (_, header, rows, states) => {
  const list = await readList({ 'list.csv': csv(header, ...rows) }, SUBSCRIBED);
  expect(list.trouble.filter((line) => line.startsWith('stop'))).toEqual([]);
  expect(list.contacts.map(({ email, status }) => [email[0], status].filter(Boolean).join(' '))).toEqual(states);
});

test('ignores an opt-out column only when --map tells it to (C10)', async () => {
  const files = { 'list.csv': csv('Email,Unsubscribed', 'a@x.test,yes', 'b@x.test,no') };
  const statesWith = async (map: string) => {
    const list = await readList(files, { ...SUBSCRIBED, map: [map] });
    return list.contacts.map(({ status }) => status);
  };
  expect(await statesWith('Unsubscribed=ignore')).toEqual([undefined, undefined]);
  expect(await statesWith('Unsubscribed=attributes.gone')).toEqual([undefined, undefined]);
  expect(await statesWith('Unsubscribed=status')).toEqual(['unsubscribed', undefined]);
});

const OPT_OUT_HEADERS = ['Opted out', 'Bounced', 'Bad email', 'Mail error', 'Complained', 'Suppressed', 'Email hold'];

test.each(OPT_OUT_HEADERS)('reads a yes under %s the same when --map says status or reason (C10)', async (header) => {
  const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,') };
  const stateOf = ({ contacts, suppressions, trouble }: ReadList) => ({
    contacts: contacts.map(({ email, status = 'subscribed' }) => `${email[0]} ${status}`),
    suppressions,
    stops: trouble.filter((line) => line.startsWith('stop')),
  });
  const expected = stateOf(await readList(files, SUBSCRIBED));
  expect(expected.contacts).not.toContain('a subscribed');
  expect(expected).toMatchObject({ contacts: expect.arrayContaining(['b subscribed', 'c subscribed']), stops: [] });
  for (const field of ['status', 'reason']) {
    expect(stateOf(await readList(files, { ...SUBSCRIBED, map: [`${header}=${field}`] }))).toEqual(expected);
  }
});

test('stops at unknown status values and shows column and counts (C10, C4)', async () => {
  const rows = ['a@x.test,1,maybe,Qualified', 'b@x.test,1,perhaps,Qualified', 'c@x.test,1,maybe,Qualified'];
  const list = await readList({ 'list.csv': csv('Email,Klaviyo ID,Opted Out,Status', ...rows) }, SUBSCRIBED);
  expect(list.contacts).toEqual([]);
  expect(list.finding('unknown_status')).toMatchObject({
    level: 'stop',
    message: expect.stringContaining(
      'column "Opted Out": "maybe" (2), "perhaps" (1); column "Status": "Qualified" (3)',
    ),
    hint: "--status-map 'Opted Out:maybe=skip' --status-map 'Opted Out:perhaps=skip' --map Status=attributes.status",
  });
});

test('asks the user what X means when other cells of the column hold O (C4)', async () => {
  const newsletter = csv('Email,Status,Newsletter', 'a@x.test,active,O', 'b@x.test,active,X', 'c@x.test,active,O');
  const list = await readList({ 'list.csv': newsletter });
  expect(list.finding('unknown_status')?.message).toContain('column "Newsletter": "X" (1)');
  const ticks = await readList({ 'list.csv': newsletter.replaceAll(',O', ',') });
  expect(ticks.finding('unknown_status')?.level).not.toBe('stop');
});

test.each([
  ['Opt-in', 'Y', 'x'],
  ['Newsletter', 'ja', 'x'],
  ['Newsletter', '√', 'X'],
  ['Newsletter', 'abonniert', 'x'],
  ['Newsletter', 'да', '(x)'],
  ['Mailing', 'ok', 'x'],
  ['Mail ok?', 'v', 'x'],
  ['Mailstatus', '1', 'x'],
  ['Subscribed', 'yes', 'x'],
])('asks the user what a cross means in column %s beside %s (C4)', async (header, yes, cross) => {
  const files = { 'list.csv': csv(`Email,${header}`, `a@x.test,${yes}`, `b@x.test,${cross}`, `c@x.test,${yes}`) };
  const list = await readList(files, SUBSCRIBED);
  expect(list.contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(list.finding('unknown_status')).toMatchObject({ level: 'stop', hint: expect.stringContaining('=skip') });
});

test.each(['-', 'no', 'nein', ''])('reads a cross as a yes when the other cells are %j (C4)', async (no) => {
  const list = await readList({ 'list.csv': csv('Email,Newsletter', 'a@x.test,x', `b@x.test,${no}`) }, SUBSCRIBED);
  expect(list.contacts.map(({ email }) => email)).toContain('a@x.test');
});

test.each(['NaT', 'Invalid date', '-62135596800', '1969-12-31 19:00:00', '12/31/1969 7:00 PM', '-1'])(
  'reads the placeholder %s in an opt-out date column as blank (C12)',
  async (placeholder) => {
    const rows = [`a@x.test,${placeholder}`, 'b@x.test,2020-05-05 10:00', `c@x.test,${placeholder}`];
    const list = await readList({ 'list.csv': csv('Email,unsubscribed_at', ...rows) }, SUBSCRIBED);
    expect(list.contacts.map(({ status }) => status)).toEqual([undefined, 'unsubscribed', undefined]);
  },
);

test('applies an answer for "no" only to the column that svc asked about (C10)', async () => {
  const files = { 'list.csv': csv('Email,Unsubscribed,Newsletter', 'a@x.test,no,yes', 'b@x.test,no,no') };
  const answered = await readList(files, { statusMap: { no: 'skip' } });
  expect(answered.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  const named = await readList(files, { statusMap: { 'Newsletter:no': 'unsubscribed' } });
  expect(named.contacts.map(({ status }) => status)).toEqual([undefined, 'unsubscribed']);
});

test('reads the reasons of a suppression list with platform headers (C10)', async () => {
  const rows = ['a@x.test,1,complained', 'b@x.test,1,hard bounce'];
  const list = await readList({ 'list.csv': csv('Email,Klaviyo ID,Reason', ...rows) });
  expect(list.suppressions).toEqual({ complained: ['a@x.test'], bounced: ['b@x.test'] });
});

test('reads status columns even with --attributes none (C10, M1)', async () => {
  const rows = ['a@x.test,subscribed,', 'b@x.test,bounced,', 'c@x.test,pending,', 'd@x.test,subscribed,2024-01-02'];
  const files = { 'list.csv': csv('Email,Status,Unsubscribed On', ...rows) };
  const list = await readList(files, { ...SUBSCRIBED, attributes: 'none' });
  expect(list.contacts.map(({ email, status }) => [email[0], status].filter(Boolean).join(' '))).toEqual([
    'a',
    'd unsubscribed',
  ]);
  expect([list.suppressions, list.reading.rows.skipped]).toEqual([{ bounced: ['b@x.test'] }, { pending: 1 }]);
});

test('reads "Widerruf 04.05.2021" as an opt-out, a date alone as consent (C10)', async () => {
  const rows = ['a@x.test,Widerruf 04.05.2021', 'b@x.test,am 12.03.2020', 'c@x.test,2020-03-12'];
  const list = await readList({ 'list.csv': csv('Email,DSGVO', ...rows) }, SUBSCRIBED);
  expect(list.contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', 'unsubscribed'],
    ['b@x.test', undefined],
    ['c@x.test', undefined],
  ]);
});

test.each(['mail_perm', 'Email perms', 'newsletter_perm'])(
  'asks the user about 0 in the column %j when the status is active (C10)',
  async (header) => {
    const list = await readList({
      'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,1', 'b@x.test,active,0'),
    });
    const answer = `${header}:0=skip`;
    expect(list.finding('unknown_status')?.hint).toBe(`--status-map ${header.includes(' ') ? `'${answer}'` : answer}`);
  },
);

test('a skipped word outweighs a yes in another row, a blank does not (C7)', async () => {
  const files = {
    'people.csv': csv('Email,Subscribed', 'a@x.test,yes', 'b@x.test,yes', 'c@x.test,no'),
    'shop.csv': csv('Email,Accepts Marketing', 'c@x.test,yes'),
    'bounces.csv': csv('Email,Reason', 'b@x.test,550 user unknown'),
  };
  const answers = [
    [{ no: 'skip', '550 user unknown': 'skip' }, { by_request: 2 }],
    [{ '*': 'skip' }, { by_request: 1, bounced: 1 }],
  ] as const;
  for (const [statusMap, skipped] of answers) {
    const list = await readList(files, { statusMap });
    expect([list.contacts.map(({ email }) => email), list.reading.rows.skipped]).toEqual([['a@x.test'], skipped]);
  }
  const blank = csv('Email,Status', 'a@x.test,subscribed', 'a@x.test,', 'b@x.test,');
  const list = await readList({ 'list.csv': blank }, { statusMap: { '': 'skip' } });
  expect(list.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
});

test('offers first to skip all people when one reason is unknown (C11)', async () => {
  const rows = ['a@x.test,User unsubscribed', 'b@x.test,4.4.1 timeout', 'c@x.test,Marked as spam'];
  const list = await readList({ 'export.csv': csv('email,reason', ...rows) });
  expect(list.finding('no_status')?.hint).toBe('--default-status skip');
});

test('understands Swedish "subscriber" and French "invalid address" (C10)', async () => {
  const list = await readList({
    'sv.csv': csv('E-post,Status', 'a@x.test,Prenumerant', 'b@x.test,Avregistrerad'),
    'fr.csv': csv('Courriel,Statut', 'c@x.test,Inscrit', 'd@x.test,Adresse invalide'),
  });
  expect(list.trouble.filter((line) => line.startsWith('stop'))).toEqual([]);
  expect(list.contacts.map(({ email, status }) => [email[0], status].filter(Boolean).join(' '))).toEqual([
    'a',
    'b unsubscribed',
    'c',
  ]);
});

test.each([
  ['meta', 'consent: false', 'consent: true', 'city: Rome'],
  ['meta', 'a:1:{s:10:"newsletter";b:0;}', 'a:1:{s:10:"newsletter";b:1;}', 'a:1:{s:5:"theme";s:4:"dark";}'],
  ['prefs', 'a:1:{s:10:"newsletter";b:0;}', 'a:1:{s:10:"newsletter";b:1;}', 'a:1:{s:5:"theme";s:4:"dark";}'],
])('does not mail an active person whose column %s holds %s (C10)', async (header, no, yes, other) => {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const list = (...cells: string[]) =>
    readList({
      'list.csv': csv(`email,status,${header}`, ...cells.map((text, at) => `p${at}@x.test,active,${cell(text)}`)),
    });
  const asked = await list(no, yes);
  const stops = asked.reading.findings.filter(({ level }) => level === 'stop');
  const left = asked.contacts.find(({ email }) => email === 'p0@x.test');
  expect(stops.length > 0 || left === undefined || left.status === 'unsubscribed').toBe(true);
  const fine = await list(yes, other);
  expect([fine.reading.findings.filter(({ level }) => level === 'stop'), fine.contacts.length]).toEqual([[], 2]);
});

test.each([
  ['catch all', 'undeliverable', 'disposable', 'spamtrap', 'asked'],
  ['disposable', 'disposable', 'disposable', 'xyzzy', '-'],
  ['disposable', 'blue', 'red', 'green', '-'],
])('reads an unknown word beside %s, %s, %s and %s as %s (C10)', (...cells) => {
  const [meaning] = cells.splice(-1);
  const table = tableOf(['Shoe'], { rows: cells.map((cell) => [cell]) });
  expect(meaningOf(table, 'plugh')).toBe(meaning);
});

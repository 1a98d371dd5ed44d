import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, withFlags } from './paste-hints.ts';

/** The status of each person after a user pasted the first answer of every stop, until no stop is left. */
async function statesAfterHints(header: string, rows: readonly string[]) {
  const list = await pasteHints({ 'list.csv': csv(`Email,${header}`, ...rows) });
  const states = (list?.contacts ?? []).map(({ email, status = 'subscribed' }) => [email.split('@')[0], status]);
  return Object.fromEntries(states) as Readonly<Record<string, string>>;
}

const CONFIRMATIONS = [
  'doi_at',
  'doi_datum',
  'DOI-Zeitpunkt',
  'doi_bestaetigt',
  'COI',
  'bestaetigt_am',
  'bestätigt am',
  'confirmed_at',
  'Confirmed',
  'email_confirmed_at',
  'email_verified_at',
  'verified_on',
  'agreed_at',
  'opt_in_date',
  'consent_date',
  'terms_accepted_at',
  'activated_at',
  'confirmé le',
  'fecha de confirmación',
  'potwierdzono',
];
const DAYS = ['paid until', 'renewed', 'Zuletzt dort', 'last_seen', 'x7'];

test.each([...CONFIRMATIONS, ...DAYS])(
  'opts out no person by a date under %s when a user pastes all hints (C11)',
  async (header) => {
    const rows = ['ana@x.test,2020-01-02 10:05,1', 'ben@x.test,,2', 'cy@x.test,2020-01-04 10:07,3'];
    expect(await statesAfterHints(`${header},No`, rows)).toEqual({});
    const left = ['ana@x.test,2020-01-02 10:05,', 'ben@x.test,,', 'cy@x.test,2020-01-04,2021-02-03'];
    expect(await statesAfterHints(`${header},unsubscribed_at`, left)).toEqual({ cy: 'unsubscribed' });
  },
);

test.each(CONFIRMATIONS)('pasted hints sign up no person with a blank confirmation date %s (C11)', async (header) => {
  const rows = ['ana@x.test,t,2020-01-02 10:05', 'ben@x.test,t,', 'cy@x.test,f,2020-01-04', 'di@x.test,f,'];
  expect(await statesAfterHints(`receives_emails,${header}`, rows)).toEqual({ ana: 'subscribed' });
});

const CODES: readonly (readonly [agreed: string, yes: string, header: string, good: string, left: string])[] = [
  ['confirmed', '1', 'liststatus', '1', '-1'],
  ['newsletter', 'ja', 'statuscode', '1', '2'],
  ['email ok', 'yes', 'code', 'A', 'U'],
  ['active', '1', 'status_id', '1', '4'],
  ['Mailing', 'x', 'c7', 'A', 'B'],
  ['receives_emails', 't', 'flag3', '1', '0'],
];

test.each(CODES)(
  'despite %s=%s, signs up no person when %s is mostly %s but here %s (C11)',
  async (agreed, yes, header, good, left) => {
    const rows = ['ana', 'cy', 'di'].map((who) => `${who}@x.test,${yes},${good}`);
    const states = await statesAfterHints(`${agreed},${header}`, [...rows, `ben@x.test,${yes},${left}`]);
    expect(states).not.toHaveProperty('ben', 'subscribed');
  },
);

test('offers a column of status codes even when all codes differ (C11)', async () => {
  const rows = ['ana@x.test,1,1', 'ben@x.test,1,-1', 'cy@x.test,1,2'];
  const { finding } = await readList({ 'list.csv': csv('Email,confirmed,liststatus', ...rows) });
  expect(finding('no_status')?.message).toContain('these columns may say it: "liststatus": "1" (1), "-1" (1), "2" (1)');
  expect(finding('no_status')?.hint).toBe('--map liststatus=status');
});

test.each(['Out', 'Abgem.', 'newsletter_end', 'Quit on'])(
  'offers dates under %s as opt-out dates (C11)',
  async (name) => {
    const states = await statesAfterHints(name, ['ana@x.test,2020-01-02', 'ben@x.test,', 'cy@x.test,2020-01-04']);
    expect(states).toMatchObject({ ana: 'unsubscribed', cy: 'unsubscribed' });
  },
);

test('offers first to skip people when --map reads a date as status (C11)', async () => {
  const files = { 'list.csv': csv('Email,doi_at,x7', 'ana@x.test,2020-01-02,', 'ben@x.test,,2020-03-04') };
  const asked = await readList(files, { map: ['doi_at=status'] });
  expect(asked.finding('unknown_status')).toMatchObject({
    hint: "--status-map 2020-01-02=skip --status-map '=skip'",
    otherwise: [
      {
        when: 'If people with a date in "doi_at" agreed to get mail from you, and people without one did not',
        flags: "--map doi_at=status --status-map 'doi_at:*=subscribed' --status-map doi_at:=skip",
      },
      { flags: '--map doi_at=ignore' },
    ],
  });
  const other = await readList(files, { map: ['x7=status'] });
  expect(other.finding('unknown_status')?.otherwise?.[0]).toEqual({
    when: 'If "x7" says when people opted out',
    flags: '--map x7=unsubscribed_at',
  });
});

test('offers first to skip people without an opt-out date (C11)', async () => {
  const files = { 'list.csv': csv('Email,x7', 'ana@x.test,2020-01-02', 'ben@x.test,', 'cy@x.test,2020-01-04') };
  const { finding } = await readList(files, { map: ['x7=unsubscribed_at'] });
  expect(finding('no_status')?.hint).toBe('--default-status skip');
});

test('warns when a default subscribes people without a confirmation date (C11)', async () => {
  const files = { 'list.csv': csv('Email,doi_at', 'ana@x.test,2020-01-02', 'ben@x.test,', 'cy@x.test,2020-01-04') };
  const { finding } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('no_status')).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('this column may say who never agreed: "doi_at": "(a date)" (2), blank (1)'),
    hint: [
      'If people with a date in "doi_at" agreed to get mail from you, and people without one did not:',
      "--map doi_at=status --status-map 'doi_at:*=subscribed' --status-map doi_at:=skip",
      'If none of these columns is about mail:',
      '--map doi_at=attributes.doi_at',
    ].join('\n'),
  });
});

const JSON_CONSENT = ['subscribed', 'unsubscribed', 'not_subscribed'].map(
  (state, at) => `${at},p${at}@x.test,"{""state"":""${state}"",""opt_in_level"":""single_opt_in""}"`,
);

test('reads the consent in the JSON cells of a platform column (C10)', async () => {
  const list = await pasteHints({ 'list.csv': csv('id,email,email_marketing_consent', ...JSON_CONSENT) });
  const states = list?.contacts.map(({ email, status = 'subscribed' }) => `${email} ${status}`);
  expect(states).toEqual(['p0@x.test subscribed', 'p1@x.test unsubscribed']);
});

test.each(['skip', 'subscribed'])(
  'subscribes no person with an unknown word by the answer *=%s (C10, C11)',
  async (state) => {
    const rows = ['ana@x.test,SUBSCRIBED', 'ben@x.test,odd', 'cy@x.test,UNSUBSCRIBED'];
    const files = { 'list.csv': csv('Email,Email Marketing Consent', ...rows) };
    const { contacts, finding } = await readList(files, { statusMap: { 'Email Marketing Consent:*': state } });
    expect(finding('unknown_status')?.message ?? '').not.toContain('odd');
    expect(contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'cy@x.test']);
  },
);

const OTHER_THINGS = ['Payment status', 'RSVP', 'Attended', 'Bezahlt', 'Order status', 'Cotisation', 'Membership fee'];

test.each(OTHER_THINGS)('offers first to skip all people when the only column is %s (C11)', async (header) => {
  const files = {
    'list.csv': csv(`Email,${header}`, 'ana@x.test,yes', 'ben@x.test,no', 'cy@x.test,cancelled', 'di@x.test,yes'),
  };
  const { finding } = await readList(files);
  expect(finding('no_status')?.hint).toBe('--default-status skip');
  const mapped = await readList(files, { map: [`${header}=status`] });
  expect(mapped.finding('unknown_status')?.hint).not.toContain('=subscribed');
  expect(mapped.contacts.filter(({ status }) => status === undefined)).toEqual([]);
});

test.each(['Cancellation reason', 'Austrittsgrund', 'Exit reason', 'Unsubscribed by phone'])(
  'pasted hints sign up no person with a blank reason to leave: %s (C11)',
  async (header) => {
    const rows = ['ana@x.test,Too expensive', 'ben@x.test,', 'cy@x.test,Moved away', 'di@x.test,'];
    expect(await statesAfterHints(header, rows)).toEqual({});
  },
);

// Remarks about opt-outs are optional. So a person with a blank may have opted out too.
test.each([
  ...['Unsubscribe comment', 'Unsubscribe feedback', 'Unsubscribe campaign', 'Opt-out method', 'Unsubscribed by'],
  ...['Removed by', 'Unsub notes', 'Abmeldekommentar', 'Kommentar zur Abmeldung', 'Commentaire de désinscription'],
  ...['Comentario de baja', 'Why unsubscribed', 'Reason for leaving', 'Unsubscribed lists', 'Complaint reason'],
])('signs up no person by the first answer when %s holds remarks (C11)', async (header) => {
  for (const remark of ['Spring', 'too many', 'Kim in the office', 'ok']) {
    const states = await statesAfterHints(header, ['ana@x.test,', `ben@x.test,${remark}`, 'cy@x.test,']);
    expect([header, remark, states.ana, states.cy]).toEqual([header, remark, undefined, undefined]);
  }
});

test('pasted hints sign up no person when an opt-out column has "ok" (C11)', async () => {
  for (const header of ['Stop status', 'Unsubscribed', 'Opt-out', 'Complained', 'Info']) {
    const states = await statesAfterHints(header, ['ana@x.test,', 'ben@x.test,ok', 'cy@x.test,unsubscribed']);
    expect([header, states.ana, states.ben]).toEqual([header, undefined, undefined]);
  }
});

test.each(['Unsubscribed', 'Opted out at', 'Do not mail', 'Left on', 'Abgemeldet am', 'Baja', 'Désinscrit le'])(
  'offers first to sign up people with a blank under %s (C11)',
  async (header) => {
    const states = await statesAfterHints(header, ['ana@x.test,', 'ben@x.test,2020-03-14', 'cy@x.test,']);
    expect([header, states]).toEqual([header, { ana: 'subscribed', ben: 'unsubscribed', cy: 'subscribed' }]);
  },
);

// A valid address says nothing about an agreement.
test.each([
  ...[
    'Email status:valid',
    'Email status:verified',
    'Check status:ok',
    'Validation status:valid',
    'Email validation:valid',
  ],
  ...[
    'Status:deliverable',
    'Valid:yes',
    'Deliverable:yes',
    'Reachable:1',
    'Alive:yes',
    'Email valide:oui',
    'Gültig:ja',
  ],
])('signs up no person by the first answer for %s (C11)', async (column) => {
  const [header = '', word] = column.split(':');
  for (const other of [word, '', 'invalid']) {
    expect([column, other, await statesAfterHints(header, [`ana@x.test,${word}`, `ben@x.test,${other}`])]).toEqual([
      column,
      other,
      {},
    ]);
  }
});

test.each([
  'Estado:Confirmado:Baja',
  'Status:Confirmed:unsubscribed',
  'Statut:Confirmé:Désinscrit',
  'Status:granted:unsubscribed',
  'Newsletter Berlin:active:unsubscribed',
])('offers to sign up the confirmed people of %s, but not first (C11)', async (line) => {
  const [header = '', yes, no] = line.split(':');
  const rows = [`ana@x.test,${yes}`, `ben@x.test,${no}`, ...(header.startsWith('Stat') ? ['cy@x.test,zzz'] : [])];
  const files = { 'list.csv': csv(`Email,${header}`, ...rows) };
  const stop = (await readList(files)).finding('unknown_status');
  const offered = stop?.otherwise?.find(({ when }) => when.includes('agreed to mail'));
  const list = await readList(files, withFlags({}, splitShellText(offered?.flags ?? '')));
  expect([list.trouble, list.contacts.map(({ email, status }) => [email, status])]).toEqual([
    [],
    [
      ['ana@x.test', undefined],
      ['ben@x.test', 'unsubscribed'],
    ],
  ]);
  expect(await statesAfterHints(header, rows)).toEqual({ ben: 'unsubscribed' });
});

test.each(['RecipientType', 'RecipientTypeDetails'])(
  'signs up no person by the column %s of Exchange (C11)',
  async (header) => {
    expect(await statesAfterHints(header, ['ana@x.test,UserMailbox', 'ben@x.test,MailUser'])).toEqual({});
  },
);

test.each([
  ['Status', 'nein danke'],
  ['Status', 'gone?'],
  ['Newsletter', 'cancelled maybe'],
])('offers to opt out people when a word below %s is unknown: %s (C11, G11)', async (header, word) => {
  const files = { 'list.csv': csv(`Email,${header}`, 'ana@x.test,active', `ben@x.test,${word}`) };
  const asked = await readList(files);
  const answer = asked.finding('unknown_status')?.otherwise?.find(({ when }) => when.includes('a person left'));
  const answered = await readList(files, withFlags({}, splitShellText(answer?.flags ?? '')));
  expect([answered.trouble, answered.contacts.map(({ email, status }) => [email, status])]).toEqual([
    [],
    [
      ['ana@x.test', undefined],
      ['ben@x.test', 'unsubscribed'],
    ],
  ]);
});

test('offers no opt-out for "granted", nor for four unknown words (C11)', async () => {
  const offers = async (...words: readonly string[]) => {
    const rows = words.map((word, index) => `p${index}@x.test,${word}`);
    const { finding } = await readList({ 'list.csv': csv('Email,Status', 'ana@x.test,active', ...rows) });
    return finding('unknown_status')?.otherwise?.some(({ when }) => when.includes('a person left'));
  };
  expect([await offers('granted'), await offers('cold', 'warm', 'perhaps', 'tepid')]).toEqual([false, false]);
});

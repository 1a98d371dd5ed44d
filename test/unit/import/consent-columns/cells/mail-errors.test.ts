import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayBeFinalReply } from '../../../../../src/import/consent-columns/cells/mail-results.ts';
import { mayHoldReply } from '../../../../../src/import/consent-columns/other-columns/quick-tests/byte-kinds.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, readAndPaste } from '../../survey/checks/paste-hints.ts';

// Columns with the reply of a mail server to the last message.

const HEADERS = [
  ...[
    'SMTP error',
    'SMTP response',
    'SMTP code',
    'Last error',
    'Delivery error',
    'Delivery failure reason',
    'Email error',
  ],
  ...[
    'Diagnostic code',
    'Remote diagnostic',
    'Error message',
    'Error',
    'DSN',
    'Zustellfehler',
    'Fehlermeldung',
    'Fehler',
  ],
  ...['Erreur d’envoi', 'Erreur SMTP', 'Error de entrega', 'Errore di consegna', 'Erro de envio', 'Foutmelding'],
];
const FAILURES = [
  ...['550 5.1.1 user unknown', '550-5.1.1 The account does not exist', 'smtp; 550 5.1.1 <b@x.test>: user unknown'],
  ...[
    '550 no such user',
    '554',
    'mailbox not found',
    'Postfach existiert nicht',
    'boîte inconnue',
    'zzz',
    'yes',
    '2024-01-02',
  ],
];
const HARMLESS = [
  '',
  '-',
  '0',
  'no',
  '250 2.0.0 OK',
  'smtp; 250',
  '421',
  '450 4.2.2 mailbox full',
  '4.2.2',
  'delivered',
  'sent',
];

test.each(HEADERS)('mails no person with a failed delivery under %s (C10)', async (header) => {
  for (const failure of everyNth(FAILURES, 3, HEADERS.indexOf(header))) {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,', `b@x.test,active,"${failure}"`) };
    for (const list of await readAndPaste(files)) {
      expect([header, failure, list?.contacts.map(({ email }) => email)]).toEqual([header, failure, ['a@x.test']]);
      expect([header, failure, list?.suppressions]).toEqual([header, failure, {}]);
    }
  }
});

test.each(HEADERS)('signs up a person with a success or a temporary failure under %s (C6)', async (header) => {
  const rows = HARMLESS.map((cell, at) => `p${at}@x.test,active,${cell}`);
  const { contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  expect([header, contacts.length]).toEqual([header, HARMLESS.length]);
});

test.each(['Zusatz', 'Field 7', 'Log', ''])('skips a person with 550 5.1.1 under "%s" (C10)', async (header) => {
  const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,', 'b@x.test,active,550 5.1.1 unknown') };
  expect((await pasteHints(files))?.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
});

test.each([
  'Address,550 Park Ave',
  'Version,5.1.1',
  'Sync error,timeout',
  'Send error reports,yes',
  'SMTP configured,yes',
  'Email error alerts,on',
  'Payment error,card declined',
])('asks nothing about the column and cell %s', async (line) => {
  const [header, cell] = line.split(',');
  const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${cell}`) });
  expect([list.trouble, list.contacts.length]).toEqual([[], 1]);
});

test.each(['Delivery status', 'Email delivery status', 'Delivery', 'Versand', 'Mail delivery state'])(
  'asks about a failed delivery under %s (C10)',
  async (header) => {
    const cells = ['delivered', 'active', 'ok', 'blocked', 'failed', 'paused', 'bounced'];
    const rows = cells.map((cell) => `${cell}@x.test,active,${cell}`);
    const files = { 'list.csv': csv(`Email,Status,${header}`, ...rows) };
    expect((await readList(files)).trouble).toContain('stop unknown_status');
    const mailed = (await pasteHints(files))?.contacts.map(({ email }) => email.split('@')[0]);
    expect([header, mailed]).toEqual([header, ['delivered', 'active', 'ok']]);
  },
);

test('reads subscribed and unsubscribed under Email delivery status', async () => {
  const rows = ['a@x.test,subscribed', 'b@x.test,unsubscribed'];
  const { contacts, trouble } = await readList({ 'list.csv': csv('Email,Email delivery status', ...rows) });
  expect([trouble, contacts.map(({ status }) => status)]).toEqual([[], [undefined, 'unsubscribed']]);
});

test('asks nothing about the states of parcels under Delivery status', async () => {
  const rows = ['shipped', 'delivered', 'failed'].map((cell) => `${cell}@x.test,active,${cell}`);
  const { trouble } = await readList({ 'list.csv': csv('Email,Status,Delivery status', ...rows) });
  expect(trouble).toEqual([]);
});

const OPT_OUTS = ['opted out', 'unsubscribed', 'disabled', 'refused', 'never', '250 unsubscribed', '4.2.1 opted out'];

const RESULTS = 'SMTP error|Email error|Last error|Zustellfehler|Delivery status|Versand|Sending status'.split('|');

test.each(RESULTS)('signs up no person with an opt-out word under %s (C10)', async (header) => {
  for (const word of everyNth(OPT_OUTS, 3, RESULTS.indexOf(header))) {
    const rows = Array.from({ length: 60 }, (_, at) => `p${at}@x.test,active,${at % 2 ? 'delivered' : ''}`);
    const files = { 'list.csv': csv(`Email,Status,${header}`, ...rows, `left@x.test,active,${word}`) };
    for (const list of await readAndPaste(files)) {
      const signedUp = list?.contacts.filter(({ status = 'subscribed' }) => status === 'subscribed');
      expect([header, word, signedUp?.length]).toEqual([header, word, rows.length]);
    }
  }
});

test.each(['no', 'off', '0', 'never'])(
  'asks about %s after 60 rows of states under Delivery status (C10)',
  async (no) => {
    const rows = Array.from({ length: 60 }, (_, at) => `p${at}@x.test,active,${at % 2 ? 'delivered' : 'active'}`);
    const files = { 'list.csv': csv('Email,Status,Delivery status', ...rows, `c@x.test,active,${no}`) };
    const { contacts, trouble } = await readList(files);
    expect([contacts.length, trouble]).toEqual([rows.length, ['stop unknown_status']]);
  },
);

test.each(['spam', 'complaint'])('suppresses no person with %s under SMTP error (C6)', async (word) => {
  const list = await readList({ 'list.csv': csv('Email,Status,SMTP error', `a@x.test,active,${word}`) });
  expect([list.suppressions, list.contacts, list.trouble]).toEqual([{}, [], ['stop unknown_status']]);
});

test.each([
  ...['SMTP server,mail.x.test', 'PrimarySmtpAddress,a@x.test', 'SMTP,a@x.test', 'SMTP port,587', 'MTA,Blue Line'],
  ...['DSN,312-555-0123', 'Last response,2026-01-02', 'Last email response,Interested', 'Email fellow,Ana'],
  ...['SMTP error,No error', 'Fehlermeldung,Kein Fehler', 'Error message,success', 'Erreur,aucune erreur'],
])('signs up a person with the header and cell %s, and asks nothing', async (line) => {
  const [header, cell] = line.split(',');
  const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${cell}`) });
  expect([list.trouble, list.contacts.length]).toEqual([[], 1]);
});

test.each(['yes', '2024-01-02'])('asks about %s under an error header that does not name mail (C10)', async (cell) => {
  for (const header of ['Error', 'Fout', 'Blad', 'Last error']) {
    const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${cell}`) });
    expect([header, list.trouble, list.contacts]).toEqual([header, ['stop unknown_status'], []]);
  }
});

test.each(['Source', 'Message', 'Nickname'])(
  'skips only the person with 550 5.1.1 under %s, and asks nothing',
  async (header) => {
    const cells = ['likes cats', '550 5.1.1 user unknown', 'met at the fair', ''];
    const rows = cells.map((cell, at) => `p${at}@x.test,active,${cell}`);
    const { contacts, trouble } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect([trouble, contacts.map(({ email }) => email)]).toEqual([[], ['p0@x.test', 'p2@x.test', 'p3@x.test']]);
  },
);

test('reads mail errors when only the file name says Mailgun (C10)', async () => {
  const files = { 'mailgun.csv': csv('address,error', 'a@x.test,', 'b@x.test,550 5.1.1 user unknown') };
  const { contacts } = await readList(files, { defaultStatus: { 'mailgun.csv': 'subscribed' } });
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test']);
});

test('asks about an unclear text in a column of replies (C10)', async () => {
  const rows = [
    'a@x.test,active,550 5.1.1 unknown',
    'b@x.test,active,554 5.7.1 refused',
    'c@x.test,active,554 refused by policy',
  ];
  const { contacts, trouble } = await readList({ 'list.csv': csv('Email,Status,Zusatz', ...rows) });
  expect([contacts, trouble]).toEqual([[], ['stop unknown_status']]);
});

const ERROR_FLAGS = [
  'Mail error',
  'Is mail error',
  'Email error flag',
  'Mail error Y/N',
  'Mailfehler am',
  'Erreur mail depuis',
];

test.each([...ERROR_FLAGS, 'Email error since', 'Newsletter error', 'Newsletter KO', 'Statut KO'])(
  'does not read a yes under %s as an agreement (C10)',
  async (header) => {
    for (const [yes, no] of [
      ['yes', 'no'],
      ['1', ''],
    ]) {
      for (const state of ['', ',active']) {
        const head = `Email,${header}${state && ',Member'}`;
        const files = { 'list.csv': csv(head, `a@x.test,${yes}${state}`, `b@x.test,${no}${state}`) };
        const lists = await readAndPaste(files);
        const emails = lists.flatMap((list) => list?.contacts.map(({ email }) => email) ?? []);
        expect([header, yes, state, emails]).not.toEqual([header, yes, state, expect.arrayContaining(['a@x.test'])]);
      }
    }
  },
);

test.each(['MTA response', 'SMTP message', 'Server response', 'Mail server reply'])(
  'mails no person with 550 user unknown under %s (C10)',
  async (header) => {
    const { contacts } = await readList({
      'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,550 user unknown'),
    });
    expect(contacts).toEqual([]);
  },
);

const REPLIES = ['550 5.1.1 user unknown', '550 user unknown', '550-No such user here', '551 mailbox not found'];

test.each(['Delivery failed', 'Mail failure notice', 'Last response', 'Newsletter', 'State', 'Email status', 'Reason'])(
  'skips a person with a final reply of a mail server under %s (C10, C11)',
  async (header) => {
    for (const reply of REPLIES) {
      const files = {
        'list.csv': csv(`Email,Member,${header}`, 'a@x.test,subscribed,', `b@x.test,subscribed,${reply}`),
      };
      const { contacts, suppressions } = await readList(files);
      expect([reply, contacts.filter(({ email }) => email === 'b@x.test'), suppressions]).toEqual([reply, [], {}]);
    }
    const alone = { 'list.csv': csv(`Email,City,${header}`, 'a@x.test,Rome,', `b@x.test,Rome,${REPLIES[0]}`) };
    expect((await pasteHints(alone))?.contacts).toEqual([]);
  },
);

test.each(['550 points', '550 user licenses', '551 Main Street', '5.1.1', 'room 554'])(
  'does not read %s as a reply of a mail server (C10)',
  async (text) => {
    const { contacts } = await readList({ 'list.csv': csv('Email,Status,Extra', `a@x.test,active,${text}`) });
    expect(contacts.length).toBe(1);
  },
);

test.each([
  ...['500 - 5.000.000', '500-5.000.000 EUR', '555 5.123.456', 'Tel 514-5.55.12', 'SKU 505-5.25.110', 'DIN 550 5.8.8'],
  ...['Invoice 540: 5.12.24', '+1 550 555 1234', '12550 5 Main St'],
])('does not read the number %s as a reply of a mail server (C10)', (text) => {
  expect(mayBeFinalReply(text)).toBe(false);
});

test('the filter of bytes keeps each cell that may be a final SMTP reply (C10)', () => {
  const part = (...texts: readonly string[]) => fc.constantFrom(...texts);
  const reply = fc.tuple(
    part('', 'smtp; ', '"', 'Tel '),
    part('550', '553', '551', '500', '559', '5501'),
    part(' ', '-', ': ', ' - ', '#', ';'),
    part('5.1.1 ', '5.7.26 ', '203.0.113.5 ', '12 ', '5 ', '5th Ave, ', ''),
    part('user unknown', 'no such user', 'mailbox not found', 'user account disabled', 'Main St', ''),
  );
  fc.assert(
    fc.property(reply, (parts) => {
      const text = parts.join('');
      const bytes = Buffer.from(text);
      return !mayBeFinalReply(text) || mayHoldReply(bytes, 0, bytes.length);
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

const BOUNCE_HEADERS = [
  'EmailBouncedReason|Email hard bounce reason|Hard bounce reason|Bounce reason|Bounce details|Bounced|Bounce message',
  'SMTP error|Mail error|Bounce-Grund|Motif de rebond|Bounced at|Hard bounces|Invalid email',
]
  .join('|')
  .split('|');
const SURE_REPLIES = [
  ...['550 a@x.test User unknown', 'Delivery failed: 550 5.1.1', 'Gmail: 550 5.1.1', '550 RCPT TO user unknown'],
  ...['Fehler 550 5.1.1', '550 Message rejected; recipient unknown', "returned '550 5.1.10 RESOLVER.ADR.NotFound'"],
];
const UNCLEAR_REPLIES = ['550 Elm St - address unknown', 'Order 512 - 5.3.21', '520 5.1.2'];

test.each([
  ...BOUNCE_HEADERS.map((header) => [header, [...SURE_REPLIES, ...UNCLEAR_REPLIES]] as const),
  ...['Last response', 'Delivery status'].map((header) => [header, SURE_REPLIES] as const),
])('skips a person with a reply under %s, and asks nothing about it (C6)', async (header, replies) => {
  for (const reply of replies) {
    const rows = ['b@x.test,0,', `c@x.test,0,${reply}`];
    const list = await readList({ 'list.csv': csv(`Email,HasOptedOutOfEmail,${header}`, ...rows) });
    expect([header, reply, list.trouble]).not.toEqual([header, reply, expect.arrayContaining(['stop unknown_status'])]);
    expect(list.contacts.map(({ email }) => email)).not.toContain('c@x.test');
    expect(list.suppressions).toEqual({});
  }
});

import { expect, test } from 'vitest';
import { endsAgreement } from '../../../../../src/import/consent-columns/headers/header-predicates.ts';
import { wordsOf } from '../../../../../src/import/consent-columns/words/plain-words.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, readAndPaste } from '../../survey/checks/paste-hints.ts';

// The words are repeated here, so that the test fails when the source loses a word.

// Headers that mention a newsletter or consent together with a no or an end. A yes in such a column may be a refusal.
const CONTRARY =
  'newsletter_end|newsletter_quit|newsletter_exit|newsletter_out|Newsletter aus|Newsletter hold|newsletter failed|remove_newsletter|skip newsletter|unwanted newsletter|disable_newsletter|off the mailing list|gdpr_delete|GDPR - forget|DSGVO löschen|RGPD effacement|LGPD exclusão|consent_lost|Consent pending|Einwilligung offen|desubscribed|disubscribed|ex-subscribed|was subscribed|Unsuscribed|unemailable|I decline newsletter|reject marketing emails|objects to email marketing|I don’t want emails|I dont want newsletter|Werbung verboten|Je ne souhaite plus recevoir|plus de newsletter|Nessun consenso|Recusa newsletter|Nieuwsbrief stop|Nechce newsletter|Нет согласия|İzin yok|Nem kér hírlevelet|メルマガ停止|수신 안함|marketing_ban|I decline emails|can’t email|unable to email|拒绝邮件|Avböjer utskick|Avslår utskick|Tackar nej till nyhetsbrev|Frabeder sig nyhedsbrev|Afviser nyhedsbrev|Takker nej til nyhetsbrev|Reserverar sig mot utskick|Lehnt Newsletter ab|Weigert nieuwsbrief|Odmawia newslettera|Kieltäytyy uutiskirjeestä|Elutasítja a hírlevelet|Declines mailings|Rejects marketing|Objects to e-mail|Recusa e-mails|Reserverer seg mot e-post|Newsletter frozen|Subscription freeze|Newsletter away|Newsletter hiatus|Newsletter eingefroren|Newsletter ruht|Ruhender Newsletter|Newsletter gelée|Boletín congelado|Newsletter pausado|Nieuwsbrief bevroren|Nyhetsbrev fryst|Subskrypcja zamrożona|Newsletter error|Newsletter Fehler|Erreur newsletter|Newsletter KO|Optin KO'.split(
    '|',
  );
// Short headers about people who opted out, died or can't be reached.
const BRIEF =
  'Out|Taken off|Struck off|Hold|Denied|UNS|DEL|Erase|Forgotten|Gesp.|abgem.|verst.|Rückl.|raus|abgelehnt|Désab.|Mail KO|DCD|Retrait|Disiscr.|Recesso|Quitar|Suprimido|Remover|Uitschr.|Slett|Wypisz|Odhl.|Çıktı|Стоп|不要|Year of death|Todestag'.split(
    '|',
  );
// Headers that name a mailing, but do not say that the person agreed.
const MAILINGS =
  'Email YN|EMAIL_FLG|E-bulletin|Mailshot|E-zine|Email blast|Newsl.|nl_flag|Email offers|Email news|Zusendung|Werbemails|Notiziario|Circolare|Envíos|Biuletyn|Wysyłka|Zpravodaj|Levelezőlista|Συνδρομητής|Съгласие|电子报'.split(
    '|',
  );

/** The outcome of an active person with this cell: subscribed (`sub`), a question (`ask`), or not mailed (`out`). */
async function becomes(header: string, cell: string, other: string): Promise<string> {
  const rows = [`p@x.test,active,${cell}`, `q@x.test,active,${other}`];
  const { contacts, reading } = await readList({ 'list.csv': `Email,Status,"${header}"\n${rows.join('\n')}\n` });
  const found = contacts.find(({ email }) => email === 'p@x.test');
  const asks = reading.findings.some(({ level }) => level === 'stop');
  return found && found.status === undefined ? 'sub' : asks && !found ? 'ask' : 'out';
}

test.each([...CONTRARY, ...BRIEF])(
  'subscribes no person with a yes, x or date in the column %s (C1, C10)',
  async (header) => {
    for (const [cell, other] of [
      ['x', ''],
      ['yes', 'no'],
      ['2021-03-04', ''],
    ] as const) {
      expect([header, cell, await becomes(header, cell, other)]).not.toEqual([header, cell, 'sub']);
    }
  },
);

test.each(MAILINGS)('asks the user about N, and not about Y, in the mailing column %s (C10)', async (header) => {
  expect(await becomes(header, 'N', 'Y')).toBe('ask');
  expect(await becomes(header, 'Y', 'N')).toBe('sub');
});

test('asks the user about "I do not agree" in a newsletter column (C10)', async () => {
  for (const header of ['Newsletter', 'I agree to receive the newsletter', 'Mailing list', 'Marketing']) {
    for (const cell of [
      ...['I do not agree', 'I disagree', 'Do not accept', 'Does not receive', 'does not want it', 'N - no'],
      ...['erhält nicht', 'n’accepte pas', 'nie wyraża', 'yes (stopped)', 'invoices only', 'Post', 'letter'],
    ]) {
      // If another cell is `Sports`, the column holds names of lists.
      const outcomes = [await becomes(header, cell, 'yes'), await becomes(header, cell, 'Sports')];
      expect([header, cell, ...outcomes]).toEqual([header, cell, 'ask', 'ask']);
    }
  }
});

test('asks the user about a row whose "Source file" is an opt-out list (C10)', async () => {
  for (const file of ['bounces.csv', 'optouts-2019.xlsx', 'cleaned_members_export_ab12.csv', 'Abmeldungen.xlsx']) {
    expect([file, await becomes('Source file', file, 'fair.csv')]).toEqual([file, 'ask']);
  }
  expect(await becomes('Source file', 'without bounces.csv', 'fair.csv')).toBe('sub');
});

test('keeps people subscribed when a header only resembles an opt-out (C10)', async () => {
  for (const header of ['Löschzug', 'Falschparker', 'Has email', 'Waiting list', 'Emails sent', 'Day off']) {
    expect([header, await becomes(header, 'no', 'yes')]).toEqual([header, 'sub']);
  }
  for (const cell of ['Cooking', 'Travel & more', 'Non-profit news', 'Weekly']) {
    expect([cell, await becomes('Newsletter', cell, 'Sports')]).toEqual([cell, 'sub']);
  }
});

test('offers dates under newsletter_end as opt-out dates (C11)', async () => {
  const list = 'Email,Status,newsletter_end\np@x.test,active,2021-03-04\nq@x.test,active,\n';
  const { finding } = await readList({ 'list.csv': list });
  expect(finding('unknown_status')).toMatchObject({
    when: 'This unsubscribes 1 row',
    hint: '--map newsletter_end=unsubscribed_at',
  });
});

test.each(['Death', 'Tod', 'Décès', '†', 'Out', 'Left', 'Year left', 'Austrittsjahr', 'Année de départ'])(
  'asks about a year under %s when the status is active (C10)',
  async (header) => {
    const { contacts, trouble } = await readList({
      'list.csv': `Email,Status,${header}\na@x.test,active,2020\nb@x.test,active,\n`,
    });
    expect([contacts.map(({ email }) => email), trouble]).toEqual([
      ['b@x.test'],
      expect.arrayContaining(['stop unknown_status']),
    ]);
  },
);

test.each(['School year', 'Graduation year', 'Birth year', 'Year joined', 'Credits left', 'Days left', 'Budget left'])(
  'does not ask about a year under %s (C10)',
  async (header) => {
    const { contacts, trouble } = await readList({ 'list.csv': `Email,Status,${header}\na@x.test,active,2020\n` });
    expect([contacts.length, trouble]).toEqual([1, []]);
  },
);

test.each(['Check-out', 'Time out', 'Logged out', 'Left eye', 'Sold out'])(
  'asks neither about a date nor about a yes under %s (C10)',
  async (header) => {
    for (const cell of ['2024-05-01', 'yes']) {
      const list = `Email,Status,${header}\na@x.test,active,${cell}\nb@x.test,active,\n`;
      const { contacts, trouble } = await readList({ 'list.csv': list });
      expect([contacts.length, trouble]).toEqual([2, []]);
    }
  },
);

const ENDED = [
  ...['同意撤回', '同意撤销', '同意撤銷', '同意取消', '同意拒绝', '同意关闭', '同意關閉', '同意終了', '同意无效'],
  ...[
    '동의 철회',
    '동의 취소',
    '동의 거절',
    '동의 거부',
    '동의 해제',
    'سحب الموافقة',
    'رفض الموافقة',
    'إلغاء الموافقة',
  ],
];

test.each([
  ['Our newsletter consent was denied', true],
  ['Your newsletter consent may be denied later', false],
])('distinguishes a denied consent from one that may be denied: %s (C10)', (header, isEnded) => {
  expect(endsAgreement(wordsOf(header))).toBe(isEnded);
});

test.each(ENDED)('finds an ended consent in %s, but not in "consent" alone (C10)', (header) => {
  const agreement = /^(?:同意|동의)/u.exec(header)?.[0] ?? 'الموافقة';
  expect([header, agreement].map((text) => endsAgreement(wordsOf(text)))).toEqual([true, false]);
});

test.each(['Hủy', 'Huỷ', 'Berhenti', 'Ha marxat', 'D.O.D.', 'Left organisation', 'Left the organization', 'ยกเลิก'])(
  'asks about a yes, a tick and a date under %s (C10, C11)',
  async (header) => {
    for (const cell of ['yes', 'x', '2020-01-01']) {
      const files = { 'list.csv': `Email,Status,${header}\na@x.test,active,\nb@x.test,active,${cell}\n` };
      const lists = await readAndPaste(files);
      const signedUp = lists.map((list) => list?.contacts.filter(({ status }) => status === undefined));
      expect([cell, lists[0]?.trouble]).toEqual([cell, expect.arrayContaining(['stop unknown_status'])]);
      expect(signedUp.map((people) => people?.map(({ email }) => email))).toEqual([['a@x.test'], ['a@x.test']]);
    }
  },
);

const UNDONE =
  'Opt-out cancelled|Opt-out ended|Opt out revoked on|Opt-out withdrawn|Unsubscribe revoked|Ban lifted|Block lifted|Unblocked|Opted back in|Suppression removed|Removed from blacklist|Opt-out cancelled (Y/N)|Abmeldung widerrufen|Sperre aufgehoben am|Désinscription annulée|Baja cancelada|Do not contact lifted|Cancellation withdrawn|Revoked opt-out|Отписка отменена';

test.each(UNDONE.split('|'))('asks about a no, a yes and a date under %s (C10, C11)', async (header) => {
  for (const cell of ['no', 'yes', '2020-01-01']) {
    const files = { 'list.csv': `Email,Status,${header}\na@x.test,active,\nb@x.test,active,${cell}\n` };
    const { contacts, suppressions, trouble } = await readList(files);
    const signedUp = (await pasteHints(files))?.contacts.filter(({ status }) => status === undefined);
    expect(trouble).toContain('stop unknown_status');
    expect([cell, contacts.map(({ email }) => email), suppressions]).toEqual([cell, ['a@x.test'], {}]);
    expect(signedUp?.map(({ email }) => email)).toEqual(['a@x.test']);
  }
});

test.each(['Unsubscribed/Removed', 'Unsubscribed or removed', 'Unsubscribed (removed)', 'Removed from list'])(
  'reads a yes under %s as an opt-out (C10)',
  async (header) => {
    const { contacts } = await readList({ 'list.csv': `Email,${header}\na@x.test,no\nb@x.test,yes\n` });
    expect(contacts.map(({ email, status }) => [email, status])).toContainEqual(['b@x.test', 'unsubscribed']);
  },
);

test.each([
  ...['Removed: unsubscribed', 'Removed (unsubscribed)', 'Removed due to unsubscribe', 'Cancelled - unsubscribed'],
  ...['Removed because unsubscribed', 'Cancelled: opted out', 'Removed, unsubscribed'],
])('opts a person out by a yes under %s, and asks nothing (C10)', async (header) => {
  const files = { 'list.csv': csv(`Email,Status,"${header}"`, 'a@x.test,active,yes', 'b@x.test,active,no') };
  const { trouble, contacts } = await readList(files);
  expect(trouble.filter((line) => line.startsWith('stop'))).toEqual([]);
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', 'unsubscribed'],
    ['b@x.test', undefined],
  ]);
});

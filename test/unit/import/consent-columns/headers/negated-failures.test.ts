import { expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints, readAndPaste } from '../../survey/checks/paste-hints.ts';

const NEGATED = [
  'Not bounced|Never bounced|Did not bounce|Didn’t bounce|Has not hard bounced|No hard bounce|Bounced: no|Bounced (no)',
  'Kein Bounce|Nie gebounced|Aucun rebond|Jamais rebondi|Sin rebote|Nessun rimbalzo|Geen bounce',
  'Never complained|Hasn’t complained|No spam|No complaints|Aucune plainte|Keine Beschwerde|Not marked as spam',
  'Sign me up, no spam|Subscribe to our newsletter. We never spam and never share your data|Not inactive',
  'Not suppressed|Not on suppression list|Not quarantined|Not undeliverable|Email not invalid',
  'No longer bounced|Bounce no longer valid|Never soft bounced|Niet meer gebounced|No newsletter bounced|No more bounces',
  'Not deleted|Not archived|Not dead|Nicht gelöscht|Nicht verstorben|Hasn’t unsubscribed|Jamais désabonné',
  'Bounce-free|Bounce free|Bouncefrei|Spam free|Spam-free|spamfree|Free of spam|Complaint-free|Unbounced|Unquarantined',
  'Free of unsub|Free of removed|Free from unsubscribes|Lacking opt-out|Clear of bounces|Cleared of bounces|Clean of spam',
  'Minus unsubscribes|Excluding unsubscribed|Except unsubscribed|Zero bounces|Zero unsubs|Nil complaints',
  'Outside suppression list|Absent from blacklist|Missing from unsub list|Off the unsub list|Other than unsubscribed',
  'Frei von Abmeldungen|Libre de bajas|Exempt de bounce|Vrij van bounces|Fri från avregistrering|Без отписки',
  'Unsub-free|Opt-out-free|Unsubless|Lacks unsubscribe|Less removed|Excl. unsubscribed|Besides unsubscribed|Nothing unsubscribed',
  'None unsubscribed|Ausgenommen Abgemeldete|Bounce-los|Livre de spam|Hors désabonnés|Excepto bajas|Tranne disiscritti',
  'Libero da spam|Utom avregistrerade|Wolny od spamu',
  'Unspammed|Unsuppressed|Spam-less|Spamless|Bounceless|Invalid-free|Free of invalid',
  'Consent not expired|Consent never denied|Permission not lapsed|Consentement non retiré|Toestemming niet ingetrokken',
  'Einwilligung nicht abgelaufen|Consentimiento no caducado|Consenso non scaduto|Toestemming niet verlopen|Согласие не истекло',
  'Consentement pas encore expiré|Consimțământul nu a expirat|Suostumus ei vanhentunut|同意不会过期|同意没有过期|同意失効なし|동의 미만료|동의 안 만료',
  'Consent expired soon|Consent expired reminder|Einwilligung bald abgelaufen|Einwilligung kurz vor abgelaufen|Consentement échu (rappel)',
  'Consenso quasi scaduto|Toestemming bijna verlopen|Consentimento quase expirado|Samtycke snart utgånget|Samtykke snart udløbet',
  'Souhlas brzy vypršel|Hozzájárulás hamarosan lejárt|Suostumus pian vanhentunut|Согласие истекло напоминание|Согласие почти истекло',
  '同意过期提醒|同意撤回提醒|同意即将过期|同意过期前|同意将失效|同意可撤回|同意期限切れ前|同意失効予定|同意失効まで',
  '동의 만료 예정|동의 만료 전|동의 만료 알림|동의 만료 임박|동의 철회 예정|동의 철회 가능|수신거부 예정',
]
  .join('|')
  .split('|');

/** What becomes of a person with a yes and a person with a no: as svc reads the list, and with the first answers. */
async function becomeUnder(header: string) {
  const files = { 'list.csv': csv(`Email,Status,"${header}"`, 'yes@x.test,active,yes', 'no@x.test,active,no') };
  const lists = await readAndPaste(files);
  return lists.map((list) => [list?.contacts.map(({ email, status }) => [email, status]), list?.suppressions]);
}

test.each(NEGATED)('asks about a yes and a no under a negated header such as %s (C10)', async (header) => {
  expect(await becomeUnder(header)).toEqual([
    [[], {}],
    [[], {}],
  ]);
});

const HYPHENATED =
  'not-left|never-left|not-gone|nicht-gekündigt|nicht-ausgetreten|no-baja|not-cancelled|not-blocked|not-dead|not-deleted|non-bounced|never-complained|non-revoked|not-quarantined|non-quarantined|not-junk|not-suppressed|not-dormant|not-lapsed|never-suspended|nicht-pausiert|not-archived|not-muted'.split(
    '|',
  );

test.each(HYPHENATED)('asks about a yes and a no under %s, whose "not" has a hyphen (C10)', async (header) => {
  expect(await becomeUnder(header)).toEqual([
    [[], {}],
    [[], {}],
  ]);
});

test.each(['not-bounced', 'nicht-gekündigt'])('asks about the cell %s in a status column (C10)', async (cell) => {
  const list = await readList({
    'list.csv': csv('Email,Subscription status', `a@x.test,${cell}`, 'b@x.test,active'),
  });
  expect([list.contacts.length, list.finding('unknown_status')?.hint]).toEqual([
    1,
    expect.stringContaining(`${cell}=`),
  ]);
});

test.each(['Reminder opt out', 'Opted out reminder'])(
  'unsubscribes a person by a yes under %s, an opt-out of reminders (C10)',
  async (header) => {
    const [read] = await becomeUnder(header);
    expect(read?.[0]).toContainEqual(['yes@x.test', 'unsubscribed']);
  },
);

const FAILURES = {
  bounced: [
    'Bounced|Email bounced, do not mail|Do not mail (bounced)|Hard bounce - do not contact|Bounce, no mail',
    'Bounce - niet meer mailen|Bounce, nicht mehr anschreiben|Rebotado, no enviar|Bounced: no such user|Hard bounced (not soft)',
    'No longer valid (bounced)|Bounced (no MX record)|Bounced, no newsletter|Rimbalzo, non inviare',
    'Nicht zugestellt (Bounce)|Non remis (rebond)|No entregado (rebote)|Mailbox not found (bounced)',
  ],
  complained: ['Complained', 'Spam - do not e-mail', 'Complaint, no mails', 'No. of complaints'],
};

test.each(
  Object.entries(FAILURES).flatMap(([state, headers]) =>
    headers.flatMap((line) => line.split('|').map((header) => [header, state] as const)),
  ),
)('suppresses a person by a yes under %s, and asks nothing (C6, C10)', async (header, state) => {
  const list = [[['no@x.test', undefined]], { [state]: ['yes@x.test'] }];
  expect(await becomeUnder(header)).toEqual([list, list]);
});

test.each(['NeverBounce', 'NeverBounce Status', 'Never Bounce Result', 'neverbounce_result'])(
  'asks nothing about the result of an address check under %s (C6, C10)',
  async (header) => {
    const list = await readList({
      'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,valid', 'b@x.test,active,invalid'),
    });
    expect([list.trouble, list.contacts.map(({ email }) => email), list.suppressions]).toEqual([[], ['a@x.test'], {}]);
  },
);

test.each(['Bounce date (not fixed)', 'No bounces since', 'Not inactive'])(
  'asks about a date under %s (C10)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,2020-01-01') };
    const signedUp = (await pasteHints(files))?.contacts.filter(({ status }) => status === undefined);
    expect([(await readList(files)).contacts, signedUp]).toEqual([[], []]);
  },
);

const OPPOSITES = [
  'Opted back in|Unblocked|Unblocked at|Unban date|Blocage levé|Blokkade opgeheven|Ban ended|Ban lifted',
  'Never bounced|Not bounced|Not deleted|Is not deleted|Not archived|Nicht gelöscht|No bounces since|Not suppressed',
  'No complaints|Sin quejas|Aucune plainte|Geen klacht|Keine Beschwerde|Never complained',
  'Unsubscribe cancelled on|Baja anulada|Hasn’t unsubscribed|Nunca dado de baja|Opt-out revoked on|Jamais désabonné',
  'Not left|Not opted out|Never left|Nicht ausgetreten|Not cancelled|Not gone|Hasn’t left|not-gone|Not unsubscribed',
]
  .join('|')
  .split('|');
const LEAVING = ['Left|Opted out|Unsubscribed at|Do not mail since|Gesp.|Ausgetreten am|Baja|No mail since']
  .join('|')
  .split('|');

/** The people whom the first answers make unsubscribed or suppress, by a date under the header. */
async function optedOutUnder(header: string, beside: string) {
  const optedOut = new Set<string>();
  for (const [dated, blank] of [
    ['2024-05-01', ''],
    ['2024-05-01', '2024-06-01'],
  ]) {
    const files = {
      'list.csv': csv(`Email,${beside},"${header}"`, `a@x.test,active,${dated}`, `b@x.test,active,${blank}`),
    };
    const list = await pasteHints(files);
    list?.contacts.filter(({ status }) => status === 'unsubscribed').forEach(({ email }) => optedOut.add(email));
    Object.values(list?.suppressions ?? {})
      .flat()
      .forEach((email) => optedOut.add(String(email)));
  }
  return [...optedOut];
}

test.each(OPPOSITES)('the first offered answer opts no person out by a date under %s (C11)', async (header) => {
  for (const beside of everyNth(['Status', 'City'], 2, OPPOSITES.indexOf(header))) {
    expect([beside, await optedOutUnder(header, beside)]).toEqual([beside, []]);
  }
});

test.each(LEAVING)('the first offered answer opts a person out by a date under %s (C11)', async (header) => {
  expect(await optedOutUnder(header, 'Status')).toContain('a@x.test');
});

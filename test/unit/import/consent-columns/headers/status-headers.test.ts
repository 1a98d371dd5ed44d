import { expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { csv, type ReadList, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';

const STOPS = [
  ...[
    'Stop',
    'Stopped',
    'Halt',
    'Block',
    'Mute',
    'Hold',
    'Pause',
    'Removal',
    'Delete',
    'Cancel',
    'Cancellation',
    'Ban',
  ],
  ...['Leave', 'Left', 'Quit', 'Exit', 'Rejected', 'Denied', 'Exclusion', 'Archive', 'Retired', 'Expired', 'Dropped'],
  ...['Lost', 'Churn', 'End', 'Silenced', 'Restricted', 'Withdrawal', 'Terminated', 'Opt-out', 'Unsubscribe'],
  ...['Sperr', 'Kündigung', 'Gekündigt', 'Cancellato', 'Bloqueo', 'Parado', 'Arrêt', 'Fermo'],
];

test('signs up no person with a yes under Stop status and the like (C10, C11)', async () => {
  for (const header of STOPS.flatMap((word, at) => (at % 2 === 0 ? [`${word} Status`] : [`Status ${word}`]))) {
    const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,no', 'd@x.test,') };
    const list = await pasteHints(files);
    const signedUp = list?.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
    expect([header, signedUp?.includes('a@x.test')]).toEqual([header, false]);
  }
});

test.each(['Stop Status', 'Block status', 'Mute status'])(
  'offers first to subscribe people with a no under %s (C11)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,no') };
    expect((await pasteHints(files))?.contacts).toEqual([{ email: 'b@x.test' }, { email: 'c@x.test' }]);
  },
);

test.each(['Regional status', 'Campaign status', 'Zone Status'])(
  'asks what a yes means under %s (C4)',
  async (header) => {
    const { contacts, trouble } = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no') });
    expect([contacts, trouble]).toEqual([[], ['stop unknown_status']]);
  },
);

test.each(['Status', 'Email status', 'Newsletter-Status', 'Opt-in Status', 'Statut abonnement', 'marketing_status'])(
  'subscribes people with a yes under %s (C10)',
  async (header) => {
    const { contacts } = await readList({
      'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,unsubscribed'),
    });
    expect(contacts).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test', status: 'unsubscribed' }]);
  },
);

test.each(['Opt-out', 'Unsubscribed', 'Stop status', 'Suppression status', 'Complaint status'])(
  'asks about "active" or "ok" under %s beside a status column (C10, C11)',
  async (header) => {
    for (const word of ['active', 'enabled', 'valid', 'verified', 'ok']) {
      const files = { 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${word}`, 'b@x.test,active,') };
      expect((await readList(files)).finding('unknown_status')?.message).toContain(`"${word}" (1)`);
      expect((await pasteHints(files))?.contacts).toEqual([{ email: 'b@x.test' }]);
    }
  },
);

const OPEN_HEADERS =
  'Inactive status|Deactivated status|Lapsed status|Email disabled status|Freeze status|Status away|Churn stage status|Zone status|Dormancy status|Vacation status|Sleep status|Snooze state|Paused status|Hiatus status|Ghosted status|Shadow status|Optional status|Ex status|Former member status|Lost contact status|Estado de pausa|Estado congelado|Stato di sospensione|Statut de gel|Status zawieszenia|Status der Pause|Status Austritt|Kündigung Status|Ruhestand Status|Pauze status|Paus status|Tauon tila|Newsletter pause status|Email freeze status|Subscription hold status|Contact leave status|Member ban status|Newsletter end|Inactive|Lapsed|Dormant|Deceased|Deleted at|Bounced|Invalid|Suppressed|Complained|Cancellation confirmed|Order confirmed|Order status|Customer status|Account status|Payment status|Lifecycle stage|Churn stage|Frozen|Pausenstatus|Kündigungsstatus|Austrittsstatus|Preferred channel|Foo'.split(
    '|',
  );

/** The words that may look like a sign-up, and the rows beside the word. */
const LISTS = ['active', 'ok', 'current', 'yes'].flatMap((word) =>
  [[], ['b@x.test,'], ['b@x.test,no']].map((others) => ({ word, rows: [`a@x.test,${word}`, ...others] })),
);

test('signs up no person with a yes when the header is unclear (C4, C10, C11)', async () => {
  const wrong: string[] = [];
  for (const [at, header] of OPEN_HEADERS.entries()) {
    // Each list meets an eighth of the headers, and each header meets one or two of the lists.
    for (const { word, rows } of everyNth(LISTS, 8, at)) {
      const list = await pasteHints({ 'list.csv': csv(`Email,${header}`, ...rows) });
      const signedUp = list?.contacts.some(({ email, status }) => email === 'a@x.test' && status === undefined);
      wrong.push(...(signedUp ? [`${header}: ${word} of ${rows.length}`] : []));
    }
  }
  expect(wrong).toEqual([]);
});

const NEUTRAL_HEADERS =
  'Status|Email status|Newsletter status|Subscription status|Member Status|Contact status|Marketing status|Subscriber state|Mailchimp status|Opt-in status|List status|Current status|Status (1)|Email subscription status|Statut de l’abonnement|Statut du contact|Estado de la suscripción|Stato iscrizione|Estado da assinatura|E-Mail-Status|Status Newsletter|Abonnement status|Status subskrypcji|Status för prenumeration|Uutiskirjeen tila|Abonelik durumu|Статус подписки|配信ステータス|订阅状态|구독 상태|Sign-up status|Status__c|Status now|Statut à l’infolettre|Weekly newsletter status|Stato dell’iscrizione|Stato dell’abbonamento|Stato sottoscrizione|Estado da subscrição|Statut du membre|Status newslettera|Stav newsletteru|Stav odberateľa|Tilauksen tila|Üyelik durumu|Статус на абонамента|Статус підписника|Κατάσταση συνδρομητή'.split(
    '|',
  );

test('signs up people with "active" under each neutral status header (C10)', async () => {
  const wrong: string[] = [];
  for (const header of NEUTRAL_HEADERS) {
    const rows = ['a@x.test,active', 'b@x.test,unsubscribed'];
    const { contacts, trouble } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) });
    wrong.push(...(contacts.length === 2 && trouble.length === 0 ? [] : [header]));
  }
  expect(wrong).toEqual([]);
});

test.each(['subscribed', 'opted in', 'abonniert'])(
  'reads %s as subscribed also under an unclear status header (C10)',
  async (word) => {
    for (const header of ['Freeze status', 'Zone status', 'Customer status', 'Churn stage']) {
      const { contacts } = await readList({ 'list.csv': csv(`Email,${header}`, `a@x.test,${word}`, 'b@x.test,') });
      expect([header, contacts]).toEqual([header, [{ email: 'a@x.test' }]]);
    }
  },
);

test.each(['Inactive', 'Lapsed status', 'Email disabled status', 'Bounced', 'Deceased'])(
  'the first answer signs up no person when %s is the only status (C11)',
  async (header) => {
    for (const word of ['yes', '2021-03-04']) {
      const list = await pasteHints({ 'list.csv': csv(`Email,${header}`, `a@x.test,${word}`, 'b@x.test,') });
      expect([header, word, list?.contacts.filter(({ status }) => status === undefined)]).toEqual([header, word, []]);
    }
  },
);

// The words beside an agreement can be any, so `active` counts only beside words that svc knows.
test.each(['frozen', 'freeze', 'paused', 'hiatus', 'vacation', 'Ruhe', 'gelé', 'congelada', 'Zorb', 'exabonné'])(
  'asks about the word active when a consent header contains %s (C10)',
  async (word) => {
    for (const header of ['Newsletter', 'Subscription', 'Marketing consent', 'Abonnement'].flatMap((agreement) => [
      `${agreement} ${word}`,
      `${word} ${agreement.toLowerCase()}`,
    ])) {
      const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,active', 'b@x.test,unsubscribed') };
      const list = await readList(files);
      expect([header, list.trouble]).toEqual([header, ['stop unknown_status']]);
      expect([header, statesOf(await pasteHints(files))]).toEqual([header, ['b@x.test unsubscribed']]);
    }
  },
);

test.each([
  ...[
    'Newsletter',
    'Weekly newsletter',
    'Email subscription',
    'Marketing opt-in',
    'Newsletter-Anmeldung',
    'Mailing list',
  ],
  ...[
    'Abonnement',
    'Inscription à la newsletter',
    'Suscripción al boletín',
    'Iscrizione alla newsletter',
    'Nieuwsbrief',
  ],
  ...['Newsletter EN', 'Newsletter (English)', 'Lettre d’information', 'Inscrito na newsletter', 'Newsletter italiano'],
  ...['Nyhetsbrev', 'Uutiskirje', 'Подписка на рассылку', 'Odběr', 'Hírlevél', 'メルマガ', '订阅', '구독', 'Abonelik'],
])('signs up a person with the word active under %s', async (header) => {
  const list = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,active', 'b@x.test,unsubscribed') });
  expect([header, statesOf(list)]).toEqual([header, ['a@x.test subscribed', 'b@x.test unsubscribed']]);
});

// Only the values show that these columns are a status.
test.each(['Hiatus', 'Away', 'Sabbatical', 'Karenz', 'Vacances', 'Zorb', 'Do we like them'])(
  'asks about the word active under the unclear header %s (C10)',
  async (header) => {
    for (const [further, cell] of [
      ['Town', 'Ulm'],
      ['Status', 'subscribed'],
    ]) {
      const rows = [`a@x.test,active,${cell}`, `b@x.test,unsubscribed,${cell}`];
      const files = { 'list.csv': csv(`Email,${header},${further}`, ...rows) };
      expect([header, statesOf(await pasteHints(files))]).toEqual([header, ['b@x.test unsubscribed']]);
    }
  },
);

test.each(['', 'Column5', 'Unnamed: 3', 'Contact', 'Mailchimp', 'Verteiler', 'Type', 'Field 1'])(
  'signs up a person with the word active when the header is vague: "%s"',
  async (header) => {
    const list = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,active', 'b@x.test,unsubscribed') });
    expect([header, statesOf(list)]).toEqual([header, ['a@x.test subscribed', 'b@x.test unsubscribed']]);
  },
);

// These headers can also name a region or a condition.
test.each(['State:active', 'Estado:activo', 'Stan:aktywny', 'Zustand:aktiv', 'Situation:actif', 'Condition:active'])(
  'asks about %s when all rows have this value (C4, C11)',
  async (column) => {
    const [header, word] = column.split(':');
    const rows = [`a@x.test,${word},Ulm`, `b@x.test,${word},Bonn`];
    const files = { 'list.csv': csv(`Email,${header},City`, ...rows) };
    expect((await readList(files)).trouble).toEqual(['stop unknown_status']);
    expect((await pasteHints(files))?.contacts).toEqual([]);
    const agreed = await readList(files, { statusMap: { [column]: 'subscribed' } });
    expect([agreed.trouble, agreed.contacts.length]).toEqual([[], 2]);
    const left = await readList({ 'list.csv': csv(`Email,${header},City`, ...rows, 'c@x.test,unsubscribed,Rome') });
    expect([left.trouble, left.contacts.length]).toEqual([[], 3]);
  },
);

test.each(['Status', 'Statut', 'Stav', 'Subscription state', 'Email state', 'Contact state'])(
  'signs up a person when the only word under %s is "active"',
  async (header) => {
    const list = await readList({ 'list.csv': csv(`Email,${header}`, 'a@x.test,active') });
    expect(statesOf(list)).toEqual(['a@x.test subscribed']);
  },
);

function statesOf(list: ReadList | undefined) {
  return list?.contacts.map(({ email, status }) => `${email} ${status ?? 'subscribed'}`);
}

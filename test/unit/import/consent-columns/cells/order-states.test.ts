import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';

/** States of orders: one that is paid or sent, and one that is cancelled. */
const ORDERS = [
  ['bezahlt', 'storniert'],
  ['Versendet', 'storniert'],
  ['paid', 'cancelled'],
  ['completed', 'canceled'],
  ['wc-completed', 'wc-cancelled'],
  ['Shipped', 'Blocked'],
  ['fulfilled', 'declined'],
  ['payé', 'annulée'],
  ['pagado', 'cancelado'],
  ['pagato', 'annullato'],
  ['entregue', 'cancelada'],
  ['betaald', 'opgezegd'],
  ['zapłacono', 'anulowany'],
  ['оплачен', 'отменен'],
  ['已付款', '已取消'],
] as const;

test.each(ORDERS)('asks the user about order states %s and %s under Status (C10, C11)', async (good, ended) => {
  const files = { 'list.csv': csv('Email,Status', `a@x.test,${good}`, `b@x.test,${ended}`, `c@x.test,${good}`) };
  const { contacts, suppressions, finding } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect([contacts, suppressions]).toEqual([[], {}]);
  expect(finding('unknown_status')?.message).toContain(`"${ended}" (1)`);
  expect((await pasteHints(files))?.contacts).toEqual([]);
});

test('reads unsubscribed and bounced beside the states of orders (C10)', async () => {
  const rows = ['a@x.test,paid', 'b@x.test,unsubscribed', 'c@x.test,bounced hard', 'd@x.test,paid'];
  const { contacts, suppressions } = await readList({ 'list.csv': csv('Email,Status', ...rows) });
  expect([contacts, suppressions]).toEqual([
    [{ email: 'b@x.test', status: 'unsubscribed' }],
    { bounced: ['c@x.test'] },
  ]);
});

test('unsubscribes a "cancelled" person when other people are "active" (C10)', async () => {
  const { contacts, trouble } = await readList({
    'list.csv': csv('Email,Status', 'a@x.test,active', 'b@x.test,cancelled'),
  });
  expect([contacts, trouble]).toEqual([[{ email: 'a@x.test' }, { email: 'b@x.test', status: 'unsubscribed' }], []]);
});

test.each([
  ['Status', ['paid', 'cancelled', 'unsubscribed', 'unsubscribed'], '; this ignores "unsubscribed" (2) in it'],
  ['Status', ['paid', 'cancelled', 'shipped', 'shipped'], ''],
  ['Opted out', ['maybe', 'no', 'yes', 'no'], '; this ignores "yes" (1) in it'],
])('the offer to ignore the column %s names the opt-outs in it: %j (C11)', async (header, cells, ignored) => {
  const rows = cells.map((cell, at) => `p${at}@x.test,${cell}`);
  const { finding } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) });
  expect(finding('unknown_status')?.otherwise?.map(({ when }) => when)).toContain(
    `Only if the column "${header}" is not about mail${ignored}`,
  );
});

test('asks about "cancelled" when only late rows have order states (C10, C11)', async () => {
  const early = Array.from({ length: 60 }, (_, row) => `p${row}@x.test,${row % 9 === 0 ? 'cancelled' : 'active'}`);
  const files = { 'list.csv': csv('Email,Status', ...early, 'y@x.test,paid', 'z@x.test,cancelled') };
  const { reading } = await readList(files);
  const stops = reading.findings.filter(({ level }) => level === 'stop').map(({ message }) => message);
  expect(stops.join()).toContain('8 rows say "cancelled" in "Status", which also has states of orders');
  const pasted = await pasteHints(files);
  expect(pasted?.contacts.filter(({ status }) => status !== undefined)).toEqual([]);
  expect(pasted?.contacts).toHaveLength(53);
});

test('asks about "cancelled" when order states follow many other values (C10)', async () => {
  const others = Array.from({ length: 80 }, (_, row) => `p${row}@x.test,batch ${row}`);
  const late = ['x@x.test,paid', 'y@x.test,cancelled', 'z@x.test,active'];
  const files = { 'list.csv': csv('Email,Status', ...others, ...late) };
  const answers = { statusMap: { 'Status:*': 'skip' } };
  const { finding } = await readList(files, answers);
  expect(finding('unknown_status')?.message).toContain('1 row says "cancelled" in "Status"');
  expect((await pasteHints(files, answers))?.contacts).toEqual([{ email: 'z@x.test' }]);
  const unsubscribed = await readList(files, { statusMap: { 'Status:*': 'unsubscribed' } });
  expect(unsubscribed.finding('unknown_status')).toBeUndefined();
});

const UNCLEAR_VALUES = [
  ['Account status', 'active', 'deleted'],
  ['Account status', 'open', 'terminated'],
  ['User status', 'active', 'banned'],
  ['Customer status', 'active', 'Deleted (GDPR)'],
  ['Customer status', 'active', 'Anonymised'],
  ['Customer account status', 'enabled', 'erased'],
  ['Account status', 'active', 'suspended'],
  ['Account status', 'disabled', 'Closed'],
  ['User status', 'active', 'locked'],
  ['User state', 'active', 'Blocked by admin'],
  ['Account state', 'cancelled', 'Account suspended (fraud)'],
  ['Kundenstatus', 'aktiv', 'gelöscht'],
  ['Kundenstatus', 'gekündigt', 'Konto geloescht'],
  ['Klantstatus', 'actief', 'gesloten'],
  ['Statut client', 'actif', 'supprimée'],
  ['Statut du compte', 'désabonné', 'fermé'],
  ['Customer status', 'active', 'eliminada'],
  ['Customer status', 'active', 'удалена'],
  ['Account Status', 'Active', 'Inactive'],
  ['Customer status', 'Active', 'Not active'],
  ['Donor status', 'Lapsed', 'Inactive'],
  ['Constituent Status', 'Active', 'Inactive'],
  ['Supporter status', 'Active', 'Inactive'],
  ['Volunteer status', 'Active', 'Inactive'],
  ['Kundenstatus', 'aktiv', 'ehemalig'],
  ['Kundenstatus', 'aktiv', 'inaktiv'],
  ['Mitgliedsstatus', 'passiv', 'ruhend'],
  ['Statut client', 'actif', 'inactif'],
  ['Statut de membre', 'actif', 'inactive'],
  ['Stato socio', 'attivo', 'inattiva'],
  ['Klantstatus', 'actief', 'inactief'],
  ['Medlemsstatus', 'aktiv', 'inaktiv'],
  // svc asks about a high rate, but not about the low rate of the others.
  ['Bounce rate', '0%', '100%'],
  ['Bounces', '0 %', '50 %'],
  ['Bounce rate', '0.0', '1.0'],
  ['Which emails do you want?', 'News', 'None of these'],
] as const;

test.each(UNCLEAR_VALUES)(
  'asks about the second of two people when %s says %s, then %s (C10)',
  async (header, good, left) => {
    const rows = [`ana@x.test,active,${good}`, `bo@x.test,active,${left}`];
    const { contacts, trouble } = await readList({ 'list.csv': `Email,Status,${header}\n${rows.join('\n')}\n` });
    expect(trouble).toContain('stop unknown_status');
    expect(contacts.map(({ email }) => email)).toEqual(['ana@x.test']);
  },
);

test.each([
  ['Order status', 'deleted'],
  ['Invoice status', 'deleted'],
  ['Order status', 'closed'],
  ['Kundenstatus', 'gekündigt'],
  ['Account status', 'closed won'],
  ['Customer status', 'disabled'],
  ['Plan status', 'inactive'],
  ['Membership status', 'Lapsed'],
  ['Mitgliedsstatus', 'passiv'],
])('does not ask under %s about %s (C10)', async (header, cell) => {
  const { contacts } = await readList({ 'list.csv': `Email,Status,${header}\nbo@x.test,active,${cell}\n` });
  expect(contacts.map(({ email }) => email)).toEqual(['bo@x.test']);
});

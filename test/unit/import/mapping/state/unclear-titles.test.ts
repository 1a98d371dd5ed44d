import { expect, test } from 'vitest';
import { hasUnclearState, stateByTitle } from '../../../../../src/import/consent-columns/other-columns/list-names.ts';
import { csv, readList } from '../../support.ts';

const UNCLEAR = [
  ...['Everybody except unsubscribed and bounced', 'Filter: status is not bounced', 'Filter: has not opted out'],
  ...['Unsubscribe rate 0.2 %; bounce rate 1 %', 'Segment: Subscribed AND NOT suppressed', 'Bounce-Rate Mai'],
  ...['Filter: all contacts incl. unsubscribed', 'Subscribed and unsubscribed contacts', 'all_but_unsubscribed.csv'],
  ...['Kontakte (inkl. Bounces)', 'Alle außer Abgemeldete', 'Alle, die nicht abgemeldet sind', 'Abmelderate Mai'],
  ...['Tous les contacts sauf désinscrits', 'Contacts, y compris les désabonnés', 'Taux de désinscription'],
  ...['Todos excepto las bajas', 'Contactos, salvo cancelados', 'Contactos incluidas las bajas', 'Tasa de bajas'],
  ...['Tutti tranne i disiscritti', 'Tutti esclusi i disiscritti', 'Tutti compresi i disiscritti'],
  ...['Todos exceto descadastrados', 'Todos menos os cancelados', 'Iedereen behalve uitgeschreven'],
  ...['Alle contacten inclusief afgemelde', 'Wszyscy oprócz wypisanych', 'Kontakty łącznie z wypisanymi'],
  ...['Alla utom avregistrerade', 'Alle unntatt avmeldte', 'Alle undtagen afmeldte', 'Kaikki paitsi perutut'],
  ...['Все контакты, кроме отписавшихся', 'Контакты, включая отписавшихся', 'Все, кто не отписался'],
];

const COLUMNS = csv('Name,Email,Letter', 'Ana,ana@x.test,yes', 'Bo,bo@x.test,stopped 2023', 'Cy,cy@x.test,no');
const WISHES = csv('Name,Email,Wants our mails', 'Ana,ana@x.test,yes', 'Bo,bo@x.test,no');

test.each(UNCLEAR)('shows the columns and offers no state when the title is "%s" (C4, C11)', async (title) => {
  const { finding } = await readList({ 'l.csv': `"${title}"\n${COLUMNS}` }, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('no_status')).toMatchObject({
    level: 'stop',
    message: expect.stringMatching(/its title mentions people who opted out, but may mean others; .*"Letter": "yes"/),
    hint: '--map Letter=status',
    otherwise: [{ flags: '--default-status l.csv=unsubscribed' }, { flags: '--default-status l.csv=subscribed' }],
  });
});

test.each(UNCLEAR)('offers first to skip even people with a yes below the title "%s" (C11)', async (title) => {
  const { finding } = await readList({ 'l.csv': `"${title}"\n${WISHES}` });
  expect(finding('no_status')).toMatchObject({
    hint: '--default-status l.csv=skip',
    otherwise: [
      { flags: "--status-map 'Wants our mails:yes=subscribed'" },
      { flags: '--default-status l.csv=unsubscribed' },
      { flags: '--default-status l.csv=subscribed' },
    ],
  });
});

test('signs no person up by a default when the file name is unclear (C4, C11)', async () => {
  const name = 'all-except-unsubscribed-and-bounced.csv';
  const { finding, contacts } = await readList(
    { [name]: csv('Email', 'a@x.test') },
    { defaultStatus: { '*': 'subscribed' } },
  );
  expect(contacts).toEqual([]);
  expect(finding('no_status')).toMatchObject({
    message: expect.stringContaining('its name mentions people who opted out, but may mean others'),
    hint: `--default-status ${name}=skip`,
  });
});

test.each([
  ...['Unsubscribed contacts', 'Unsubscribed, no duplicates', 'bounces_no_dups', 'Unsubscribed (no longer interested)'],
  ...['People who unsubscribed and must not be mailed', 'Unsubscribed - do not mail', 'Never subscribed', 'DNC'],
  ...['Corporate contacts unsubscribed', 'do-not-mail', 'not-opted-in', 'Not confirmed', 'no consent', 'Excluded'],
  ...['keine Werbung', 'Gesperrt: nicht anschreiben', 'Désinscrits (ne pas contacter)', 'Bajas - no enviar'],
  ...['Contacts who do not want our newsletter any more', 'Contacts who objected', 'Opt-out list', '除外リスト'],
])('reads the title "%s" as the title of an opt-out list (C4)', (title) => {
  expect([stateByTitle([title]) === undefined, hasUnclearState([title])]).toEqual([false, false]);
});

test('knows the state of a list when one of two titles is clear (C4)', () => {
  expect(hasUnclearState(['Unsubscribed contacts', 'Filter: status is not bounced'])).toBe(false);
});

test.each([
  ['l.csv', 'Bounced contacts\n', ['bounced', 'subscribed']],
  ['l.csv', 'Blacklist\n', ['unsubscribed', 'suppressed', 'subscribed']],
  ['bounces.csv', '', ['bounced', 'subscribed']],
])('does not offer first to suppress %s, title %j, when rows say yes (C11)', async (name, title, later) => {
  const { finding } = await readList({ [name]: `${title}${WISHES}` });
  expect(finding('no_status')).toMatchObject({
    hint: `--default-status ${name}=skip`,
    otherwise: later.map((state) => ({ flags: `--default-status ${name}=${state}` })),
  });
});

test('offers no yes=subscribed when the file name mentions opt-outs (C10, C11)', async () => {
  const name = 'all-except-bounced-and-unsubscribed.csv';
  const { finding } = await readList({ [name]: WISHES });
  expect(finding('no_status')).toMatchObject({
    hint: `--default-status ${name}=skip`,
    otherwise: ['unsubscribed', 'subscribed'].map((state) => ({ flags: `--default-status ${name}=${state}` })),
  });
});

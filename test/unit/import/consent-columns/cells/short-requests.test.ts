import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const REQUESTS = [
  ...['Remove me', 'take me off', 'please stop', 'Please remove me', 'delete me please', 'count me out', 'Take us off'],
  ...['bitte löschen Sie mich', 'streicht mich bitte', 'nehmt mich raus', 'retirez-moi'],
  ...['supprimez-moi', 'me remova', 'verwijder mij', 'haal me eraf'],
  ...['ta bort mig', 'slet mig', 'fjern meg', 'poistakaa minut', 'удалите меня'],
];

test.each(REQUESTS)('does not subscribe a person who wrote "%s" in any column (C10)', async (cell) => {
  for (const header of ['Response', 'answer', 'question']) {
    const files = { 'list.csv': csv(`Email,${header}`, 'ana@x.test,Yes', 'cy@x.test,Yes', `bo@x.test,${cell}`) };
    const { contacts } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
    expect(contacts.filter(({ status }) => status === undefined).map(({ email }) => email)).not.toContain('bo@x.test');
  }
});

test.each(['Will nichts mehr', 'bórrenme', 'quítenme', 'cancellatemi', 'wil niets meer', 'möchte nichts mehr'])(
  'asks the user about "%s" in a column with a vague header (C10)',
  async (cell) => {
    const files = { 'list.csv': csv('Email,Status,Response', 'ana@x.test,active,Yes', `bo@x.test,active,${cell}`) };
    expect((await readList(files)).trouble).toContain('stop unknown_status');
  },
);

test.each([
  ...['stop sign', 'Remove the tree', 'take me to Rome', 'please stop by', 'count me in', 'delete key broken'],
  ...['nehmen Sie Platz', 'nichts Besonderes', 'nichts', 'Fjern', 'Haal', 'mich', 'tire pressure'],
])('does not ask the user about "%s" in a column with a vague header (C10)', async (cell) => {
  const files = { 'list.csv': csv('Email,Status,Response', 'ana@x.test,active,Yes', `bo@x.test,active,${cell}`) };
  expect((await readList(files)).trouble).not.toContain('stop unknown_status');
});

test.each([
  ['Bem.', 'abgem.'],
  ['Bem.', 'will nichts mehr'],
  ['Anmerkung', 'will nichts mehr'],
  ['Notiz', 'abgem. 3.4.'],
  ['obs', 'ya no quiere'],
])('asks the user about a short note in the column %s: %s (C10)', async (header, cell) => {
  const files = { 'list.csv': csv(`Email,Status,${header}`, 'ana@x.test,active,VIP', `bo@x.test,active,${cell}`) };
  expect((await readList(files)).trouble).toContain('stop unknown_status');
});

/** Refusals of one to four words, as notes or tags. */
const BRIEF_REFUSALS = [
  ...['go away', 'not for me', 'rather not', 'prefer not to', 'do not want', 'stop it', 'no more', 'bitte nicht'],
  ...['lieber nicht', 'nie wieder', 'lass mich in Ruhe', 'kein Bedarf', 'plus jamais', 'jamais', 'pas besoin'],
  ...['arrêtez', 'nunca más', 'no deseo', 'mai più', 'nunca mais', 'nooit meer', 'nigdy więcej', 'aldrig mer'],
  ...['aldri mer', 'ei koskaan', 'hayır teşekkürler', 'bir daha asla', 'ilgilenmiyorum', 'už nikdy', 'ne děkuji'],
  ...['nem kérem', 'soha többé', 'nu vreau', 'niciodată', 'нет спасибо', 'больше никогда', 'не надо', 'δεν θέλω'],
  ...['ποτέ ξανά', '别再发了', 'いりません', '結構です', 'やめてください', '필요 없음', '원하지 않음'],
];

test.each(['Notes', 'Feedback', 'Tags', 'Newsletter', 'Marketing consent', 'Status'])(
  'does not subscribe a person with a brief refusal in %s (C10)',
  async (header) => {
    const rows = BRIEF_REFUSALS.map((cell, at) => `p${at}@x.test,${cell},subscribed`);
    const usual = ['a@x.test', 'b@x.test', 'c@x.test'].map((email) => `${email},active,subscribed`);
    const { contacts } = await readList({ 'list.csv': csv(`Email,${header},Subscription`, ...usual, ...rows) });
    const mailed = contacts.filter(({ status, email }) => status === undefined && email.startsWith('p'));
    expect(mailed).toEqual([]);
  },
);

test('does not ask about harmless notes that resemble brief refusals (C10)', async () => {
  const notes = [
    'mai 2021',
    'away team',
    'rather new',
    'bitte anrufen',
    'Besoin de devis',
    'never late',
    'надо позвонить',
  ];
  const rows = notes.map((cell, at) => `p${at}@x.test,${cell},subscribed`);
  const { contacts } = await readList({ 'list.csv': csv('Email,Notes,Subscription', ...rows) });
  expect(contacts).toHaveLength(notes.length);
});

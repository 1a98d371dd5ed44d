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

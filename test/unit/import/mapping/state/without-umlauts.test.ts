import { expect, test } from 'vitest';
import { stateByName } from '../../../../../src/import/mapping/state/default-status.ts';
import { meaningOf, tableOf } from '../../consent-columns/vocabulary/golden.ts';
import { csv, readList } from '../../support.ts';

const HEADERS = [
  ['gelöscht', 'geloescht'],
  ['gelöscht am', 'geloescht am'],
  ['gekündigt', 'gekuendigt'],
  ['Kündigung', 'Kuendigung'],
  ['Kündigungsdatum', 'Kuendigungsdatum'],
  ['ungültige Adresse', 'ungueltige Adresse'],
  ['Bestätigt', 'Bestaetigt'],
  ['Empfänger', 'Empfaenger'],
  ['Newsletter gelöscht', 'Newsletter geloescht'],
  ['Newsletter gekündigt', 'newsletter_gekuendigt'],
  ['Löschwunsch', 'Loeschwunsch'],
  ['Dødsdato', 'Doedsdato'],
] as const;
const CELLS = ['ja', 'nein', 'x', '', '2021-03-04', '04.05.2021', 'xyzzy'];

test.each(HEADERS)('reads the header %s the same when it is spelled %s (C10)', (right, spelled) => {
  const read = (header: string) => CELLS.map((cell) => meaningOf(tableOf([header]), cell));
  expect(read(spelled)).toEqual(read(right));
});

test.each(['Ruecklaeufer', 'Ruecklauf', 'RUECKLAEUFER'])(
  'asks the user about a mark in the bounce column %s (C5)',
  (header) => {
    expect(meaningOf(tableOf([header]), 'x')).toBe('refused');
  },
);

const NOTES = [
  ['bitte löschen', 'bitte loeschen'],
  ['hat gekündigt', 'hat gekuendigt'],
  ['Adresse ungültig', 'Adresse ungueltig'],
  ['auf Wunsch gelöscht', 'auf Wunsch geloescht'],
  ['möchte nicht', 'moechte nicht'],
  ['Mail kommt zurück', 'Mail kommt zurueck'],
  ['Werbung unerwünscht', 'Werbung unerwuenscht'],
  ['Rückläufer', 'Ruecklaeufer'],
  ['ønsker ikke mail', 'oensker ikke mail'],
  ['må ikke kontaktes', 'maa ikke kontaktes'],
] as const;

test.each(NOTES)('reads the cell %s the same when it is spelled %s (C10)', (right, spelled) => {
  const read = (cell: string) =>
    ['Notes', 'Bemerkung', 'Status', 'Address', 'Consent'].map((header) => meaningOf(tableOf([header]), cell));
  expect(read(spelled)).toEqual(read(right));
  expect(read(spelled)[0]).not.toBe('-');
});

test.each(['geloescht', 'Kuendigung', 'gekuendigt', 'zu loeschen'])(
  'asks the user about the cell %s in a column of street names (C10)',
  async (cell) => {
    const rows = ['ana@x.test,active,Bonn', `bo@x.test,active,${cell}`];
    expect((await readList({ 'list.csv': csv('Email,Status,Strasse', ...rows) })).trouble).toContain(
      'stop unknown_status',
    );
  },
);

test.each(['gekuendigt.csv', 'gekündigt.csv', 'geloescht.csv', 'Kuendigungen.csv', 'Loeschliste.csv'])(
  'reads the file name %s as an opt-out list (C4)',
  (name) => {
    expect(stateByName({ path: name, name, entry: undefined })).toBe('unsubscribed');
  },
);

const HARMLESS = [
  ...['Loesch', 'Kuendig', 'Anna Loeschner', 'Kuenzel', 'Rueckert', 'Mueller', 'Noemi', 'Joe', 'Jae', 'Zoe', 'Guelten'],
  ...['Loeschzug 3', 'Loeschgruppe Nord', 'Rueckgabe 3. Mai', 'does shoes', 'Rue de la Poste', 'blue shoes', 'Israel'],
];

test.each(HARMLESS)('does not ask the user about the name, street or product %s (C10)', (cell) => {
  const headers = ['Last name', 'Street', 'Product'];
  expect(headers.map((header) => meaningOf(tableOf([header]), cell))).toEqual(['-', '-', '-']);
});

test.each(['Loeschzug', 'Loeschgruppe', 'Maa', 'Shoe size', 'Due', 'Value', 'Venue', 'Issue', 'Rueckgabe'])(
  'does not read the header %s as an opt-out column (C10)',
  (header) => {
    expect(['x', '2021-03-04'].map((cell) => meaningOf(tableOf([header]), cell))).toEqual(['-', '-']);
  },
);

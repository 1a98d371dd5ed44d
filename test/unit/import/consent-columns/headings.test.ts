import { expect, test } from 'vitest';
import {
  explainsOptOutMark,
  isOptOutHeading,
  namesOptOutList,
  namesTotal,
} from '../../../../src/import/consent-columns/cells/headings.ts';
import { csv, readList } from '../support.ts';

// The words are repeated here, so that the test fails when the source loses a word.

const lines = (text: string) => text.split('|');
const missing = (text: string, isFound: (one: string) => boolean) => lines(text).filter((one) => !isFound(one));
const found = (text: string, isFound: (one: string) => boolean) => lines(text).filter(isFound);

const TOTALS =
  'Subtotal|Sub-total|Sub total|Total|Grand Total:|Count: 3|Sum|Zwischensumme|Teilergebnis|Gesamt|Summe|Anzahl|Sous-total|Sous total|Soustotal|Suma|Subtotale|Totale|Totaal|Subtotaal|Recuento|Conteggio|Aantal|Total geral|Итого|Всего|合計|小計|总计|小计';

test('recognizes a row of totals in each language of reports (C10)', () => {
  expect(missing(TOTALS, (word) => namesTotal([word, '', ' 3 ']))).toEqual([]);
  expect(missing(TOTALS, (word) => namesTotal(['', word, '3', 'Count']))).toEqual([]);
  expect(found('Totally|Counter|Sumner|Summer|Gesamtschule|Sumatra|3', (word) => namesTotal([word, '3']))).toEqual([]);
  expect([namesTotal(['Total', 'Anna', '3']), namesTotal(['', ''])]).toEqual([false, false]);
});

const FORMER =
  'Former members|Past subscribers|Ex-Mitglieder|Ehemalige Mitglieder|Ehemalige Abonnenten|Anciens membres|Anciennes membres|Ancien membre|Antiguos socios|Antigos sócios|Oud leden|Oud-leden|Tidigare medlemmar|Tidligere medlemmer|Entiset kontaktit|Former contacts|Ex soci|Past member|Ex-Kontakte';

test('recognizes a heading for former members in each language (C10)', () => {
  const isHeading = (text: string) => isOptOutHeading([text, '', ''], ['Email', 'Name', 'City']);
  expect(missing(FORMER, isHeading)).toEqual([]);
  expect(found('Members|New members|Contacts|Former address', isHeading)).toEqual([]);
});

const ADDRESSES = 'emails|Adressen|addresses|direcciones|indirizzi|contacts|Kontakte';

test('distinguishes headings for people who left from address headers (C10)', () => {
  const isHeading = (...cells: readonly string[]) => isOptOutHeading([...cells, ''], ['Email', 'Name', 'City']);
  expect(['Gone', 'Gone people'].filter((text) => !isHeading(text))).toEqual([]);
  const rows = [
    ['Status', 'unsubscribed'],
    ['Group:', 'unsubscribed'],
    ['Rome', 'unsubscribed'],
    ['Status', 'Rome'],
  ];
  expect(rows.map((cells) => isHeading(...cells))).toEqual([true, true, false, false]);
  expect(found(ADDRESSES, (word) => isHeading(`Gone ${word}`))).toEqual([]);
  expect(missing('since 1999|since 2020|seit 01.05.2019', (when) => isHeading('Unsubscribed', when))).toEqual([]);
  expect(found('since 3020|since 12020|Rome', (other) => isHeading('Unsubscribed', other))).toEqual([]);
});

const LEFT =
  'Leavers|2023 leavers|Leavers (12)|Gone|Gone 2020|No longer with us|2019: no longer members|Ausgetreten 2023|2021 abgemeldet|Nicht mehr dabei|Ya no están';

test('recognizes a heading for people who left, also with a year (C10)', () => {
  const isHeading = (text: string) => isOptOutHeading([text, '', ''], ['Email', 'Name', 'City']);
  expect(missing(LEFT, isHeading)).toEqual([]);
  expect(found('2023 members|Class of 2019|Summary 2023|12|Total 12|Rome 2020', isHeading)).toEqual([]);
});

const TITLES =
  'Verteiler: Ehemalige|Greenpeace: unsubscribed|Rotary: left|Verteilerliste: Abgemeldete|Boldt: opted out';

test('does not read a name such as Greenpeace as a legend for a color (C10)', () => {
  expect(found(TITLES, (title) => explainsOptOutMark([title]))).toEqual([]);
  expect(missing('Rote Zeilen: abgemeldet|Red: left|Grau: abgemeldet', (text) => explainsOptOutMark([text]))).toEqual(
    [],
  );
});

test('stops when the title names people who left, and says so (C4, C10)', async () => {
  for (const title of lines(TITLES)) {
    const list = await readList({ 'list.csv': csv(`${title},`, 'Email,Status', 'a@x.test,active', 'b@x.test,active') });
    const stops = list.reading.findings.filter(({ level }) => level === 'stop');
    expect(stops.map(({ message }) => message)).toEqual([expect.stringContaining('its title says')]);
  }
});

const LABELS =
  'Report|List|Filter|Filters|View|Segment|Query|Source|Selection|Saved search|Bericht|Berichtsname|Liste|Ansicht|Auswahl|Rapport|Vue|Filtre|Informe|Lista|Filtro|Vista|Rapporto|Elenco|Report name|List name|Rapportname';

test('recognizes an opt-out list named after a label such as "Report:" (C10)', () => {
  expect(missing(LABELS, (label) => namesOptOutList([`${label}: unsubscribed`, '']))).toEqual([]);
  expect(missing(LABELS, (label) => namesOptOutList(['', `${label} = opted out`]))).toEqual([]);
  expect(found('Mailing|Column|Reporter', (label) => namesOptOutList([`${label}: unsubscribed`]))).toEqual([]);
  expect(found(LABELS, (label) => namesOptOutList([`${label}: subscribers`]))).toEqual([]);
});

const STYLES =
  'Red|Rot|Rouge|Rojo|Rosso|Rood|Yellow|Gelb|Gray|Grey|Grau|Gris|Orange|Green|Grün|Vert|Blue|Blau|Black|Schwarz|Pink|Bold|Fett|Italic|Italics|Kursiv|Durchgestrichen|Struck|Strike|Crossed|Barré|Tachado';
const SYMBOLS = '(1)|[x]|{a}|*|**|†|‡|§|°|~|^|¹|²|³|⁴|U:|x :';
const LEGENDS = 'Legend|Legende|Leyenda|Legenda|Key|Note|Notes|NB|Hinweis|Anmerkung|Zeichenerklärung';

test('recognizes a legend with a mark of opted-out people (C10)', () => {
  expect(missing(STYLES, (style) => explainsOptOutMark([`${style}: unsubscribed`]))).toEqual([]);
  expect(missing(SYMBOLS, (symbol) => explainsOptOutMark([`${symbol} unsubscribed`]))).toEqual([]);
  expect(missing(LEGENDS, (legend) => explainsOptOutMark([`${legend}: * = no mail; x = VIP`]))).toEqual([]);
  const separators = [', ', '; ', ' | ', '\n'];
  expect(separators.filter((sign) => !explainsOptOutMark([`x = VIP${sign}U = unsubscribed`]))).toEqual([]);
  expect(found(STYLES, (style) => explainsOptOutMark([`${style}: new people`]))).toEqual([]);
  expect(
    [
      ['U', 'unsubscribed'],
      ['3', 'opted out'],
      ['', 'U = no'],
    ].map(explainsOptOutMark),
  ).toEqual([true, true, true]);
  expect([['U', 'VIP'], ['Una', 'unsubscribed'], ['* = a@x.test left']].map(explainsOptOutMark)).toEqual([
    false,
    false,
    false,
  ]);
});

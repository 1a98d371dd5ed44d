import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

const LOST = ['\ufffd', '\ufffd\ufffd', '?'];

/** The headers with each sign that other programs write for a letter that they can't represent. */
function damaged(headers: string): readonly string[] {
  return headers.split('|').flatMap((header) => LOST.map((sign) => header.replace(/[^\0-\x7f]/gu, sign)));
}

const ENDS = damaged('Gekündigt am|Gelöscht am|Désinscrit le|Désabonné le|Newsletter gekündigt am|Abo gelöscht');

test.each(ENDS)('asks about a date under %s when the status is active (C10)', async (header) => {
  const rows = ['a@x.test,active,', 'b@x.test,active,2021-01-01'];
  const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  expect(finding('unknown_status')?.level).toBe('stop');
});

const ANSWERS = damaged('Newsletter gekündigt|Désabonné|Gekündigt|Newsletter erwünscht');

test.each(ANSWERS)('asks about a yes and a no under %s (C10, C11)', async (header) => {
  const rows = ['a@x.test,active,nein', 'b@x.test,active,ja'];
  const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  const { message, hint } = finding('unknown_status') ?? {};
  expect(contacts).toEqual([]);
  expect(message).toMatch(/"nein".*"ja"|"ja".*"nein"/u);
  expect(hint).not.toContain('=subscribed');
});

test('asks about a note with a lost letter that may say the person left (C10)', async () => {
  const rows = [
    'a@x.test,active,',
    'b@x.test,active,Abo gel\ufffdscht',
    'c@x.test,active,Gr\ufffd\ufffde aus K\ufffdln',
  ];
  const { contacts, finding } = await readList({ 'list.csv': csv('Email,Status,Notiz', ...rows) });
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(finding('unknown_status')?.message).toContain('gel\ufffdscht');
});

// Headers that svc can read although a letter is lost, each with cells that need an answer or are opt-outs.
const READABLE: readonly (readonly [string, string])[] = [
  ['Newsletter gewünscht', 'nein|Sommer|none|per Post|0|never'],
  ['Newsletter-Anmeldung bestätigt', 'nein|none|Sommer'],
  ['Einwilligung für Mail', 'nein|none|Sommer'],
  ['Abgemeldet für Newsletter', 'ja|per Telefon|Sommer|2021-01-01'],
  ['Unsubscribed ü', 'campaign March|yes|2021-01-01'],
  ['Newsletter für Gäste abgemeldet am', 'per Telefon|2021-01-01|ja'],
  ['Hardbounce für Mail', 'Hard bounce|yes'],
  ['Beschwerde für Mail', 'ja|complaint'],
  ['Gesperrt für Mail', 'ja|2021-01-01|Hard bounce'],
];

test.each(READABLE)('reads no cell under %s less strictly when letters are lost (C10)', (header, cells) => {
  for (const damagedHeader of damaged(header)) {
    for (const rows of [cells.split('|'), ['ja', 'nein'], ['eine lange Notiz', 'Sommer 2020', 'per Post']]) {
      const table = tableOf([damagedHeader], { rows: rows.map((cell) => [cell]) });
      const silent = cells
        .split('|')
        .filter((cell) => ['-', 'agrees', 'subscribed', 'blank'].includes(meaningOf(table, cell)));
      expect([damagedHeader, silent]).toEqual([damagedHeader, []]);
    }
  }
});

const ORDINARY = damaged('Geändert am|Straße|Größe|Prénom|Geändert|Länge|Téléphone|Año|Città|Społka|Hinzugefügt am');

test.each(ORDINARY)('does not ask about the cells under %s (C10)', async (header) => {
  for (const cells of [
    ['2021-01-01', ''],
    ['Ringstrasse 3', 'Am Tor'],
    ['ja', 'nein'],
    ['12', '14'],
  ]) {
    const rows = cells.map((cell, at) => `p${at}@x.test,active,${cell}`);
    const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect([header, contacts.length, finding('unknown_status')]).toEqual([header, 2, undefined]);
  }
});

const WHOLE = ['Newsletter?', 'Subscribed?Y/N', 'Opt-in ?', 'Subscribed?y/n', 'Subscribed?yes/no', 'SUBSCRIBED?YES/NO'];

test.each(WHOLE)('reads a yes under %s as an agreement (C10)', (header) => {
  const meaning = meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes');
  expect(['agrees', 'subscribed']).toContain(meaning);
});

test.each(['Abgemeldet?am', 'Opted out?on', 'Désabonné?le'])('reads a date under %s as an opt-out (C10)', (header) => {
  const table = tableOf([header], { rows: [['2021-01-01'], ['2021-01-02']] });
  expect(meaningOf(table, '2021-01-01')).toBe('unsubscribed');
});

test('warns about lost letters with the line and the column (C10)', async () => {
  const list = csv('Email,Status,City', 'a@x.test,active,Bonn', 'b@x.test,active,M\ufffdnchen');
  const { finding, trouble, contacts } = await readList({ 'list.csv': list });
  expect(trouble).toEqual(['warn encoding']);
  expect(contacts.length).toBe(2);
  expect(finding('encoding')?.message).toContain('list.csv, line 3, column "City"');
  expect(finding('encoding')).toMatchObject({
    total: 1,
    examples: [{ line: 3, column: 'City', value: 'M\ufffdnchen' }],
  });
  const whole = await readList({ 'list.csv': list.replace('\ufffd', 'ü') });
  expect(whole.trouble).toEqual([]);
});

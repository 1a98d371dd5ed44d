import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { saysNothing } from '../vocabulary/golden.ts';

// A plain no under `Info` and in late rows, and cells near them that say nothing about mail. The status beside them
// says that the person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string, ...others: readonly string[]): boolean {
  return saysNothing(header, ...others, cell);
}

test.each([
  ['Info', 'ja', 'nein'],
  ['Info', 'yes', 'no'],
  ['Informations', 'oui', 'non'],
  ['Information', 'Y', 'N'],
  ['Informazioni', 'sì', 'no'],
  ['Información', 'sí', 'no'],
  ['Informatie', 'ja', 'nee'],
  ['情報', 'はい', 'いいえ'],
])('asks about a no under %s: %s, %s (C10)', (header, yes, no) => {
  expect(isSilent(header, no, yes)).toBe(false);
});

test.each([
  ['Info', 'no', 'likes jazz'],
  ['Info', 'no parking', 'VIP'],
  ['Archive', '2023', '2022'],
  ['Archiv', '2019'],
  ['Note', 'unnecessary'],
  ['Bemerkung', 'unnötig'],
  ['Angebote', '3', '1'],
  ['Kontakt', 'keine', 'Anna Berg', 'Otto Ek'],
])('asks nothing under %s when %s says nothing about mail (C10)', (header, cell, ...others) => {
  expect(isSilent(header, cell, ...others)).toBe(true);
});

test.each([
  ['Archive', 'x'],
  ['Kontakt', 'keine', 'ja'],
  ['Newsletter', 'unnecessary', 'weekly'],
])('asks when the cell under %s is %s (C10)', (header, cell, ...others) => {
  expect(isSilent(header, cell, ...others)).toBe(false);
});

test.each(['Contact', 'Kontakt', 'Invitation', 'Info'])(
  'stops at an N when 60 blank cells precede it in column %s (C10)',
  async (header) => {
    const cells = [...Array<string>(60).fill(''), 'N', 'Y'];
    const rows = cells.map((cell, at) => `p${at}@x.test,active,${cell}`);
    const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
    expect(finding('unknown_status')?.level).toBe('stop');
    expect(contacts.map(({ email }) => email)).not.toContain('p60@x.test');
  },
);

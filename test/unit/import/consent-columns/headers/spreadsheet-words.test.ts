import { expect, test } from 'vitest';
import { readList } from '../../support.ts';

/** The words that a spreadsheet writes for TRUE and FALSE when it saves a list again, by its language. */
const BOOLEANS = [
  ['English', 'TRUE', 'FALSE'],
  ['German', 'WAHR', 'FALSCH'],
  ['French', 'VRAI', 'FAUX'],
  ['Spanish', 'VERDADERO', 'FALSO'],
  ['Italian', 'VERO', 'FALSO'],
  ['Portuguese', 'VERDADEIRO', 'FALSO'],
  ['Dutch', 'WAAR', 'ONWAAR'],
  ['Polish', 'PRAWDA', 'FAŁSZ'],
  ['Swedish', 'SANT', 'FALSKT'],
  ['Danish', 'SAND', 'FALSK'],
  ['Norwegian', 'SANN', 'USANN'],
  ['Finnish', 'TOSI', 'EPÄTOSI'],
  ['Turkish', 'DOĞRU', 'YANLIŞ'],
  ['Czech', 'PRAVDA', 'NEPRAVDA'],
  ['Hungarian', 'IGAZ', 'HAMIS'],
  ['Romanian', 'ADEVĂRAT', 'FALS'],
  ['Russian', 'ИСТИНА', 'ЛОЖЬ'],
  ['Greek', 'ΑΛΗΘΕΣ', 'ΨΕΥΔΕΣ'],
] as const;

async function states(header: string, cells: readonly string[]) {
  const rows = cells.map((cell, at) => `p${at}@x.test,active,${cell}`);
  const { contacts, trouble } = await readList({ 'list.csv': `Email,Status,${header}\n${rows.join('\n')}\n` });
  return [contacts.map(({ status }) => status ?? 'subscribed'), trouble];
}

test.each(BOOLEANS)('reads TRUE and FALSE as a spreadsheet in %s writes them (C10)', async (_, yes, no) => {
  expect(await states('Unsubscribed', [yes, no])).toEqual([['unsubscribed', 'subscribed'], ['warn unknown_status']]);
  expect(await states('Newsletter', [yes, yes])).toEqual([['subscribed', 'subscribed'], []]);
  expect((await states('Newsletter', [yes, no]))[1]).toEqual(['stop unknown_status']);
});

test('does not ask the user about the date of a status change (C10, C12)', async () => {
  const headers = ['Status date', 'Status changed', 'status_changed_at', 'Last status change', 'Email status date'];
  for (const header of [...headers, 'status_updated_at', 'Status since', 'Date de statut', 'Fecha de estado']) {
    expect([header, await states(header, ['2024-01-01', '13.02.2024 10:00', ''])]).toEqual([
      header,
      [['subscribed', 'subscribed', 'subscribed'], []],
    ]);
    expect([header, (await states(header, ['2024-01-01', 'unsubscribed']))[0]]).toEqual([
      header,
      ['subscribed', 'unsubscribed'],
    ]);
  }
});

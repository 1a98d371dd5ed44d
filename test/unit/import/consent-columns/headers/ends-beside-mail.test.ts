import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of each cell of a column whose first rows have these cells. */
function meanings(header: string, ...cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: cells.map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

test.each('Silent|Lost|Late|Stop campaign|Stop promos|Do not push|Do not pitch'.split('|'))(
  'asks about a tick under %s (C10)',
  (header) => {
    expect(meanings(header, 'x', '')).toEqual(['asked', 'blank']);
  },
);

test.each(
  'finished Newsletter|retired Newsletter|weg Newsletter|uit Nieuwsbrief|past newsletter|out mailing'.split('|'),
)('asks about a tick under %s, which begins with a word for an end (C10)', (header) => {
  expect(meanings(header, 'x', '')).toEqual(['asked', 'blank']);
});

test('reads a tick under "Late shift newsletter" as an agreement (C10)', () => {
  expect(meanings('Late shift newsletter', 'x', '')[0]).toBe('agrees');
  expect(meanings('Push notifications', 'x', '')).toEqual(['-', '-']);
});

test.each('Blocked until|Paused until|Gesperrt bis|Suspended until|Do not contact until|Geblokkeerd tot'.split('|'))(
  'asks about a date under %s, the end of a pause or a block (C10)',
  (header) => {
    expect(meanings(header, '2021-03-01', '')).toEqual(['refused', '-']);
  },
);

test('asks about a word for a pause or an end among names of lists (C10)', () => {
  const pauses = ['ruht', 'ruht seit 2021', 'weg', 'eingestellt', 'ausgesetzt', 'terminé', 'verlopen', 'finished'];
  const lists = ['A-Liste', 'VIP', 'Kochen', 'Weekly', 'Over 60s'];
  const table = tableOf(['Newsletter'], { rows: [...lists, ...pauses].map((cell) => [cell]) });
  expect(lists.filter((cell) => !['-', 'agrees'].includes(meaningOf(table, cell)))).toEqual([]);
  expect(pauses.filter((cell) => !['asked', 'refused'].includes(meaningOf(table, cell)))).toEqual([]);
});

test.each(['Email type', 'Mailformat', 'Format e-mail', 'Mail mode', 'Tipo de correo'])(
  'asks about a person with the format "None" or "Never" under %s (C10)',
  (header) => {
    expect(meanings(header, 'HTML', 'Text', 'None', 'keine', 'Never')).toEqual([
      '-',
      '-',
      'refused',
      'refused',
      'refused',
    ]);
  },
);

test('asks about a no under Versand, and reads Versandart as a channel (C10)', () => {
  expect(meanings('Versand', 'ja', 'nein')).toEqual(['-', 'refused']);
  expect(meanings('Versandart', 'E-Mail', 'Post', 'keine')).toEqual(['agrees', 'refused', 'refused']);
  expect(meanings('Versandart', 'DHL', 'UPS', 'Post')).toEqual(['-', '-', '-']);
});

test.each([
  ['disable', ['0', '1'], ['-', 'skipped disabled']],
  ['Mise en sommeil', ['Non', 'Oui'], ['-', 'skipped disabled']],
  ['OXEMAILFAILED', ['0', '1'], ['-', 'skipped invalid']],
  ["Mode d'envoi", ['Mail', 'Courrier', 'Aucun'], ['agrees', 'refused', 'refused']],
  ['customers_email_format', ['HTML', 'TEXT', 'NONE'], ['-', '-', 'refused']],
  ['Comms', ['all', 'none', 'no'], ['agrees', 'refused', 'refused']],
  [
    'Kürzel',
    ['OK', 'NEU', 'gel.', 'verst.', 'abgem.', 'unzust.'],
    ['-', '-', 'refused', 'refused', 'refused', 'refused'],
  ],
  ['Entscheidung', ['behalten', 'nicht übernehmen'], ['-', 'refused']],
  ['Bemerkung', ['Stammkunde', 'ruht', 'eingestellt', 'eruit'], ['-', 'refused', 'refused', 'refused']],
  ['Remarque', ['fidèle', 'a demandé le retrait', 'plus concerné'], ['-', 'refused', 'refused']],
])('distinguishes refusals from harmless cells in the column %s (C10)', (header, cells, expected) => {
  expect(meanings(header, ...cells)).toEqual(expected);
});

const WITHOUT_MAIL =
  '不发邮件|别发邮件|无邮件|Fără email|Fara mailuri|Nu trimite|Hírlevél nélkül|Gönderme|Mail gönderme|Mail atma|Bültensiz|بدون بريد|لا بريد|ללא דיוור|메일 안 보냄|Χωρίς email|Όχι email|Không email|Tidak mau email|Hors mailing';

test.each(WITHOUT_MAIL.split('|'))('reads no yes under %s, which means "no mail", as an agreement (C10)', (header) => {
  for (const yes of ['x', '1', '✓', 'yes']) {
    expect(meanings(header, yes, '')[0]).not.toBe('agrees');
  }
});

const DO_NOT_SEND =
  "Niet sturen|Geen verzending|Pas d'envoi|Não mandar|Nepsat|Nepošli|Ne írj|Ne keresd|Ne šalji|Ne slati|Ne želi poštu|Nincs levél|Brez e-pošte|Nu contacta|Rahatsız etme|Bez korespondencji|Neoslovovat|Ilman postia|Ei lähetetä|Jangan kirim|Hindi padalhan|Neatsiųsti|Nesiųsti|Nesūtīt|Mitte saata|Ärge saatke|Mos dërgo|Να μη σταλεί|Μην στέλνετε|Не надсилати|Не изпращай|Не шаљи|Без имейли|不寄送|请勿发送|送信禁止|送信しない|عدم الإرسال|عدم التواصل|لا إرسال|אין לשלוח|ללא מיילים|ไม่ส่ง|मत भेजो";

test.each(DO_NOT_SEND.split('|'))('asks about a tick under %s, which means "do not send" (C10)', (header) => {
  expect(['asked', 'refused']).toContain(meanings(header, 'x', '')[0]);
});

const DATES_OF_ENDS =
  'Fecha defunción|Data morte|Datum vystoupení|Дата выбытия|取消日期|تاريخ الانسحاب|Halál dátuma|Data decesului|Ημερομηνία θανάτου|תאריך פטירה';

test.each(DATES_OF_ENDS.split('|'))('asks about a date under %s, the end of a life or a membership (C10)', (header) => {
  expect(['asked', 'refused']).toContain(meanings(header, '2021-03-01', '')[0]);
});

test.each('特别发行订阅|不收费订阅|Newsletter hors-série'.split('|'))(
  'reads a yes under %s as an agreement (C10)',
  (header) => {
    expect(meanings(header, 'x', '')[0]).toBe('agrees');
  },
);

test.each('Halal|请勿填写|تاريخ المغادرة|订单取消日期'.split('|'))('asks nothing about %s (C10)', (header) => {
  expect(meanings(header, 'x', '')[0]).toBe('-');
});

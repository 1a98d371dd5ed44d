import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

// Headers about contact, invitations, mail that is received, and the result of a call. The status beside them says that
// the person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string, other: string, beside: readonly string[] = []): boolean {
  return meaningOf(tableOf([header, ...beside], { rows: [[other], [cell]] }), cell) === '-';
}

/** Headers, a usual cell, and cells that refuse. */
const REFUSED = [
  'Contact?|Please contact|OK to invite|Follow up|Outreach|Invitations: yes: no, never, refused, do not contact',
  'Kontakt|Kontaktaufnahme|Einladen|Einladungen|Nachfassen|Zusenden|Erhält Post|Post erwünscht: ja: nein, nicht mehr',
  'Contacter|À relancer|Invitation|Envoyer: oui: non, jamais, plus jamais',
  'Contactar|Invitaciones|Enviar: sí: no, nunca, ya no',
  'Contattare|Inviti|Inviare: sì: no, mai più, non più',
  'Contact opnemen|Uitnodiging|Post ontvangen|Krijgt post: ja: nee, nooit, niet meer',
  'Kontakt|Zaproszenia: tak: nie, nigdy',
  'Kontaktas|Inbjudan|Får post: ja: nej, aldrig',
  'Contatar|Convites: sim: não, nunca',
  '連絡|連絡可否|送付|送信|招待: 可: 不可, 否, しない',
  'Einladungen|Kontakt: ja: keine',
  'Posta: sì: nessuna posta',
  'Wants info|Interested in updates|Möchte Infos|Infos gewünscht|Veut infos|Vuole info|Vill ha info: yes: no',
  'Ofertas|Oferty|Erbjudanden|Aktuelles|Noticias|Actualités|Novità|Nieuws|Nyheter|Wiadomości|Notícias|Uutiset: yes: no',
  'DM発送|年賀状: する: 止め, しない',
].map((line) => line.split(': '));

test('asks about a no under a header about contact or mail (C10)', () => {
  const silent = REFUSED.flatMap(([headers = '', other = '', cells = '']) =>
    headers.split('|').flatMap((header) =>
      cells
        .split(', ')
        .filter((cell) => isSilent(header, cell, other))
        .map((cell) => `${header}: ${cell}`),
    ),
  );
  expect(silent).toEqual([]);
});

test.each([
  ['Contact', 'Y', 'N'],
  ['Contact', '1', '0'],
  ['Follow-up?', 'TRUE', 'FALSE'],
  ['Wiedervorlage', 'J', 'N'],
])('asks about a short no beside a yes under %s: %s, %s (C10)', (header, yes, no) => {
  expect(isSilent(header, no, yes)).toBe(false);
  expect(isSilent(header, '', yes)).toBe(true);
});

test('asks nothing under headers that only name a contact or a plan (C10)', () => {
  const pairs = [
    ['Contact name', 'No', 'Berg'],
    ['Contacted', 'no', 'yes'],
    ['Invited', 'no', 'yes'],
    ['Follow up', '2024-05-01', 'done'],
    ['Wiedervorlage', 'keine', '01.05.2024'],
    ['Contact', 'N', 'Berg'],
    ['Invites', '0', '1'],
    ['Post', 'nein', 'ja'],
    ['Poczta', 'brak', 'Kraków'],
    ['Ofertas', 'ninguna', '10%'],
    ['Infos', 'keine', 'Vegetarier'],
    ['Post', 'no postcode', '1010'],
    ['Courrier', 'oui', 'non'],
    ['Renewal', 'no', 'yes'],
  ] as const;
  expect(pairs.filter(([header, cell, other]) => !isSilent(header, cell, other))).toEqual([]);
});

test('asks about a refusal that is the result of a call (C10)', () => {
  const pairs = [
    ['Call result', 'not interested'],
    ['Call outcome', 'DNC'],
    ['Call disposition', 'Refused'],
    ['Gesprächsergebnis', 'kein Interesse'],
    ['Anrufergebnis', 'will nicht'],
    ['Résultat appel', 'pas intéressé'],
    ['Resultado de llamada', 'no interesado'],
    ['Esito chiamata', 'non interessato'],
    ['Belresultaat', 'geen interesse'],
    ['Wynik rozmowy', 'niezainteresowany'],
    ['通話結果', '興味なし'],
  ] as const;
  expect(pairs.filter(([header, cell]) => isSilent(header, cell, 'x'))).toEqual([]);
  const harmless = ['no answer', 'left message', 'wrong number', 'busy', 'Sale', 'Do not call', 'hung up'];
  expect(harmless.filter((cell) => !isSilent('Call result', cell, 'x'))).toEqual([]);
  expect(['rejected', 'declined', 'completed'].filter((cell) => !isSilent('Call status', cell, 'x'))).toEqual([]);
  expect(isSilent('Call status', 'not interested', 'x')).toBe(false);
});

test('asks about a person who does not renew (C10)', () => {
  expect(['will not renew', 'not renewing'].filter((cell) => isSilent('Renewal', cell, 'yes'))).toEqual([]);
  expect(isSilent('Verlängerung', 'nicht verlängert', 'ja')).toBe(false);
});

test('asks nothing about a no to an event when another cell says maybe (C10)', () => {
  const read = (answers: readonly string[], cell: string, beside: string) =>
    meaningOf(tableOf(['Response', beside], { rows: answers.map((answer) => [answer, 'x']) }), cell, 'x');
  expect(read(['Yes', 'No', 'Maybe'], 'No', 'Event')).toBe('-');
  expect(read(['Yes', 'No', 'Maybe'], 'not interested', 'Event')).toBe('refused');
  expect(read(['Yes', 'No', 'Maybe'], 'No', 'City')).toBe('refused');
  expect(read(['Yes', 'No'], 'No', 'Event')).toBe('refused');
});

test('asks about a cell that calls mail unnecessary (C10)', () => {
  const cells =
    'unnecessary|do not|unnötig|überflüssig|plus la peine|inutile|innecesario|onnodig|niepotrzebny|onödigt|desnecessário|не нужно|必要なし';
  const silent = ['Newsletter', 'Envoi infos', 'Follow up'].flatMap((header) =>
    cells.split('|').filter((cell) => isSilent(header, cell, 'yes')),
  );
  expect(silent).toEqual([]);
});

test('asks about a mail code such as "No Appeals" or "Receipts only" (C10)', () => {
  const cells = ['No Appeals', 'Receipts only', 'essential emails only', 'service only'];
  const silent = ['Mail code', 'Mail pref'].flatMap((header) => cells.filter((cell) => isSilent(header, cell, 'All')));
  expect(silent).toEqual([]);
  expect(isSilent('Product', 'Receipts only', 'x')).toBe(true);
  expect(['No', 'No more please'].filter((cell) => isSilent('Future events?', cell, 'Yes'))).toEqual([]);
});

test('asks about an absolute refusal such as "no way" (C10)', () => {
  const cells =
    'absolutely not|no way|must not|auf keinen Fall|keinesfalls|pas du tout|hors de question|para nada|ni hablar|assolutamente no|in geen geval|nie wolno|de jeito nenhum|absolut inte|rozhodně ne|ни в коем случае|絶対ダメ';
  const silent = ['Newsletter', 'Contact', 'Antwort'].flatMap((header) =>
    cells.split('|').filter((cell) => isSilent(header, cell, 'yes')),
  );
  expect(silent).toEqual([]);
  expect(['連絡NG', 'メールNG'].filter((cell) => isSilent('Notes', cell, 'VIP'))).toEqual([]);
});

test('keeps mail away when a record is archived, in each language (C10)', () => {
  const headers = 'Archiviert|Archivado|Archiviato|Gearchiveerd|Zarchiwizowany|Arkiverad|Arquivado';
  const read = (header: string) => meaningOf(tableOf([header], { rows: [['no'], ['yes']] }), 'yes');
  expect(headers.split('|').map(read)).toEqual(headers.split('|').map(() => 'skipped disabled'));
  expect(['Papierkorb', 'Corbeille', 'Papelera', 'Cestino', 'Prullenbak'].filter((name) => read(name) === '-')).toEqual(
    [],
  );
  expect([read('Archivé'), read('Photo archive')]).toEqual(['refused', '-']);
});

test.each(['kein Interesse', 'refusés', 'Nicht mehr', 'no quieren', 'niet meer', 'do not want', '不要'])(
  'asks about people who are active in %s.csv (C10)',
  async (name) => {
    const list = await readList({
      'members.csv': csv('Email,Status', 'anna@example.com,active'),
      [`${name}.csv`]: csv('Email,Status', 'ben@example.com,active'),
    });
    expect(list.reading.findings.some(({ level }) => level === 'stop')).toBe(true);
  },
);

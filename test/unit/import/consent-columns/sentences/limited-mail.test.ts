import { expect, test } from 'vitest';
import { saysNothing } from '../vocabulary/golden.ts';

// Wishes for no other mail than receipts and the like, for another channel alone, and for no mail at all. The status
// beside them says that the person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string, other = ''): boolean {
  return saysNothing(header, other, cell);
}

/** The pairs of header and cell below which svc would mail the person. */
function silentPairs(lines: readonly string[]): readonly string[] {
  const pairs = lines.flatMap((line) => {
    const [headers = '', other = '', cells = ''] = line.split(': ');
    return headers.split('|').flatMap((header) => cells.split(', ').map((cell) => [header, cell, other] as const));
  });
  expect(pairs.length).toBeGreaterThan(20);
  return pairs.filter((pair) => isSilent(...pair)).map(([header, cell]) => `${header}: ${cell}`);
}

test.each([
  ...['Receipt only', 'Receipts only', 'ORDERS ONLY', 'Only receipts', 'Service mails only', 'Essential only'],
  ...['Nur Rechnungen', 'Nur Service', 'Seulement factures', 'Solo facturas', 'Solo ricevute', 'Alleen facturen'],
  ...['Endast kvitton', 'Kun kvitteringer', 'Tylko faktury', 'Только чеки', '領収書のみ', '仅交易邮件'],
  ...['Post only', 'Phone only', 'Print only', 'Nur Post', 'Courrier seulement'],
])('asks about a yes or a tick under %s (C10)', (header) => {
  expect(['yes', 'x', '1'].filter((cell) => isSilent(header, cell))).toEqual([]);
});

test('asks nothing about a no under a header such as "Receipts only" (C10)', () => {
  expect(['Receipts only', 'Nur Rechnungen'].filter((header) => !isSilent(header, 'no', 'yes'))).toEqual([]);
});

test('asks about "receipts only" when a header is about mail (C10)', () => {
  expect(
    silentPairs([
      'Comms pref|Communication preference|Mail preference|Newsletter|Emails|Preference: all: service only, essential only, RECEIPTS ONLY, only invoices please, legal notices only',
      'Kommunikation|Kontaktwunsch|E-Mail: alles: nur Service, nur Wichtiges, nur das Nötigste, nur Spendenquittungen',
      'Préférences|Infos: tout: uniquement factures, factures et reçus seulement',
      'Preferenze|Comunicazioni: tutto: solo ricevute, solo comunicazioni importanti',
      'Voorkeur|Nieuwsbrief: alles: alleen service, alleen facturen',
      'Notes|Tags: VIP: receipts only, nur Rechnungen, service mails only, transactional-only',
      'Mail type|Turnus: all: essential',
    ]),
  ).toEqual([]);
});

test('asks about essential mail when a header is about preferences (C10)', () => {
  expect(
    silentPairs([
      'Contact preference|Communication preference|Email preferences|Communications|Comms: all: Essential, Transactional, necessary, Mandatory',
      'Kontaktpräferenz|E-Mail-Einstellung|Kommunikation: alles: Notwendiges, Nötigste',
      'Préférences|Preferencias de contacto: tout: essentiel, esenciales',
      'Voorkeur: alles: noodzakelijk',
    ]),
  ).toEqual([]);
  expect(isSilent('Course', 'Essentials', 'Advanced')).toBe(true);
});

test('asks about zero when a header is about mails per week or month (C10)', () => {
  expect(
    silentPairs([
      'Mails/Monat|Mails per week|E-Mails pro Woche|Emails/week|Newsletters/month: 4: 0, never',
      'Emails per quarter|Monatliche Mails|Weekly emails|Mails par trimestre|Correos por quincena: 4: 0, never',
      'Correos por semana|E-mails por mês|Mails par mois|Mails al mese|Mails per maand|E-post per vecka: 2: 0, zero',
    ]),
  ).toEqual([]);
  expect(['3', '7'].filter((cell) => !isSilent('Mails/Monat', cell, '4'))).toEqual([]);
});

test('asks about the words zero and never under a frequency header (C10)', () => {
  expect(
    silentPairs([
      'Frequency|Email frequency|How often: monthly: zero, 0, 0x, none, nil, never, 0 per month, 0 times',
      'Frecuencia: semanal: cero, 0 veces, nunca',
      'Häufigkeit|Turnus|Rhythmus|Versandintervall: monatlich: nie, 0x, 0 Mal',
      'Rythme|Périodicité: hebdomadaire: jamais',
      'Periodicità: mensile: mai',
      'Frekvens: varje vecka: aldrig, noll',
    ]),
  ).toEqual([]);
});

test.each([
  ['Members only', 'yes'],
  ['Online only', 'yes'],
  ['Package', 'service and receipts'],
  ['Visit frequency', 'never'],
  ['Orders per month', '0'],
  ['Interval', '0'],
  ['Receipts', 'yes'],
  ['Company', 'Receipts Only Ltd'],
])('asks nothing under %s about %s (C10)', (header, cell) => {
  expect(isSilent(header, cell, '3')).toBe(true);
});

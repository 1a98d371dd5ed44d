import { expect, test } from 'vitest';
import { meaningOf, tableOf } from './vocabulary/golden.ts';

/** Headers of the status of a customer, an account or a donor, with words for active and inactive. */
const STATUSES = [
  'Customer status|Client status|Account status|Donor status|Status of the customer: Active, Inactive',
  'Kundenstatus|Kunden-Status|Status des Kunden|Kontostatus|Spenderstatus: Aktiv, Inaktiv',
  'Statut client|Statut du client|Statut du compte|État du compte|Statut donateur: Actif, Inactif',
  'Estado del cliente|Estado cliente|Estado de la cuenta|Estado del donante: Activo, Inactivo',
  'Stato cliente|Stato del cliente|Stato account|Stato donatore: Attivo, Inattivo',
  'Status do cliente|Estado do cliente|Status cliente: Ativo, Inativo',
  'Klantstatus|Klant status|Status klant: Actief, Inactief',
  'Status klienta|Stan klienta|Status użytkownika: Aktywny, Nieaktywny',
  'Stav zákazníka|Status zákazníka: Aktivní, Neaktivní',
  'Kundstatus|Kundestatus: Aktiv, Inaktiv',
  'Asiakkaan tila: Aktiivinen, Ei aktiivinen',
  'Κατάσταση πελάτη: Ενεργός, Ανενεργός',
  'Статус клиента: Активен, Неактивен',
  '顧客ステータス|お客様ステータス: 有効, 無効',
  '顧客状態: 有効, 休眠',
  '客户状态|客戶狀態: 有效, 停用',
  '고객 상태|고객상태: 정상, 휴면',
].flatMap((line) => {
  const [headers = '', words = ''] = line.split(': ');
  return headers.split('|').map((header) => [header, ...words.split(', ')] as const);
});

function read(header: string, usual: string, cell: string): string {
  return meaningOf(tableOf([header], { rows: [[usual], [cell]] }), cell);
}

test('asks about inactive customers in each language, not active ones (C10)', () => {
  const words = STATUSES.map(([header, active = '', inactive = '']) => [
    header,
    read(header, inactive, active),
    read(header, active, inactive),
  ]);
  expect(words.filter(([, active, inactive]) => active !== '-' || !/^(?:asked|refused)$/.test(inactive ?? ''))).toEqual(
    [],
  );
});

const LEFT = ['Left', 'Gone', 'Churned', 'Quit', 'Baja', 'Resigned', 'Withdrawn', 'Ended', 'Stopped', 'Former'];
const HARMLESS = [
  'Cancelled',
  'Storniert',
  'Cancelado',
  'Annullato',
  'Declined',
  'Rejected',
  'Disabled',
  'Lost',
  'New',
  'VIP',
];

test('asks about a customer who left, and not about a cancelled order (C10)', () => {
  const headers = ['Customer status', 'Estado del cliente', 'Kundenstatus', 'Account status'];
  const pairs = (words: readonly string[]) => headers.flatMap((header) => words.map((word) => [header, word] as const));
  expect(pairs(LEFT).filter(([header, word]) => read(header, 'Active', word) === '-')).toEqual([]);
  expect(pairs(HARMLESS).filter(([header, word]) => read(header, 'Active', word) !== '-')).toEqual([]);
});

test('asks nothing about the reason for which a deal was lost (C10)', () => {
  const headers = ['Lost reason', 'Closed lost reason', 'Verlustgrund', 'Motivo de pérdida'];
  const cells = ['No budget', 'Price', 'Competitor'];
  const asked = headers.flatMap((header) => cells.filter((cell) => read(header, 'No time', cell) !== '-'));
  expect(asked).toEqual([]);
  expect(headers.filter((header) => read(header, 'No time', 'Unsubscribed') === '-')).toEqual([]);
});

test('asks nothing about how often a person pays or buys (C10)', () => {
  const headers = ['Charge Frequency', 'Donation frequency', 'Zahlungshäufigkeit', 'Fréquence de paiement'];
  const cells = ['monthly', 'annual', 'never', 'no', 'x'];
  expect(headers.flatMap((header) => cells.filter((cell) => read(header, 'weekly', cell) !== '-'))).toEqual([]);
  expect(headers.map((header) => read(header, 'weekly', 'unsubscribed'))).toEqual(headers.map(() => 'unsubscribed'));
  expect(read('Email frequency', 'weekly', 'never')).not.toBe('-');
});

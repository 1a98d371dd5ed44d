import { expect, test } from 'vitest';
import { everyNth } from '../../../../support/sweep.ts';
import { readList } from '../../support.ts';

/**
 * The outcome of an active person with this cell: subscribed, unsubscribed, suppressed, a question (`ask`) or skipped.
 */
async function become(header: string, cell: string, others: readonly string[]): Promise<string> {
  const rows = [cell, ...others].map((value, at) => `p${at}@x.test,active,${value}`);
  const { contacts, suppressions, trouble } = await readList({
    'list.csv': `Email,Status,${header}\n${rows.join('\n')}\n`,
  });
  const found = contacts.find(({ email }) => email === 'p0@x.test');
  const isSuppressed = Object.values(suppressions).flat().includes('p0@x.test');
  const asks = trouble.some((line) => line.startsWith('stop'));
  return isSuppressed ? 'suppressed' : found?.status ? 'unsub' : asks ? 'ask' : found ? 'sub' : 'skip';
}

const FORECASTS =
  'spam_score|Spam risk|Spam probability|SpamAssassin|spam_check|Spam filter|abuse score|junk rating|Bounce risk|bounce score|unsubscribe risk|unsub_probability|Predicted unsubscribe|Unsubscribe likelihood|opt-out risk|suppression score|quarantine score|consent score|bounce_checked_at|last_bounce_check|DNC check date|unsub_checked_at';

test('keeps people subscribed whatever their spam score (C6, C10)', async () => {
  for (const [nth, header] of FORECASTS.split('|').entries()) {
    for (const cell of everyNth(['1', '99', '12%', '2024-01-01'], 3, nth)) {
      expect([header, cell, await become(header, cell, ['1', '50', ''])]).toEqual([header, cell, 'sub']);
    }
  }
});

test.each(['Complaint rate', 'spam rate', 'Spam %', 'Bounce rate', 'abuse_ratio'])(
  'asks about a number under %s, and suppresses no person (C6, C10)',
  async (header) => {
    for (const cell of ['1', '99', '100']) {
      expect([cell, await become(header, cell, ['', '0'])]).toEqual([cell, 'ask']);
    }
  },
);

test.each(['Spam complaints', 'Complaints', 'Complaint count'])(
  'reads a number under %s as a complaint (C10)',
  async (header) => {
    expect(await become(header, '2', ['', '0'])).toBe('suppressed');
  },
);

const STATES: readonly (readonly [headers: string, cells: string])[] = [
  [
    'Last charge status|Card status|Transaction status|Loan status|Offer status|Quote status|Reservation status|Refund status|Renewal status|Trial status|Course status|Return status|Policy status|Claim status|Approval status',
    'Declined|Refused|Cancelled|Failed|Rejected|Blocked|Expired|Returned',
  ],
  ['Estado del pago|Estado del pedido|Estado de reserva', 'cancelado|rechazado|anulado|devuelto|bloqueado'],
  ['Stato ordine|Stato pagamento|Stato prenotazione|Stato spedizione', 'annullato|rifiutato|cancellato|bloccato'],
  ['Statut du paiement|Statut de réservation|Statut facture', 'annulé|refusé|bloqué'],
  ['Status Zahlung|Zahlungsstatus|Status der Buchung|Rechnungsstatus', 'storniert|abgelehnt|gesperrt'],
  ['Status zamówienia|Status płatności', 'anulowany|odrzucony|zablokowany'],
  ['Stav objednávky|Stav platby', 'zrušeno|odmítnuto|blokován'],
  ['Status do pagamento|Situação do pedido', 'cancelado|recusado|bloqueado'],
  ['Status betaling|Betaalstatus|Betalningsstatus', 'geannuleerd|geweigerd|geblokkeerd|avslutad'],
  ['Sipariş durumu|Ödeme durumu', 'iptal|reddedildi|engellendi'],
];

test('does not read the status of an order or payment as an opt-out (C10)', async () => {
  for (const [headers, cells] of STATES) {
    for (const [nth, header] of headers.split('|').entries()) {
      for (const cell of everyNth(cells.split('|'), 2, nth)) {
        expect([header, cell, await become(header, cell, ['Open', 'Paid'])]).toEqual([header, cell, 'sub']);
      }
      expect([header, await become(header, 'unsubscribed', ['Open'])]).toEqual([header, 'unsub']);
    }
  }
});

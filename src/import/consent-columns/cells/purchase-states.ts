import type { StatusReading } from '../../../platforms/lib/states.ts';
import { CLEAR_WORDS, STATE_WORDS, wordLookupKey } from '../value-words.ts';

// Words for orders and payments. A column `Status` with such words is probably not about mail. `cancelled` in it is
// probably an order, so svc asks before it unsubscribes a person.
const ORDER_WORDS: ReadonlySet<string> = new Set(
  [
    'paid, unpaid, partially paid, paid in full, shipped, partially shipped, delivered, dispatched, processing, completed, complete, refunded, partially refunded, fulfilled, unfulfilled, partially fulfilled, past due, overdue, pending payment, awaiting payment, payment pending, payment failed, authorized, captured, charged, charged back, chargeback, returned, backordered, ready for pickup, picked up, invoiced',
    'bezahlt, unbezahlt, teilbezahlt, teilweise bezahlt, zahlung offen, versendet, versandt, verschickt, geliefert, zugestellt, erstattet, ruckerstattet, in bearbeitung, abgeschlossen, abgeholt, retourniert',
    'paye, payee, impaye, impayee, regle, reglee, expedie, expediee, livre, livree, rembourse, remboursee, en preparation, terminee',
    'pagado, pagada, impagado, enviado, enviada, entregado, entregada, reembolsado, reembolsada, completado, completada, en proceso',
    'pagato, pagata, non pagato, spedito, spedita, consegnato, consegnata, rimborsato, rimborsata, completato, completata, evaso',
    'pago, paga, nao pago, entregue, concluido, concluida, faturado',
    'betaald, onbetaald, verzonden, geleverd, terugbetaald, afgerond, in behandeling',
    'betald, obetald, skickad, levererad, aterbetald, betalt, ubetalt, sendt, levert, leveret, refunderet, refundert, makulerad',
    'oplacone, oplacony, nieoplacone, wyslane, wyslano, dostarczone, zrealizowane, zwrocone, zaplacono, zaplaceno, odeslano, doruceno, maksettu, toimitettu, lahetetty, odendi, teslim edildi, kargoda',
    'оплачен, оплачено, доставлен, отправлен, выполнен, 支払済, 支払い済み, 発送済, 発送済み, 已付款, 已支付, 已发货, 已完成, 결제완료, 배송완료',
  ]
    .join(',')
    .split(',')
    .map(wordLookupKey),
);

/** True for the state of an order or a payment: `paid`, `shipped`, `wc-completed`. */
export function isOrderWord(cell: string): boolean {
  return ORDER_WORDS.has(wordLookupKey(cell.replace(/^\s*wc-/iu, '')));
}

/**
 * True for a state such as `cancelled`, which can also be that of an order. False for `unsubscribed`, which is only
 * about mail.
 */
export function mayBeOrderState(cell: string, { state }: StatusReading): boolean {
  const word = wordLookupKey(cell);
  return ENDING.has(state) && STATE_WORDS.has(word) && !CLEAR_WORDS.has(word);
}

const ENDING: ReadonlySet<StatusReading['state']> = new Set(['unsubscribed', 'suppressed', 'bounced', 'complained']);

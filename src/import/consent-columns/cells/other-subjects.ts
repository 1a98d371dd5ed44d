import type { StatusReading } from '../../../platforms/lib/states.ts';
import { wordsOf } from '../words/plain-words.ts';
import { CLEAR_WORDS, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';

// Cells about something else than email: another channel, paper mail, or an order.

// Finds opt-outs from another channel than email, in tags and notes: `sms-optout`, `opted out of SMS`. Such people
// still get email.

const CHANNEL =
  'sms|mms|rcs|texts?|texting|text messages?|phone|phone calls?|calls?|calling|telephone|telefon\\p{L}*|telemarketing|whats ?app|push|push notifications?|viber|telegram|messenger|fax|voice|llamadas?|appels?|anrufe?';
const PAPER = 'post|postal|postal mail|direct mail|paper|paper mail|print|letters?|brief|briefe|catalogue?|katalog';
const OPT_OUT_WORDS_OF_CHANNEL =
  'opt(?:ed|s)? ?outs?|unsub\\p{L}*|stop(?:s|ped)?|bounced?|blocked|removed|declined|refused|invalid|undeliver\\p{L}*|blacklist(?:ed)?|blocklist(?:ed)?|suppressed|complaints?|abgemeldet|abmeldung|abbestellt|widerruf(?:en)?|gesperrt|desabonne|desinscrit|baja|disiscritt[oa]|uitgeschreven|afgemeld';

// Makes a pattern for an opt-out from a channel: `SMS opt-out`, `opted out of SMS`. It does not match `Unsubscribed by
// phone`, which is an opt-out from mail.
const optOutPatternOf = (channel: string): RegExp =>
  new RegExp(
    `^(?:(?:${channel}) (?:marketing |channel |list |is |was |has )?(?:${OPT_OUT_WORDS_OF_CHANNEL})|(?:${OPT_OUT_WORDS_OF_CHANNEL}) (?:(?:of|from|for|to|all|any|von|de|da|del|van) )*(?:${channel})(?: marketing| messages?| lists?| notifications?)?)$`,
    'u',
  );
const OUT_OF_CALLS = optOutPatternOf(CHANNEL);
const OUT_OF_PAPER = optOutPatternOf(PAPER);

const LONGEST_TEXT = 60;
const MAY_NAME_CHANNEL = /sms|mms|rcs|text|phon|call|tele|what|push|viber|messen|fax|voice|llamad|appel|anruf/i;
const BETWEEN_CLAUSES = /[,;|\n]/;

/** True for a tag or clause that refuses only text messages or calls: `SMS opt-out`. */
export function refusesOtherChannel(text: string): boolean {
  return text.length <= LONGEST_TEXT && MAY_NAME_CHANNEL.test(text) && OUT_OF_CALLS.test(wordsOf(text));
}

/**
 * True for a tag or clause that refuses only paper mail: `post-optout`. In some languages `post` also means email, so
 * svc asks about it.
 */
export function refusesPaperMail(text: string): boolean {
  return text.length <= LONGEST_TEXT && OUT_OF_PAPER.test(wordsOf(text));
}

/** The cell without the tags or clauses about other channels. */
export function withoutOtherChannels(cell: string): string {
  if (!MAY_NAME_CHANNEL.test(cell)) {
    return cell;
  }
  const parts = cell.split(BETWEEN_CLAUSES);
  const otherParts = parts.filter((part) => !refusesOtherChannel(part));
  return otherParts.length === parts.length ? cell : otherParts.join(',');
}

// Words for orders and payments. A column `Status` with such words is probably not about mail. `cancelled` in it
// probably means an order, so svc asks before it unsubscribes a person.
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

/** True for a state such as `cancelled`, which an order can have too. False for `unsubscribed`, which is about mail. */
export function mayBeOrderState(cell: string, { state }: StatusReading): boolean {
  const word = wordLookupKey(cell);
  return ENDING.has(state) && STATE_WORDS.has(word) && !CLEAR_WORDS.has(word);
}

const ENDING: ReadonlySet<StatusReading['state']> = new Set(['unsubscribed', 'suppressed', 'bounced', 'complained']);

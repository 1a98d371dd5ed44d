import { wordsOf } from './plain-words.ts';
import { wordPattern } from './word-patterns.ts';

// Words of headers about the status of a person, or of something else.

/** Matches headers of a column of status words: `Email status`. */
export const STATUS_HEADER = new RegExp(
  `${wordPattern('(?:e?mail|mailing|newsletter|nl|abo|verteiler|opt_?in|doi|consent|subscription|subscriber|abonnenten|empfanger|mejl|epost|nieuwsbrief|nyhetsbrev|nyhedsbrev)status status statut statuts статус وضعيت stav durum durumu tila staatus statuss busena סטטוס الحالة حالة trang_thai').source}|ステータス|状態|状态|狀態|상태|κατασταση|สถานะ`,
  'u',
);

/** Words for a status that can also mean a place or a condition. */
export const MAYBE_STATUS_WORDS = wordPattern(
  'state estado etat stato stand zustand situacao situation situacion situazione stan стан состояние tilstand toestand stilling lage allapot stare starea condition st sts stat mstat',
);

/** Words for an earlier status of the person. */
export const EARLIER_STATUS_WORDS = wordPattern(
  'previous(?:ly)? prev prior old former(?:ly)? past before earlier original initial vorherige[rs]? vorige[rs]? vorher fruhere?[rs]? alte[rs]? ehemalige[rs]? bisherige[rs]? ancienn?e? precedente? precedemment avant anterior previ[oa] antigu[oa] vecchi[oa] antig[oa] vorige oude? poprzedni[ae]? stary tidigare tidligere gammalt? gammel edellinen vanha onceki eski predchozi predosly korabbi предыдущ(?:ий|ая|ее) прежн(?:ий|яя|ее) старый',
);

/** Customers, in Chinese, Japanese and Korean. */
export const CUSTOMERS = '顧客|お客様|得意先|客户|客戶|고객|거래처';

/** Matches things other than mail that have a status, such as an order. */
export const OTHER_STATUS_WORDS = new RegExp(
  `\\b(?:lead|leads|order|orders|deal|deals|payment|paid|pay|invoice|financial|fulfil\\w*|shipping|shipment|delivery|ticket|case|employment|marital|family|civil|account|membership|plan|billing|stripe|project|task|user|customer|clients?|clientes?|clienti|klient\\w*|klant\\w*|kunde?|zakaznik\\w*|asiakkaan|ugyfel|cuenta|compte|utilisateur|uzytkownik\\w*|uzivatel\\w*|donantes?|donatore|donateur|doador|prospect|opportunity|sales|pipeline|crm|verification|kyc|rsvp|attendance|checkin|ticket|booking|job|application|visa|tax|vat|loyalty|http|sync|import|processing|lifecycle|patron|pledge|donor|constituent|supporter|donation|student|contract|subscription plan|vertrag\\w*|kunden\\w*|bestell\\w*|zahlungs?\\w*|commande|pedido|card|charge|transaction|debit|sepa|loan|credit|offer|quote|quotation|reservation|refund|renewal|trial|course|return|rental|policy|claim|insurance|appointment|meeting|interview|applicant|candidate|exam|grant|document|background|security|device|licen[cs]e|voucher|rma|repair|warranty|purchase|checkout|approval|seat|visit|(?:invitation|invite|participants?|participation|attendees?|guest|volunteer|registration|enrol\\w*|admission|server|driver) (?:status|state)|ordine)\\b|клиент|πελατ|${CUSTOMERS}|zahlung|bestell|buchung|rechnung|auftrag|lieferung|paiement|factur|dossier|livraison|colis|envio|pago|reserva|pagament|prenotazion|spedizion|fattur|zamowien|platnosc|rezerwac|objednavk|platb|faktur|betaling|betaal|betalning|ordrestat|orderstat|siparis|odeme|kargo|maksu|заказ|оплат|достав|注文|支払|支付|订单|訂單|주문|결제`,
  'u',
);

/** What follows `Sperr` in German words about a thing, such as `Sperrmüll`. They say nothing about a person. */
export const AFTER_SPERR =
  'mull|gut|gepack|holz|sitz|stunde|zeit|gebiet|bezirk|zone|konto|frist|ventil|differen|feuer|minorit|riegel|schicht|spannung|wand';

const SUBSCRIPTION =
  /(?:^| )(?:subscriptions?|abo|abos|abonnements?|suscripcion(?:es)?|abbonament[oi]|assinaturas?|subskrypcj[ai]|prenumeration)(?= |$)/u;
const PAYMENT =
  /(?:^| )(?:paid|paying|stripe|pay ?pal|charge ?bee|recurly|paddle|braintree|go ?cardless|mollie|lemon ?squeezy|gumroad|memberful|memberstack|patreon|app store|google play|billing|payment|premium|bezahlt(?:es)?|bezahl|payante?s?|pagad?[oa]|betaald|platn[ay])(?= |$)/u;
const MAIL = /(?:^| )(?:e|e?mails?|mailing|newsletters?|nl|marketing|list)(?= |$)/u;

/**
 * True for header words that name a paid plan: `Subscription status (Stripe)`. The end of the plan does not show
 * whether the person wants mail, because the person may still read a free newsletter.
 */
export function namesPaidSubscription(words: string): boolean {
  return SUBSCRIPTION.test(words) && PAYMENT.test(words) && !MAIL.test(words);
}

// Matches the header of a cancellation that does not say what was cancelled: `cancelled_at`, `Kündigungsdatum`.
const CANCELLED =
  '(?:cancel|cancell?ed|cancell?ation|gekundigt|kundigung|resilie|resiliation|cancelad[oa]|cancelacion|cancellat[oa]|cancellazione|annul(?:e|ee|lat[oa])|opgezegd|opzegging)';
const CANCELLATION = new RegExp(
  `^${CANCELLED} (?:at|on|date|am|datum|le|op|el|il)$|^(?:date|datum|data|fecha) (?:(?:of|de|di|da) )?${CANCELLED}$|^(?:kundigungs?|opzeg)datum$`,
  'u',
);
const PAID_THING =
  /(?:^| )(?:plan|plans|tier|mrr|arr|ltv|billing|price|amount|total|trial|renewal|renews|stripe|paypal|subscription (?:id|plan|type)|tarif|paket|preis|betrag|laufzeit|abo ?(?:art|typ|modell)|formule|prix|montant|tarifa|precio|importe|piano|prezzo|importo|prijs|bedrag|order|orders|invoice|bestellung|commande|pedido|ordine)(?= |$)/u;

/**
 * True for header words that name a cancellation, in a table about paid plans or orders: `cancelled_at` beside `plan`.
 * The end of a paid plan says nothing certain about mail.
 */
export function mayEndPaidPlan(words: string, headers: readonly string[]): boolean {
  return CANCELLATION.test(words) && headers.some((other) => PAID_THING.test(wordsOf(other)));
}

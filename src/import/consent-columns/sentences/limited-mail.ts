import { compileRareWords, compileWords } from '../words/word-patterns.ts';

// Wishes for nothing but mail that needs no sign-up (receipts, mail about the account), or for another channel than
// email. Such a wish refuses all other mail. Each line has one language or a few related ones.

const ONLY =
  'only|just|nur|bloss|lediglich|ausschliesslich|uniquement|seulement|exclusivement|solo|solamente|unicamente|soltanto|apenas|somente|alleen|enkel|uitsluitend|tylko|wylacznie|bara|endast|enbart|kun|bare|vain|ainoastaan|jen|pouze|iba|csak|doar|numai|sadece|yalnizca|только|лише|тільки|μονο';
const KIND = [
  'receipts?|acknowledge?ments?|thank ?yous?|tax|statements?|invoices?|bill(?:s|ing)|orders?|order confirmations?|confirmations?|bookings?|payments?|deliver(?:y|ies)|shipping|purchases?|transactions?|transactional|essentials?|necessary|required|mandatory|important|critical|urgent|service|services?|admin|administrative|operational|account|security|system|legal|statutory|functional|contract(?:s|ual)?|obligations?',
  '(?:spenden|kauf)?quittung(?:en)?|beleg|belege|zuwendungsbestatigung(?:en)?|spendenbescheinigung(?:en)?|rechnung(?:en)?|bestellung(?:en)?|bestellbestatigung(?:en)?|transaktion\\p{L}*|service\\p{L}*|system\\p{L}*|wichtige?[snr]?|notwendige?[snr]?|notige?[snr]?|notigste|notwendigste|pflicht\\p{L}*|vertrag\\p{L}*|konto\\p{L}*|kaufbelege?',
  'recus?(?: fiscaux| fiscal)?|factures?|commandes?|transactionnel(?:le)?s?|essentiel(?:le)?s?|necessaires?|importante?s?|obligatoires?|administratifs?|compte|contrats?',
  'recibos?|facturas?|pedidos?|transaccional(?:es)?|servicios?|esencial(?:es)?|imprescindibles?|necesari[oa]s?|importantes?|administrativ[oa]s?|obligatori[oa]s?|cuenta|contratos?',
  'ricevut[ae]|fattur[ae]|ordin[ei]|transazional[ei]|servizi[o]?|essenzial[ei]|necessari[oae]?|importanti|contratt[oi]|faturas?|servicos?|essencia(?:l|is)|transaciona(?:l|is)|encomendas',
  'facturen|bonnen|bonnetjes|kwitanties|bestellingen|transactione(?:el|le)|noodzakelijke?|belangrijke?|servicemails?|faktur[ay]|paragony|serwisow[aey]|transakcyjn[aey]|zamowienia|niezbedne|wazne',
  'kvitto(?:n|t)?|fakturor|ordrar|bestallningar|bokningar|transaktion\\p{L}*|viktigt?|viktiga|nodvandigt?|nodvandiga|kvittering(?:er)?|fakturaer|ordrer|vigtigt?e?|nodvendigt?e?|kuitit|laskut|tilaukset|palveluviestit|tarkeat?',
  'uctenky|servisni|dulezite|objednavky|szamlak|rendelesek|facturi|comenzi|faturalar?|siparis(?:ler)?|чеки|счета|сервисные|транзакционные|заказы|важн\\p{L}+|αποδειξεις|τιμολογια',
].join('|');
const MAIL =
  'letters?|e ?mails?|mails?|messages?|comms?|communications?|updates?|info|infos|information|notices?|notifications?|post|nachrichten|mitteilungen|meldungen|messages|courriels?|correos?|avisos?|mensajes|comunicaciones|comunicazioni|messaggi|berichten|mejl|utskick|e ?post|wiadomosci|maile|письма|сообщения|stuff|things|and|or|und|oder|et|y|e|en|och|og|i|de|d|di|da|du|des|der|die|das|del|la|le|les|related|aux|von|van';
const PLEASE = '(?: (?:pls|plz|please|bitte|svp|thanks|thx))?';
const HAS_ONLY = compileWords(`(?:^| )(?:${ONLY})(?= |$)`);
const ONLY_SERVICE_MAIL = compileRareWords(
  `^(?:${ONLY})(?: (?:${MAIL})){0,3}(?: (?:${KIND}))(?: (?:${KIND}|${MAIL}|${ONLY})){0,4}${PLEASE}$|^(?:${KIND})(?: (?:${KIND}|${MAIL})){0,4} (?:${ONLY})${PLEASE}$`,
);
const ONLY_SERVICE_MAIL_IN_OTHER_SCRIPTS =
  /^(?:領収書?|請求書?|注文|取引|重要|必須|必要|事務|サービス|契約)\p{L}{0,8}(?:のみ|だけ|限定)$|^(?:仅|僅|只)\p{L}{0,3}(?:收据|收據|发票|發票|订单|訂單|交易|重要|必要|服务|服務)\p{L}{0,4}$|^(?:영수증|주문|거래|중요|필수|서비스)\p{L}{0,6}만$/u;
const CHANNEL =
  '(?:sms|phone|phones?call|telephone|tel|telefon\\p{L}*|post|postal|fax|whatsapp|calls?|letters?|courrier|carta|lettera|brief(?:post)?|print|paper|papier|papel|carta|brev|kirje)';
const OTHER_CHANNEL = compileWords(
  `^(?:by |via |per |par |por )?${CHANNEL} (?:${ONLY})${PLEASE}$|^(?:${ONLY}) (?:by |via |per |par |por )?${CHANNEL}${PLEASE}$`,
);
// Words of a wish for another channel in any order: `please only contact me by phone`, `Kontakt nur per Brief`.
const CHANNEL_WORD = compileWords(
  `^(?:${CHANNEL}|postalisch|telephonique\\p{L}*|ring|call|rufen|anrufen|appeler|llamar|llamadas?|chiamare|chiamate|bellen|dzwonic|ringa|ringe|zavolat|puhelim\\p{L}*|lettres?|cartas?|ligar|телефон\\p{L}*|звон\\p{L}*)$`,
);
const ONLY_WORD = compileWords(`^(?:${ONLY})$`);
const BESIDE_CHANNEL: ReadonlySet<string> = new Set(
  'please pls bitte svp by via on per par por pelo med mit over to the be is me us him her them contact contacts contacted reach reachable wants prefers prefer kontakt kontaktieren kontaktiert erreichbar anschreiben schreiben mochte wunscht contacter joindre joignable contactar contacto contatar contattare contatto kontakta kontaktes kontaktowac kontaktovat kontakty yhteys по связь'.split(
    ' ',
  ),
);
const MOST_WORDS = 9;

function wantsOtherChannel(words: string): boolean {
  const list = words.split(' ', MOST_WORDS + 1);
  const rest = list.filter((word) => !BESIDE_CHANNEL.has(word) && !ONLY_WORD.test(word));
  const isOnly = list.some((word) => ONLY_WORD.test(word));
  return isOnly && list.length <= MOST_WORDS && rest.length > 0 && rest.every((word) => CHANNEL_WORD.test(word));
}

const LONGEST = 60;

const NEEDED_MAIL = compileWords(
  [
    '^(?:essentials?|necessary|required|mandatory|transactional|statutory|minimal|minimum|notwendig(?:es|e)?|notigste?s?|transaktional',
    '|minimaal|essentiel(?:le)?s?|necessaires?|obligatoires?|transactionnel(?:le)?s?|esencial(?:es)?|imprescindibles?|necesari[oa]s?|transaccional(?:es)?',
    '|essenzial[ei]|necessari[oae]?|transazional[ei]|essencia(?:l|is)|transaciona(?:l|is)|noodzakelijke?|essentieel|niezbedne|nodvandigt?|nodvandiga|nodvendigt?e?)$',
  ].join(''),
);
const MAIL_PREFERENCE =
  /pref|praferenz|voorkeur|wunsch|level|niveau|nivel|livello|stufe|setting|einstellung|option|choice|(?:^| )(?:e ?mails?|mails?|comms?|communications?|kommunikation|comunicaci(?:on|ones)|comunicazioni|communicatie)(?: (?:type|typ|art|tipo))?$/u;

/**
 * True for a header or a cell about nothing but mail that needs no sign-up, or another channel: `Receipts only`, `nur
 * Rechnungen`, `essential emails only`, `phone only`. Below a header that asks which mail a person wants, one word such
 * as `Essential` is enough.
 */
export function isLimitedMail(words: string, headerWords = ''): boolean {
  const isOnly =
    HAS_ONLY.test(words) && (ONLY_SERVICE_MAIL.test(words) || OTHER_CHANNEL.test(words) || wantsOtherChannel(words));
  const isNeeded = NEEDED_MAIL.test(words) && MAIL_PREFERENCE.test(headerWords);
  return words.length <= LONGEST && (isOnly || isNeeded || ONLY_SERVICE_MAIL_IN_OTHER_SCRIPTS.test(words));
}

/** True for a header about another channel alone: `Post only`. A yes below it refuses mail. */
export function isOnlyOtherChannel(words: string): boolean {
  return OTHER_CHANNEL.test(words);
}

// Words for zero, without `null` and `nul`, which programs also write for a blank.
const ZERO =
  /^(?:(?:0|zero|cero|noll|nolla|nula|ноль|нуль) ?(?:x|times?|mal|fois|veces|volte|vezes|keer|maal|razy|ganger|gange|krat|e ?mails?|mails?|newsletters?|(?:per|pro|par|por|al?|a la|na|i)(?: \p{L}+){1,2})?|zer0|ゼロ|零|제로|0回|0次|0번)$/u;

/** True for a text that means zero, with or without a time: `zero`, `0x`, `0 per month`. False for the number alone. */
export function saysZero(words: string): boolean {
  return words !== '0' && ZERO.test(words);
}

/** Matches words for nothing, without `none`, which programs also write for a blank. */
export const NOTHING =
  /^(?:keine?n?|nichts|aucune?|rien|ningun[oa]?|nada|nessun[oa]?|niente|nenhuma?|geen|niets|zaden|zadne|ingen|inget|inga|intet)$/u;

/**
 * True for a word that means `nothing`, and for `none`. Where a person chooses mail or lists, `none` is an answer too.
 */
export function choosesNothing(words: string): boolean {
  return /^(?:none|nil|no lists?)$/u.test(words) || NOTHING.test(words);
}

import { containsStem, wordPattern, wordsOf } from '../words-and-stems.ts';
import { AGREEMENT_STEMS, OTHER_STATUS_WORDS } from './header-words.ts';

// Words of headers about an opt-out or a complaint that is not about email: `Complaints (product)`, `Returned mail
// (post)`, `Cookie opt-out`, `Bounced cheque`.

const WORDS_FOR_THINGS = wordPattern(
  'products? goods orders? deliver(?:y|ies) shipping shipments? parcels? packages? repairs? warranty quality items? invoices? bills? billing payments? debits? cheques? checks? cards? refunds? food rooms? hotel noise stores? shops? tickets? service support cookies? tracking analytics profiling photos? images? print catalogu?e?s? house castle',
  'produkte? pakete? lieferung\\p{L}* bestellung\\p{L}* rechnung\\p{L}* zahlung\\p{L}* ware fotos? katalog\\p{L}*',
  'produits? commandes? livraisons? productos? pedidos? entregas? pagos? catalogos? prodott[oi] ordin[ei] consegn[ae] produtos?',
  'bestelling\\p{L}* levering\\p{L}*',
);
const CUSTOMER_WORDS = wordPattern('customers? clients? kunden\\p{L}* clientes? clienti klanten\\p{L}*');
const PAPER_WORDS = wordPattern('post postal letters? brief briefe paper snail royal direct');
const ABOUT_MAIL =
  /e ?mail|(?<!\p{L})e ?post|news ?letter|nieuwsbrie|spam|abuse|mailing|marketing|feedback ?loop|(?:^| )isp(?= |$)|subscri|list|elektron|elettron|electron/u;

/** True for a header about an opt-out or a complaint that may not be about email, so that svc asks. */
export function mayBeAboutOther(header: string, isComplaint: boolean): boolean {
  const words = wordsOf(header);
  const isOther =
    WORDS_FOR_THINGS.test(words) || PAPER_WORDS.test(words) || (isComplaint && CUSTOMER_WORDS.test(words));
  return isOther && !ABOUT_MAIL.test(words);
}

const EVENT = wordPattern(
  'attend(?:ed|ance|ing|ee|s)? rsvp_?\\p{L}* present(?:e|i)? coming checked_?in check_?in showed(?:_up)? no_?show registered booked accepted_invitation invited invitation paid unpaid dues? fees? donated donation refunded paying purchas\\p{L}* buyers? bought clicks? clicked opens? opened sent',
  'teilnahme\\p{L}* teilgenommen anwesend\\p{L}* zusage\\p{L}* zugesagt bezahlt beitrag\\p{L}* gebucht eingeladen gespendet spende\\p{L}* rechnung\\p{L}* gekauft kaufer\\p{L}* zahlend\\p{L}* geklickt geoffnet',
  'presence paye payee payants? achat\\p{L}* ach?eteurs? clics? compr(?:ador|a)\\p{L}* acquist\\p{L}* aankop\\p{L}* koper cotisation participation participe reserve asistencia asistio asiste pagado pagada cuota presenza pagato pagata quota presenca pago aanwezig\\p{L}* betaald contributie obecnosc oplacon\\p{L}* betalt betald narvaro deltar maksettu',
);

// Matches headers about the status of a person: `Membership status`. Their words can mean that the person left.
const STATUS_OF_PERSON =
  /\b(?:member\w*|mitglied\w*|user|account|customer|client|kunden\w*|plan|contract|vertrag\w*|employment|lifecycle|patron|donor|student|crm|participa\w*|volunteer|card)\b/u;

/** True for a header about an order, a payment or an event: `Payment status`, `RSVP`, `Attended`. */
export function namesOrderOrEvent(header: string): boolean {
  const words = wordsOf(header);
  const isOther = EVENT.test(words) || (OTHER_STATUS_WORDS.test(words) && !STATUS_OF_PERSON.test(words));
  return isOther && !ABOUT_MAIL.test(words) && !containsStem(AGREEMENT_STEMS, words);
}

import { wordOf, wordsOf } from '../words-and-stems.ts';

// Words of headers about an opt-out or a complaint that is not about email: `Complaints (product)`, `Returned mail
// (post)`, `Cookie opt-out`, `Bounced cheque`.

const THING = wordOf(
  'products? goods orders? deliver(?:y|ies) shipping shipments? parcels? packages? repairs? warranty quality items? invoices? bills? billing payments? debits? cheques? checks? cards? refunds? food rooms? hotel noise stores? shops? tickets? service support cookies? tracking analytics profiling photos? images? print catalogu?e?s? house castle',
  'produkte? pakete? lieferung\\p{L}* bestellung\\p{L}* rechnung\\p{L}* zahlung\\p{L}* ware fotos? katalog\\p{L}*',
  'produits? commandes? livraisons? productos? pedidos? entregas? pagos? catalogos? prodott[oi] ordin[ei] consegn[ae] produtos?',
  'bestelling\\p{L}* levering\\p{L}*',
);
const CUSTOMER = wordOf('customers? clients? kunden\\p{L}* clientes? clienti klanten\\p{L}*');
const PAPER = wordOf('post postal letters? brief briefe paper snail royal direct');
const ABOUT_MAIL =
  /e ?mail|e ?post|news ?letter|nieuwsbrie|spam|abuse|mailing|marketing|feedback ?loop|(?:^| )isp(?= |$)|subscri|list|elektron|elettron|electron/u;

/** True for a header about an opt-out or a complaint that may not be about email, so that svc asks. */
export function mayBeAboutOther(header: string, isComplaint: boolean): boolean {
  const words = wordsOf(header);
  const isOther = THING.test(words) || PAPER.test(words) || (isComplaint && CUSTOMER.test(words));
  return isOther && !ABOUT_MAIL.test(words);
}

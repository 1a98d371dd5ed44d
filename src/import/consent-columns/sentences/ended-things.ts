import { compileWords } from '../words/word-patterns.ts';

// Words for an end beside the thing that ended: `cancelled order 12`, `Rechnung gelöscht`. They say nothing about the
// person. Each line has one language or a few related ones.

const THINGS = [
  'orders?|invoices?|appointments?|bookings?|reservations?|meetings?|tickets?|lessons?|shipments?|deliver(?:y|ies)|payments?|flights?|trips?|demos?|webinars?|refunds?|quotes?|items?',
  'bestellung(?:en)?|rechnung(?:en)?|auftrag|auftrage|termine?|buchung(?:en)?|reservierung(?:en)?|lieferung(?:en)?|zahlung(?:en)?|kurs|kurse|angebote?|reise|flug|mahnung(?:en)?',
  'commandes?|factures?|rendez vous|rdv|reservations?|livraisons?|paiements?|devis|pedidos?|facturas?|citas?|reservas?|pagos?|ordin[ei]|fattur[ae]|appuntament[oi]|prenotazion[ei]|encomendas?|faturas?',
  'bestelling(?:en)?|factu(?:ur|ren)|afspra(?:ak|ken)|zamowieni[ea]|faktur[aey]|wizyt[ay]|ordrer?|fakturor|bokning(?:ar)?|bestallning(?:ar)?|avtalad tid|objednavk[ay]|schuzk[ay]|заказ\\p{L}*|счет\\p{L}*|встреч\\p{L}*',
].join('|');
const ENDED =
  'cancel\\p{L}*|delet\\p{L}*|remov\\p{L}*|declin\\p{L}*|refus\\p{L}*|reject\\p{L}*|void\\p{L}*|returned|storniert\\p{L}*|geloscht|abgesagt|abgelehnt|annul\\p{L}*|anul\\p{L}*|supprim\\p{L}*|elimin\\p{L}*|cancell\\p{L}*|geannuleerd|verwijderd|usuniet\\p{L}*|avbokad\\p{L}*|avbestall\\p{L}*|slettet|borttagen|zrusen\\p{L}*|smazan\\p{L}*|отмен\\p{L}*|удален\\p{L}*';
const DETAIL = '(?: (?:no|nr|number|nummer|numero|n|\\d+x?)){0,3}';
const LITTLE = '(?:the|his|her|their|one|last|die|der|das|den|eine|letzte|la|le|l|sa|son|una|un|el|su|il|lo|de|het)';
const AUXILIARY = '(?:is|was|has been|ist|wurde|a ete|est|fue|ha sido|e stat[oa]|werd|zostal[oa]?|blev)';
const ENDED_THING = compileWords(
  `^(?:${ENDED})(?: ${LITTLE})* (?:${THINGS})${DETAIL}$|^(?:${LITTLE} )*(?:${THINGS})${DETAIL}(?: ${AUXILIARY})? (?:${ENDED})${DETAIL}$`,
);
// Matches goods that came back: `Lieferung zurück`. A letter or an invoice that came back means a wrong address.
const GOODS_BACK = compileWords(
  '^(?:\\p{L}+ )?(?:lieferung|bestellung|ware|artikel|schuhe|kleid|hose|jacke|goods|shoes)(?: \\p{L}+)? zuruck(?:gegeben|geschickt|gesandt)?$',
);
// Matches what a person left somewhere: `left her card`, `left a review`. `left the list` doesn't match.
const LEFT_THING = compileWords(
  '^(?:\\p{L}+ ){0,2}left (?:an?|the|his|her|their|my|me|us|some)(?: \\p{L}+){0,2} (?:cards?|messages?|notes?|vm|voice ?mails?|reviews?|comments?|feedback|numbers?|donations?|gifts?|tips?|deposits?|keys?|umbrella|coat|bag)$',
);
// Matches a call back: `ruft zurück`. `kommt zurück` doesn't match, because mail comes back too.
const CALLS_BACK = compileWords(
  '^(?:\\p{L}+ ){0,2}(?:ruft|rufe|rufen|ruf|rief|meldet sich|telefoniert)(?: \\p{L}+){0,3} zuruck$',
);

/** True for the words of a clause about the end of an order and the like, a call back, or something left behind. */
export function isEndOfThing(words: string): boolean {
  return [ENDED_THING, GOODS_BACK, LEFT_THING, CALLS_BACK].some((pattern) => pattern.test(words));
}

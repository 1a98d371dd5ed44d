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
const DETAIL = '(?: (?:no|nr|number|nummer|numero|n|\\d+)){0,3}';
const LITTLE = '(?:the|his|her|their|one|last|die|der|das|den|eine|letzte|la|le|l|sa|son|una|un|el|su|il|lo|de|het)';
const AUXILIARY = '(?:is|was|has been|ist|wurde|a ete|est|fue|ha sido|e stat[oa]|werd|zostal[oa]?|blev)';
const ENDED_THING = compileWords(
  `^(?:${ENDED})(?: ${LITTLE})* (?:${THINGS})${DETAIL}$|^(?:${LITTLE} )*(?:${THINGS})${DETAIL}(?: ${AUXILIARY})? (?:${ENDED})${DETAIL}$`,
);
// Matches a call back: `ruft zurück`. `kommt zurück` doesn't match, because mail comes back too.
const CALLS_BACK = compileWords(
  '^(?:\\p{L}+ ){0,2}(?:ruft|rufe|rufen|ruf|rief|meldet sich|telefoniert)(?: \\p{L}+){0,3} zuruck$',
);

/** True for the words of a clause about the end of an order and the like, or about a call back. */
export function isEndOfThing(words: string): boolean {
  return ENDED_THING.test(words) || CALLS_BACK.test(words);
}

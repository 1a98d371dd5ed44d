import { wordsOf } from './plain-words.ts';
import { compileWords } from './word-patterns.ts';

// Words for people who left, in a column that names the list or sheet from which a row comes: `Bounces`, `Abmeldungen`.
// In other columns some of them are ordinary words.

/** Beginnings of words for people who left. A word may have up to seven more letters. */
const LIST_STEMS =
  'bounce complain unsub optout blacklist blocklist denylist suppress delist ' +
  'abmeld abgemeldet abbestell widerruf widersprech widerspruch kontaktsperr werbesperr mailsperr sperrlist sperrdatei sperrung sperrverm gesperrt austritt ausgetreten ausgeschieden austrag ausgetragen gekundigt kundigung rucklauf beschwerde robinsonlist karteileich verstorben geloscht loschung loschantr unzustellbar deaktiviert ' +
  'desabonn desinscri rebond plainte resiliation decede opposant ' +
  'desuscri rebotad rebote queja fallecid difunt disiscri rimbalz reclami deceduti descadastr reclamac falecid ' +
  'afmeld afgemeld uitschrijv uitgeschrev opzegg opgezegd klacht overleden royement rezygnac wypisan odbici skargi ' +
  'avregistrer avanmal avlidn klagomal studsar frameld udmeld utmeld avmeld klager odhlasen leiratkoz dezabon отписа отписк жалоб';
/** Whole words for people who left, in all their forms. `_` stands for a blank. */
const LIST_WORDS =
  'opt_outs? opted_outs? do_not_(?:e_?)?(?:mail|contact|send)s? no_(?:e_?)?mails? leavers? removals? removed deleted dead deceased former lapsed churned lost gone gone_?aways? undeliverables? undelivered invalids? cancellations? cancell?ed withdrawals? withdrawn objections? objectors? refusals? refused declined rejected rejects resigned resignations? quit left stopped stop_?list spam_(?:complaints?|reports?) spammers? hard soft inactives disabled ex ' +
  'abgang abgange abgangige kundiger sperren? schwarze_liste ehemaligen? toten? raus inaktiv(?:en?)? ungultige verweigerer nicht_(?:mehr_)?(?:anschreiben|mailen|kontaktieren|verwenden) ' +
  'liste_(?:noire|rouge) npai resilie?e?s oppositions? sortis anciens refus retires radies supprimes demission(?:s|naires)? deces inacti(?:f|fs|ve|ves) exclus injoignables ' +
  'bajas? list[ae]_ne(?:gra|ra) canceladas? cancelados? inactiv[oa]s eliminad[oa]s oposiciones cancellat[ie] defunti esclusi revoche revocati inattivi disdett[ae] rimossi ex_soci removid[oa]s desligad[oa]s inativ[oa]s obitos ' +
  'zwarte_lijst gestopten? oud_leden verwijderden? inactieven? czarna_lista zwroty zmarli svarte?_?list[ae] doda slettede? avslutade stoppade crna_lista черныи_список';
// Words that may stand beside a word for people who left: `Newsletter Abmeldungen 2020`, `old bounces`.
const BESIDE =
  'lists? listen? lista lijst imports? imported exports? exported files? uploads? segments? csv tsv txt xlsx? sheet tab blatt tabelle of the all from der die das alle aus vom von des de du les la le los las di dei del degli van uit e_?mails? mails? mailings? newsletters? nl contacts? kontakte kontakten kunden customers? members? mitglieder subscribers? abonnenten people clients? clientes? clienti membres socios? soci contactos contatti klanten leden klienci medlemm(?:ar|er) old new (?:19|20)\\d\\d';
const [BESIDE_LIST, STEM, WORD] = [BESIDE, LIST_STEMS, LIST_WORDS].map((words) =>
  words.replaceAll(' ', '|').replaceAll('_', ' '),
);
const OPT_OUT_LIST = compileWords(
  `^(?:(?:${BESIDE_LIST}) )*(?:(?:${STEM})\\p{L}{0,7}|${WORD})(?: (?:${BESIDE_LIST}))*$`,
);
const LONGEST = 40;
// Shorter beginnings would let too many cells through the word filter.
const SHORTEST_START = 3;

/** The first letters of the words for people who left, for the word filter. */
export const OPT_OUT_LIST_STARTS: readonly string[] = [
  ...LIST_STEMS.split(' '),
  ...LIST_WORDS.split(' ')
    .map((word) => word.replace(/[([].*|.\?.*/u, '').replaceAll('_', ''))
    .filter((start) => start.length >= SHORTEST_START),
  ...'nomail noemai newsletterb emaila emailb emailo emailu liste'.split(' '),
];

/** True for a name of a list or a sheet of people who left: `Bounces`, `Newsletter Abmeldungen 2020`, `Liste noire`. */
export function isOptOutListName(text: string): boolean {
  return text.length <= LONGEST && OPT_OUT_LIST.test(wordsOf(text));
}

// Words for lists that were bought, rented or copied from the web. Their people never agreed to get mail.
const BOUGHT =
  'bought|purchased|rented|gekaufte?|gemietete?|achetee?s?|louee?s?|comprad[oa]s?|alquilad[oa]s?|alugad[oa]s?|acquistat[oaie]|comprat[oaie]|noleggiat[oa]|aangekochte?|gekochte?|gehuurde?|kupion[aey]|zakupion[aey]|kopta?|kobte?|kjopte?|koupen[aey]|zakoupen[aey]|vasarolt|ostettu|cumparat[ae]?|куплен\\p{L}*';
const BESIDE_BOUGHT = `${BESIDE_LIST}|lead|leads|data|database|daten|datenbank|adress(?:e|en|es)|base|baza|databaze|banco|kontakt[ya]|контакты|fichier|datos|dados|dati`;
const BOUGHT_LIST = compileWords(`^(?:(?:${BESIDE_BOUGHT}) )*(?:${BOUGHT})(?: (?:${BESIDE_BOUGHT}))*$`);
const COPIED_LIST = compileWords(
  '(?:^| )(?:scrap(?:ed|ing)|harvested|crawled|(?:data|list|address|adress) ?brokers?|cold list|(?:list|lead) (?:purchase|rental)|(?:adress|leads?|listen)kauf|adress(?:handel|handler|miete)|(?:fremd|kauf|miet)adressen?|location de (?:fichier|base))(?= |$)',
);
// Words for an agreement that the person did not give, or that has ended: `pre-ticked`, `Implied (expired)`.
const ASSUMED = compileWords(
  '^(?:assumed|presumed|pre ?(?:ticked|checked|selected)(?: (?:check)?box)?|vorangekreuzt|vorausgewahlt|mutmasslich|vermutet|(?:case )?pre ?cochee?|presumee?|premarcad[oa]|presunt[oa]|supuest[oa]|preselezionat[oa]|vooraf aangevinkt|verondersteld|domniemana|forkryssad|forhandsavkrysset)$|(?:^| )(?:expired|lapsed|abgelaufen|expiree?|caducad[oa]|scadut[oa]|verlopen|wygas\\p{L}{1,3}|utgang(?:et|en))$',
);

/** True for a list of people who never agreed to get mail: `Purchased list`, `Bought 2019`, `Scraped`. */
export function isBoughtList(words: string): boolean {
  return words.length <= LONGEST && (BOUGHT_LIST.test(words) || COPIED_LIST.test(words));
}

/** True if the person did not really agree, or not any more: `Assumed`, `Pre-ticked`, `Implied (expired)`. */
export function isNoAgreement(words: string): boolean {
  return words.length <= LONGEST && (ASSUMED.test(words) || isBoughtList(words));
}

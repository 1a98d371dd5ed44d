import { namesMembership } from '../headers/date-headers.ts';
import { ADDRESS_PART_WORDS, namesChannelConsent } from '../headers/header-words.ts';
import { wordsOf } from '../words/plain-words.ts';
import { OTHER_STATUS_WORDS } from '../words/status-headers.ts';
import { wordPattern } from '../words/word-patterns.ts';
import type { OtherColumnKind } from './opt-out-words.ts';

// Groups the headers of columns about something else. The group decides which opt-out words count below a header.

/** Headers of names of companies, towns, lists and other things. */
const NAME_HEADERS = wordPattern(
  'names? nickname username alias company companies organi[sz]ations? org firma firmen unternehmen entreprise societe raison_sociale empresa compania azienda ditta ragione_sociale bedrijf bedrijfsnaam organisatie spolka foretag virksomhed bedrift yritys sirket spolecnost ceg компания организация 会社名? 公司 회사명? employer account client customer user owner contact partner spouse assistant manager referrer referred_by',
  'city stadt ort ville ciudad citta cidade plaats miasto town country land pays pais paese kraj county region state province provincia provincie provinz bundesland region departement district municipality hometown birthplace place location locality miejscowosc by postort paikkakunta sehir mesto varos oras город 市区町村 城市 도시 venue hotel school university college course team club band artist song album film movie book game product products item items brand model make campaign project department abteilung branch store shop channel source utm_[a-z]+ keyword keywords interests? hobby hobbies topics? subject headline domain website url',
);

/** Headers of columns in which `left` or `baja` is an ordinary value: `Side`, `Prioridad`. */
const SCALE_HEADERS = wordPattern(
  'side gate direction hand handedness orientation alignment wing season temporada saison stagione prioridad priority prioridade priorite priorita planta piso andar floor talla gear transmission fuel colou?r size shirt diet answer answers quiz',
);

/** Headers of things that can end without an opt-out: an order, a contract, an event. */
const THING_HEADERS = wordPattern(
  'status stage phase result results outcome event events activity action webinar class trial card policy loan claim returns? refunds? shipping versand lieferung livraison envio rechnung facture factura fattura subscription_type reservation buchung last_event',
);
/** Matches headers of a decision about a row: `Action` with `add` and `remove`, `Verdict` with `keep` and `drop`. */
const LIST_CHANGE =
  /^(?:(?:list|sync|import|record|row|suggested|recommended) )?(?:actions?|aktion(?:en)?|acciones|accion|azione|acao|actie|handling|results?|verdict)$/u;
// Matches headers of facts about a person, such as a number, a date or a position. All opt-out words count below them.
const OF_PEOPLE =
  /\b(?:ids?|no|num|number|\w*nummer|\w*nr|numero|code|key|ref|hash|date|datum|fecha|since|seit|phone|tel\w*|address|adresse|anrede|salutation|language|birth\w*|^job$|job title|position|role|funktion|beruf|poste|cargo)\b/u;

/** True for a header of names. A cell that is wholly in capitals may be a mark below it: `REMOVED`. */
export function namesThings(header: string): boolean {
  return kindOfHeader(header) === 'name' && !SCALE_HEADERS.test(wordsOf(header));
}

/** The kind of a column by its header. It decides which opt-out words count in the column. */
export function kindOfHeader(header: string): OtherColumnKind {
  const words = wordsOf(header);
  if (OF_PEOPLE.test(words) || LIST_CHANGE.test(words) || namesMembership(words)) {
    return 'other';
  }
  if (NAME_HEADERS.test(words) || SCALE_HEADERS.test(words)) {
    return 'name';
  }
  return OTHER_STATUS_WORDS.test(words) || THING_HEADERS.test(words) ? 'foreign' : 'other';
}

/**
 * True for a header about consent to another channel, such as `SMS status`. False for `Mobile` and `Postal address`,
 * which contain a number or an address.
 */
export function isChannel(header: string, cells: readonly string[]): boolean {
  const words = wordsOf(header);
  const isNumber = TELEPHONE_NUMBER.test(words) || ADDRESS_PART_WORDS.test(words) || POSTAL_ADDRESS.test(words);
  const numberCount = cells.filter((cell) => /\d.*\d.*\d/.test(cell)).length;
  return namesChannelConsent(words) || (!isNumber && (cells.length === 0 || numberCount < cells.length / 2));
}

// Words for a telephone number, and for a postal address.
const TELEPHONE_NUMBER = /\b(?:phones?|mobile|cell|cellphone|telephone|telefon\w*|tel|handy|fax|rufnummer)\b/u;
const POSTAL_ADDRESS = /\b(?:address|adresse|anschrift|direccion|indirizzo|endereco|adres|code|codes|box)\b/u;

import { OTHER_STATUS } from '../header-words.ts';
import { wordOf, wordsOf } from '../text.ts';
import type { ColumnPlace } from './leaving-words.ts';

/** Headers of names: of companies, towns, products, lists. Also of scales, on which `left` and `baja` are a value. */
const NAMES = wordOf(
  'names? nickname username alias company companies organi[sz]ations? org firma firmen unternehmen entreprise societe raison_sociale empresa compania azienda ditta ragione_sociale bedrijf bedrijfsnaam organisatie spolka foretag virksomhed bedrift yritys sirket spolecnost ceg компания организация 会社名? 公司 회사명? employer account client customer user owner contact partner spouse assistant manager referrer referred_by',
  'city stadt ort ville ciudad citta cidade plaats miasto town country land pays pais paese kraj county region state province provincia provincie provinz bundesland region departement district municipality hometown birthplace place location locality miejscowosc by postort paikkakunta sehir mesto varos oras город 市区町村 城市 도시 venue hotel school university college course team club band artist song album film movie book game product products item items brand model make campaign project department abteilung branch store shop channel source utm_[a-z]+ keyword keywords interests? hobby hobbies topics? subject headline domain website url',
  'side gate direction hand handedness orientation alignment wing season temporada saison stagione prioridad priority prioridade priorite priorita planta piso andar floor talla gear transmission fuel colou?r size shirt diet answer answers quiz',
);

/** Headers of things that end without their person: an order, a contract, an event. */
const THINGS = wordOf(
  'status stage phase result results outcome event events activity action webinar class trial card policy loan claim returns? refunds? shipping versand lieferung livraison envio rechnung facture factura fattura subscription_type reservation buchung last_event',
);
const OF_PEOPLE =
  /\b(?:ids?|nr|no|num|number|\w*nummer|\w*nr|numero|code|key|ref|hash|date|datum|fecha|since|seit|phone|tel\w*|address|adresse|anrede|salutation|language|birth\w*|^job$|job title|position|role|funktion|beruf|poste|cargo)\b/u;

/** What a column about something else holds, by its header. */
export function placeOf(header: string): ColumnPlace {
  const words = wordsOf(header);
  if (OF_PEOPLE.test(words)) {
    return 'other';
  }
  if (NAMES.test(words)) {
    return 'name';
  }
  return OTHER_STATUS.test(words) || THINGS.test(words) ? 'foreign' : 'other';
}

import { wordsOf } from './plain-words.ts';

// Words in names of files, folders and sheets that may mean an opt-out list: `old.csv`, `Archiv 2019`,
// `graveyard/list.csv`. They count only if no other word describes the people: in `old-town-club.csv`, `town` does.
// Words have no accents. Languages in order: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
// Nordic, Finnish, Turkish, Czech, Hungarian, Russian.

const FORMER = spacedWords(
  'old older former past previous ex archive archives archiv graveyard cemetery trash bin rubbish attic limbo lost dormant sleeping sleepers lapsed expired retired churn churned obsolete outdated off away dropouts dropped discarded purged unwanted paused hold onhold closed ended unengaged disengaged unresponsive passive unused nonactive nope never negative zz zzz rip sunset sunsetted undelivered failed failures failure error errors',
  'alt alte alter alten ehemals frueher fruehere fruher fruhere vergangene weg raus archivierte friedhof papierkorb mull muell tot tote karteileichen leichen verloren verlorene verzogen abgang abgange abgaenge ruhend ruhende schlafende aussortiert stillgelegt passiv nein',
  'ancien anciens ancienne anciennes vieux corbeille cimetiere perdus partis sortis radies poubelle dormants',
  'antiguo antiguos antigua antiguas viejo viejos archivado archivados papelera cementerio perdidos muertos caducados descartados fuera exsocios',
  'vecchio vecchi vecchie archivio cestino cimitero persi usciti morti scaduti archiviati',
  'antigo antigos velho velhos arquivado arquivados lixeira cemiterio mortos saidos',
  'oud oude ouden archief prullenbak kerkhof verlopen vertrokken slapend nee',
  'stary stara stare archiwum kosz cmentarz utraceni martwe byli dawni',
  'gamla gammal gammel gamle arkiv papperskorg papirkurv kyrkogard tidigare tidligere doda dode nej vanha vanhat arkisto roskakori entiset passiiviset',
  'eski arsiv pasif stari hrbitov byvali byvale regi archivum temeto',
  'старые старыи архив корзина кладбище бывшие ушли ушедшие потерянные',
);

// Words of `FORMER` that can also mean an earlier version of the file, or the rows that another program could not read.
const EARLIER_VERSION = spacedWords(
  'old older past previous archive archives archiv attic obsolete outdated expired undelivered failed failures failure error errors z zz zzz alt alte alter alten frueher fruehere fruher fruhere vergangene archivierte ancien anciens ancienne anciennes vieux antiguo antiguos antigua antiguas viejo viejos archivado archivados',
  'vecchio vecchi vecchie archivio archiviati antigo antigos velho velhos arquivado arquivados oud oude ouden archief stary stara stare archiwum gamla gammal gammel gamle arkiv tidigare tidligere vanha vanhat arkisto eski arsiv stari regi archivum старые старыи архив',
);
// Words of `FILLERS` for people. Beside one of them a word such as `old` is about the people: `old members`.
const PEOPLE = spacedWords(
  'contact contacts customer customers client clients member members subscriber subscribers user users people persons recipient recipients kontakte kunde kunden mitglied mitglieder abonnent abonnenten empfanger empfaenger leute membres abonnes personnes contactos clientes socios suscriptores miembros personas',
  'contatti clienti soci iscritti assinantes contatos membros contacten klanten leden abonnees kontakty klienci klientow czlonkowie kontakter kunder medlemmar medlemmer prenumeranter jasenet asiakkaat uyeler musteriler zakaznici контакты клиенты подписчики',
);
// Matches a name that is only a no. In longer names it means something else: `no limits`, `non members`.
const ONLY_NO = /^(?:no|non|nei|nao|nie|не|нет|いいえ|否)$/u;

// Words that don't describe the people of a list: words for the list, for people in general, and for versions.
const FILLERS = spacedWords(
  'list lists contact contacts customer customers client clients member members subscriber subscribers user users people person persons recipient recipients address addresses email emails mail mails e mailing mailings newsletter newsletters audience data export exports backup bak copy final file the our my of and from all new v version part csv txt tsv year until before on',
  'liste listen kontakt kontakte kunde kunden mitglied mitglieder abonnent abonnenten empfanger empfaenger adressen personen leute verteiler daten kopie die der das und von vom bis stand datei jahr',
  'listes contacts clients membres abonnes personnes adresses les des de la le et du copie lista listas contactos clientes socios suscriptores miembros personas los las el y copia elenco contatti clienti soci iscritti indirizzi i gli e assinantes contatos membros os as',
  'lijst lijsten contacten klanten leden abonnees en lista listy kontakty klienci klientow czlonkowie kontakter kunder medlemmar medlemmer prenumeranter og och jasenet asiakkaat uyeler musteriler liste seznam kontakty zakaznici',
  'список списки контакты клиенты подписчики база',
);

// Matches words like those in `FORMER`, in Chinese, Japanese and Korean, at the start or end of a name.
const UNSPACED_FORMER = /^(?:旧|舊|休眠|アーカイブ|ゴミ箱|归档|歸檔|回收站|휴면|보관|휴지통)|(?:旧|舊)$/u;

function spacedWords(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** True for a name or title such as `Graveyard` or `Former customers`: its people may have opted out. */
export function mayMeanFormerPeople(name: string): boolean {
  const words = wordsWithoutNumbers(name);
  return UNSPACED_FORMER.test(name) || (words.some((word) => FORMER.has(word)) && words.every(isFormerOrFiller));
}

function wordsWithoutNumbers(name: string): readonly string[] {
  return wordsOf(name)
    .split(' ')
    .filter((word) => !/^\p{N}*$/u.test(word));
}

/**
 * True for a name that means people who left or refused: `weg`, `no`, `old members`. False for a name that may only
 * mean an earlier version of the file: `old list`. If it is true, a row of this list that says `active` is doubtful
 * too.
 */
export function meansFormerPeople(name: string): boolean {
  const words = wordsWithoutNumbers(name);
  const isAboutPeople = words.some((word) => (FORMER.has(word) && !EARLIER_VERSION.has(word)) || PEOPLE.has(word));
  return ONLY_NO.test(words.join(' ')) || (mayMeanFormerPeople(name) && isAboutPeople);
}

/** True for a word for people who left, or a word that does not describe the people of a list: `old`, `customers`. */
export function isFormerOrFiller(word: string): boolean {
  return FORMER.has(word) || FILLERS.has(word);
}

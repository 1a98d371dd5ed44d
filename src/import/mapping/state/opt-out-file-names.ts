import { basename, dirname } from 'node:path';
import { wordsOf } from '../../consent-columns/words/plain-words.ts';
import { holdsMisspelledOptOut } from '../../consent-columns/words/typing-errors.ts';
import type { TableSource } from '../../source/source.ts';

// Words in names of files and folders that may mean an opt-out list: `old.csv`, `Archiv 2019.csv`,
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

/** Words that don't describe the people of a list: words for the list, for people in general, and for versions. */
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

/**
 * True if the name of a file, or of its folder in an archive, may mean that the people opted out. svc then asks about
 * rows without a status (C4). Rows with a status keep it.
 */
export function mayNameOptedOutPeople({ name, entry }: Pick<TableSource, 'name' | 'entry'>): boolean {
  const file = basename(name).replace(/(?:\.[a-z]{2,5}){1,2}$/i, '');
  const folders = entry === undefined ? [] : dirname(entry).split('/');
  return [file, ...folders].some((title) => mayMeanFormerPeople(title) || holdsMisspelledOptOut(wordsOf(title)));
}

/** True for a name or title such as `Graveyard` or `Former customers`: its people may have opted out. */
export function mayMeanFormerPeople(name: string): boolean {
  const words = wordsOf(name)
    .split(' ')
    .filter((word) => !/^\p{N}*$/u.test(word));
  return UNSPACED_FORMER.test(name) || (words.some((word) => FORMER.has(word)) && words.every(isFormerOrFiller));
}

function isFormerOrFiller(word: string): boolean {
  return FORMER.has(word) || FILLERS.has(word);
}

const FOLDERS_WITHOUT_MEANING: ReadonlySet<string> = new Set(['', '.', '..', 'rejects']);

/**
 * The folder of a file, as the user typed it. Undefined without a folder, for an archive entry, and for the folder of
 * rejects files.
 */
export function typedFolder({ path, entry }: Pick<TableSource, 'path' | 'entry'>): string | undefined {
  const folder = basename(dirname(path));
  return entry !== undefined || FOLDERS_WITHOUT_MEANING.has(folder) ? undefined : folder;
}

/**
 * True if a name contains this opt-out word, and no other word that describes the people: `unsubscribed list 2`, but
 * not `unsubscribed donors`.
 */
export function hasOnlyWord(name: string, word: RegExp): boolean {
  if (!word.test(name)) {
    return false;
  }
  const otherText = name.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}]*(?:${word.source})[\\p{L}\\p{N}]*`, 'giu'),
    ' ',
  );
  return wordsOf(otherText)
    .split(' ')
    .every((other) => /^\p{N}*$/u.test(other) || isFormerOrFiller(other));
}

import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { TableShape } from '../../../platforms/lib/platform.ts';
import { SUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { HeaderReading } from '../headers/header-reading.ts';
import { CELLS_MAY_NAME_LISTS, OPT_OUT_STEMS } from '../headers/header-words.ts';
import { readHeader } from '../headers/read-header.ts';
import { wordsOf } from '../words/plain-words.ts';
import { readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { containsStem } from '../words/word-patterns.ts';

/** Words that name no list: `Email status` and `Account status` are about the person. `News status` is about a list. */
export const WORDS_FOR_NO_LIST = new Set(
  [
    'e email emails mail mails mailing mailings correo correos courriel post posta marketing werbung advertising publicidad',
    'status state estado stato etat stand zustand statut subscribed unsubscribed subscribe unsubscribe subscription',
    'subscriptions subscriber abo abonnement opt opted in out optin optout double doi confirmed consent permission',
    'einwilligung consentement consentimiento consenso gdpr dsgvo rgpd account konto compte cuenta contact kontakt contacto',
    'customer kunde kunden client cliente klant member mitglied membre socio user date datum fecha data time at on by since',
    'reason grund motif motivo source quelle ip global all alle overall general total active aktiv current is has was are',
    'do not no nicht kein keine ne pas non of from for to the a an der die das de du la le les el los per via and und et y',
    'left leave removed deleted cancelled canceled blocked blacklisted suppressed bulk my our your id code flag type method campaign title other comment note',
  ].flatMap((line) => line.split(' ')),
);

/** Matches a word such as `list`. Any other word in such a header names the list: `List: News`. */
export const LIST_WORD =
  /^(?:mailing)?(?:lists?|listen?|listas?|listes?|lijst|verteiler|newsletters?|topics?|themen?|groups?)$/u;

// Matches words that are no name of a list: words for any mailing (`Unsubscribed from our newsletter`), and for what
// ended it (`user`, `api`, `import`).
const ANY_MAILING =
  /^(?:newsletters?|infolettres?|nieuwsbrie(?:f|ven)|nyhetsbrev|nyhedsbrev|bolet[ií]n(?:es)?|rundbriefe?|rundmails?|bulletins?|campaigns?|campanas?|kampagnen?|messages?|communications?|everything|us|site|website|web|form|formular|link|user|admin|api|import|automatic|automatically|manual|manually|system|y|n|yes|no|ja|nein)$/u;

// Matches what comes before the name of a list: `Unsubscribed from News`, `Opt-out: News`, `Abgemeldet von Angeboten`.
const BEFORE_NAME =
  /(?:(?<!\p{L})(?:from|of|for|von|vom|fur|für|fuer|de|du|des|di|dei|da|del|della|par|pour|para|per|van|voor|från|fran|fra|od|z|от|для)\s+|[:：]\s*|\s[–—-]\s+)(.+)$/isu;

// Matches words for kinds of mail: `news`, `offers`. A sender usually has a list for each kind.
const KIND_OF_MAIL =
  /^(?:news|offers|events|updates|promos|promotions|deals|digests?|products|webinars|surveys|tips|alerts|announcements|invitations|angebote|aktionen|neuigkeiten|veranstaltungen|produkte?|umfragen|einladungen|offres|actualites|evenements|sondages|ofertas|noticias|eventos|encuestas|offerte|novita|eventi|aanbiedingen|nieuws|evenementen)$/u;

/** True for a header that names one list of several: `List: News`, `Unsubscribed from Offers`, `Offers status`. */
export function namesOneList(header: string): boolean {
  const words = wordsOf(header).split(' ');
  const names = words.filter(isListName);
  const after = wordsOf(BEFORE_NAME.exec(header)?.[1] ?? '');
  const isMarked = beginsWithList(header) || names.some((word) => KIND_OF_MAIL.test(word));
  return (names.length > 0 && (isMarked || after.split(' ').some(isListName))) || LETTER.test(header);
}

/** True for a header such as `List: News`. `Waiting list` and `No newsletter` name no list of several. */
function beginsWithList(header: string): boolean {
  const [first = '', ...others] = wordsOf(header).split(' ');
  return LIST_WORD.test(first) && !ANY_MAILING.test(first) && others.some(isListName);
}

// Matches a list that has only a letter as its name: `Opt-out: A`.
const LETTER = /[:：]\s*\p{L}$/u;

/**
 * The name of the list in a header: `offer` for `Offers status` and for `Unsubscribed from our offer`. Columns with the
 * same name are about the same list.
 */
export function nameOfOneList(header: string): string {
  const letter = LETTER.exec(header)?.[0];
  const words = wordsOf(header);
  const names = namesIn(words.split(' ')).filter((word) => !LIST_WORD.test(word) && !ANY_MAILING.test(word));
  return letter ?? (names.length > 0 ? names.map(singular).sort().join(' ') : words);
}

/** The words of a header that can name a list. At the end `de` is such a word, as in `Newsletter DE`. */
export function namesIn(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) => !namesNoList(word) || (index > 0 && index === words.length - 1 && LANGUAGE.test(word)),
  );
}

// Matches codes of languages that are also words for `of` or `is`: `de`, `es`.
const LANGUAGE = /^(?:de|es)$/u;

function singular(word: string): string {
  return word.replace(/(?<=\p{L}{2})s$/u, '');
}

// True for a word that never names a list, such as `status`, `consent` or `from`. False for a word such as `general`,
// because `List: General` names a list.
function namesNoList(word: string): boolean {
  if (GROUPS.has(word) || KIND_OF_MAIL.test(word) || CELLS_MAY_NAME_LISTS.test(word)) {
    return SIGN_UPS.test(word);
  }
  return WORDS_FOR_NO_LIST.has(word) || (readHeader(word) !== undefined && !ANY_MAILING.test(word));
}

// General words that can name a list: `List: Customers`.
const GROUPS: ReadonlySet<string> = new Set(
  'marketing werbung advertising publicidad customer kunde kunden client cliente klant member mitglied membre socio user all alle overall general global total bulk title other y'.split(
    ' ',
  ),
);

// Matches words about a sign-up. They name no list, but the cells below such a header may name lists.
const SIGN_UPS =
  /^(?:anmeldung|signups?|subscriptions?|abonnements?|suscripcion|assinatura|permissions|consensi|einwilligungen|zgody|pref(?:erence)?s?|frequen\p{L}*|frecuen\p{L}*|haufigkeit|delivery)$/u;

/** True for a word that can be the name of a list. */
function isListName(word: string): boolean {
  return (
    word !== '' &&
    !WORDS_FOR_NO_LIST.has(word) &&
    !LIST_WORD.test(word) &&
    !ANY_MAILING.test(word) &&
    !containsStem(OPT_OUT_STEMS, word)
  );
}

/** The filled cells of a column in the first rows. */
export function filledCells({ sample }: TableShape, index: number): readonly string[] {
  return sample.map((row) => row[index] ?? '').filter((cell) => !isEmptyValue(cell));
}

const LIST_READING: HeaderReading = { meaning: 'agreed', asksAboutUnknown: true, filledMeansHappened: false };

/**
 * The meaning of a column such as `List: News`, if the cells of all such columns are states or answers. Undefined if
 * the cells are names of lists. svc tests these columns together, because in one of them the first rows can all be
 * subscribed.
 */
export function namedList(shape: TableShape, index: number): HeaderReading | undefined {
  return beginsWithList(shape.header[index] ?? '') && familyHoldsStates(shape) ? LIST_READING : undefined;
}

const familyByShape = new WeakMap<TableShape, boolean>();

// True if all cells of the first rows under headers such as `List: News` are states or answers. Cached for each table,
// because a table can have thousands of lists.
function familyHoldsStates(shape: TableShape): boolean {
  const cached = familyByShape.get(shape);
  const isFamily = (header: string) => beginsWithList(header) && readHeader(header)?.holdsGroups === true;
  const holdsStates =
    cached ??
    [...shape.header.keys()]
      .filter((index) => isFamily(shape.header[index] ?? ''))
      .every((index) => filledCells(shape, index).every((cell) => isStatusWord(cell) || readYesNo(cell) !== undefined));
  familyByShape.set(shape, holdsStates);
  return holdsStates;
}

function isStatusWord(cell: string): boolean {
  return STATE_WORDS.has(wordLookupKey(cell));
}

/**
 * The indexes of columns in which all filled cells of the first rows say subscribed. Columns in `others` are left out.
 */
export function findSubscribedColumns(shape: TableShape, others: ReadonlySet<number>): readonly number[] {
  return [...shape.header.keys()].filter((index) => {
    const cells = others.has(index) ? [] : filledCells(shape, index);
    return cells.length > 0 && cells.every((cell) => STATE_WORDS.get(wordLookupKey(cell)) === SUBSCRIBED);
  });
}

import { memoize } from '../../base/lib/memoize.ts';
import { plainWordsOf } from './cells/compounds.ts';
import { isDate } from './cells/days.ts';
import { fieldsOf } from './cells/fields.ts';
import { holdsMailEvents, holdsReplies, isFinalReply } from './cells/mail-results.ts';
import { repeatsHeader } from './cells/repeated-headers.ts';
import { holdsEvents, holdsVolumes, isYes, meaningOfEvents, meaningOfLaterValues } from './event-columns.ts';
import { contradictsItself, mayMeanOptOut, mayNameMailings } from './headers/contrary-headers.ts';
import { mayEndLater } from './headers/date-headers.ts';
import { isNameless, namesMailOnly, refusesByTick } from './headers/header-predicates.ts';
import { type HeaderReading, NOTE_READING } from './headers/header-reading.ts';
import { namesEmail } from './headers/header-words.ts';
import { readHeader } from './headers/read-header.ts';
import { kindOfHeader } from './other-columns/header-kinds.ts';
import { stateByTitle } from './other-columns/list-names.ts';
import { RECORD_MARK } from './other-columns/words-below-headers.ts';
import { holdsChannels } from './sentences/preferred-channel.ts';
import { mentionsEnd } from './words/end-words.ts';
import { asksToStop } from './words/phrases.ts';
import { wordsOf } from './words/plain-words.ts';
import { CLEAR_WORDS, isPlainYesNo, isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from './words/value-words.ts';

/** The meaning of a column about the last message (`opened`, `clicked`). Its words are in `EVENT_WORDS`. */
export const MAIL_EVENT_READING: HeaderReading = {
  meaning: 'status',
  asksAboutUnknown: false,
  filledMeansHappened: false,
};

const MIN_SHARE = 0.8;

// Words of services that check whether addresses are valid. No other program writes them.
const ADDRESS_CHECK_WORDS: ReadonlySet<string> = new Set(
  ['undeliverable', 'catch all', 'accept all', 'disposable', 'spamtrap', 'do not mail', 'role based'].map(
    wordLookupKey,
  ),
);

/**
 * The meaning of a column by its values alone. It is a status if most values are status words. It is a column of notes
 * if some values ask for no more mail or have fields about consent. Otherwise undefined.
 */
function meaningByValues(cells: readonly string[]): HeaderReading | undefined {
  const read = cells.map((cell) => readWord(cell));
  const requests = new Set(read.flatMap(({ cell, isOptOutRequest }) => (isOptOutRequest ? [cell] : [])));
  // A single word that asks for no mail is probably a misspelled status, and not a note: `Unsubscibed`.
  const misspelled = new Set([...requests].filter((cell) => /^\s*\p{L}+\s*$/u.test(cell)));
  const knownCount = read.filter(({ cell, isState }) => isState || misspelled.has(cell)).length;
  const hasClear = misspelled.size > 0 || read.some(({ isClear }) => isClear);
  if (hasClear && knownCount >= cells.length * MIN_SHARE && requests.size === misspelled.size) {
    return { meaning: 'status', asksAboutUnknown: true, filledMeansHappened: false };
  }
  if (
    cells.some((cell) => ADDRESS_CHECK_WORDS.has(wordLookupKey(cell))) &&
    cells.filter(isStateWord).length >= cells.length * MIN_SHARE
  ) {
    return { meaning: 'status', asksAboutUnknown: true, filledMeansHappened: false };
  }
  return requests.size > misspelled.size || cells.some(holdsPairs) ? NOTE_READING : undefined;
}

// The longest cell that is cached. Up to this length V8 copies a text. A longer one is a slice, which would keep the
// text of the whole file in memory.
const LONGEST_CACHED_CELL = 12;
const readShortWord = memoize(readWordOnce);

function readWord(cell: string) {
  return cell.length <= LONGEST_CACHED_CELL ? readShortWord(cell) : readWordOnce(cell);
}

function readWordOnce(cell: string) {
  const key = wordLookupKey(cell);
  const isClear = CLEAR_WORDS.has(key);
  return { cell, isClear, isState: STATE_WORDS.has(key), isOptOutRequest: !isClear && asksToStop(cell) };
}

// True for a cell with fields if one of them is about consent: pairs such as `city=Rome;optin=0`, or PHP data. JSON and
// `consent: false` need no test here, because svc reads them under any header.
function holdsPairs(cell: string): boolean {
  const fields = /^[aOC]:/.test(cell) || cell.includes('=') ? fieldsOf(cell) : undefined;
  return (
    fields !== undefined &&
    [fields]
      .flat()
      .flatMap((field) => Object.keys(Object(field)))
      .some((name) => readHeader(name) !== undefined)
  );
}

/**
 * The meaning of a column whose header alone shows none. Its values show it, or its values together with its header: a
 * date under `Out` may be an opt-out. A column without a name is read like notes. Undefined if the values show no
 * meaning. `hasBlanks`: some cells of the column are blank.
 */
export function meaningOfValues(
  header: string,
  cells: readonly string[],
  hasBlanks = false,
): HeaderReading | undefined {
  if (namesOptedOutPeople(header) && holdsAddresses(cells)) {
    return { meaning: 'optedOut', asksAboutUnknown: true, filledMeansHappened: false };
  }
  if (mayNameMailings(header) && cells.length > 0) {
    const words = wordsOf(header);
    const isContrary = contradictsItself(words) || mayMeanOptOut(header);
    const isAnswer = (cell: string) => readYesNo(cell) !== undefined || repeatsHeader(cell, words);
    if (cells.every((cell) => isAnswer(cell) || (isContrary && isDate(cell)))) {
      return { meaning: isContrary ? 'either' : 'agreed', asksAboutUnknown: true, filledMeansHappened: false };
    }
  }
  if (namesMailOnly(header) && cells.some(isPlainYesNo) && !cells.some((cell) => cell.includes('@'))) {
    return { meaning: 'agreed', asksAboutUnknown: true, filledMeansHappened: false };
  }
  if (
    (CHOICE_OF_ROWS.test(wordsOf(header)) || SENDING.test(wordsOf(header))) &&
    cells.some(isPlainYesNo) &&
    cells.every(isAnswer)
  ) {
    return { meaning: 'agreed', asksAboutUnknown: true, filledMeansHappened: false, needsConfirmation: true };
  }
  const saysHow = WAY_OF_SENDING.test(wordsOf(header)) && cells.some((cell) => namesEmail(wordsOf(cell)));
  if (saysHow || holdsChannels(header, cells)) {
    return { meaning: 'channel', asksAboutUnknown: false, filledMeansHappened: false };
  }
  if (holdsReplies(cells)) {
    return { meaning: 'mailError', asksAboutUnknown: true, filledMeansHappened: false };
  }
  if (holdsMailEvents(header, cells)) {
    return MAIL_EVENT_READING;
  }
  if (asksAboutTicks(header, cells, hasBlanks) || refusesByTick(header, cells)) {
    return { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
  }
  // `migrate/checks/consent-ends.ts` compares the last days of memberships with today. Here only a yes counts, because
  // it says that the membership has ended.
  if (
    mayEndLater(header)
      ? cells.some(isYes)
      : mayMeanOptOut(header) && holdsEvents(cells) && !holdsVolumes(header, cells)
  ) {
    return meaningOfEvents(header, cells);
  }
  // A header such as `†` has no letters, so it looks like a missing name, but it has a meaning.
  const isNote = isNameless(header) && !mayMeanOptOut(header);
  const byValues = meaningByValues(cells);
  const found = byValues === NOTE_READING ? noteUnder(header) : (byValues ?? (isNote ? NOTE_READING : undefined));
  return found ?? (cells.some(isFinalReply) ? REMARKS : undefined) ?? meaningOfLaterValues(header, cells);
}

// The reading of a column in which some cells ask for no more mail. Below the header of a company, a town or a job such
// a cell may be a name: `No Mail Ltd`, `Opt-out Officer`.
function noteUnder(header: string): HeaderReading {
  const words = wordsOf(header);
  const mayBeName =
    JOB_HEADER.test(words) ||
    (kindOfHeader(header) === 'name' && !PERSON_HEADER.test(words) && !LIST_HEADER.test(words));
  return mayBeName ? { ...NOTE_READING, needsConfirmation: true } : NOTE_READING;
}

// Matches the header of a list or a file. The name of a list or file in a cell counts: `unsubscribed.csv`.
const LIST_HEADER = /source|file|list|origin|channel|campaign/u;
const JOB_HEADER =
  /(?:^| )(?:job|title|titel|titre|titulo|titolo|position|role|rolle|funktion|function|fonction|beruf|occupation|profession|poste|cargo|puesto|ruolo|functie|stanowisko)(?= |$)/u;
const PERSON_HEADER =
  /^(?:(?:full|first|last|middle|display|contact|customer|member|subscriber|person|user|client|your) )?names?$|^(?:nom|nom complet|nom et prenom|nombre|nombre completo|nome|nome completo|naam|namn|navn|nimi|imie i nazwisko|isim)$/u;

// True for ticks or answers in words, if the column has no name or its header is only a mark: `?`, `x`. A user may have
// marked these people. A 1 beside blanks is a tick too. Without blanks it is rather a number.
function asksAboutTicks(header: string, cells: readonly string[], hasBlanks: boolean): boolean {
  const isTick = (cell: string) =>
    readYesNo(cell) !== undefined && (!/\d/u.test(cell) || (hasBlanks && cell.trim() === '1'));
  // Under a header that only says `mark`, such as `Kennz`, a letter can mean a deletion or a block: `L`, `SP`.
  const holdsMarks = RECORD_MARK.test(wordsOf(header));
  const isMark = (cell: string) => holdsMarks && LETTER_OF_END.test(wordsOf(cell));
  return (
    (isNameless(header) || MARK_HEADER.test(header) || holdsMarks) &&
    cells.some((cell) => isPlainYesNo(cell) || isMark(cell)) &&
    cells.every((cell) => isTick(cell) || isMark(cell))
  );
}

const MARK_HEADER = /^\s*[x✗✘×]\s*$/iu;
const LETTER_OF_END = /^(?:l|loe?|g|sp?)$/u;

// True for the header of a column with the addresses of people who left: `Email (left)`, `Leavers`.
function namesOptedOutPeople(header: string): boolean {
  return mentionsEnd(plainWordsOf(header)) || stateByTitle([header]) !== undefined;
}

function holdsAddresses(cells: readonly string[]): boolean {
  return areOfManyPeople(
    cells.filter((cell) => /^[^\s@]+@[^\s@]+$/u.test(cell.trim())),
    cells,
  );
}

/**
 * True if most filled cells of a column are addresses, and at least 90 % of these are different. An address that occurs
 * in many rows is that of a colleague, for example under `Closed by`.
 */
export function areOfManyPeople(addresses: readonly string[], filled: readonly string[]): boolean {
  return addresses.length * 2 > filled.length && new Set(addresses).size * 10 >= addresses.length * 9;
}

// Matches a header with which a user selected the rows to move: `Import?`, `Keep`, `Übernehmen`.
const CHOICE_OF_ROWS =
  /^(?:to |please )?(?:import(?:ed|ieren|er|ar|are|eren)?|include|migrate|migrieren|transfer|keep|use|take over|carry over|ubernehmen|behalten|mitnehmen|verwenden|einbeziehen|importer|inclure|garder|conserver|incluir|mantener|conservar|includere|tenere|behouden|overnemen|meenemen)(?: it| this)?$/u;

// Matches headers about how a club sends its news: `Versandart`. It is a preferred channel if a cell names email.
const WAY_OF_SENDING =
  /^(?:versand|zustell|bezugs?|zusende|zusendungs)(?:art|weg|form)$|^(?:verzend|bezorg)(?:wijze|methode)$|^mode (?:d ?envoi|de reception|de diffusion)$/u;

// Matches a word for sending that can mean mail or parcels: `Versand`, `Zusendung`.
const SENDING =
  /^(?:versand|zusendung|aussendung|mailversand|bezug|bezieht|erhalt|bekommt|envoi|envois|recoit|envios?|recibe|invio|riceve|recebe|verzenden|verzending|toezending|ontvangt|wysylka|otrzymuje|utskick|udsendelse|utsendelse|far utskick)(?: erwunscht| gewunscht)?$/u;

/** True for a yes, a no, a date or a status word. */
export function isAnswer(cell: string): boolean {
  return readYesNo(cell) !== undefined || isDate(cell) || isStateWord(cell);
}

// The meaning of a column of various texts, if one of them is a final reply of a mail server. svc asks only about
// opt-out words in it.
const REMARKS: HeaderReading = { meaning: 'mailError', asksAboutUnknown: false, filledMeansHappened: false };

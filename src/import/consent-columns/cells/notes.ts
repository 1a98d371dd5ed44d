import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import { isBriefEnd } from '../headers/contrary-headers.ts';
import { type CellReading, NOTE_READING } from '../headers/header-reading.ts';
import { optOutState } from '../other-columns/read-words.ts';
import { readCell } from '../read-cell.ts';
import { isEndOfThing } from '../sentences/ended-things.ts';
import { choosesNothing } from '../sentences/limited-mail.ts';
import { namesRightOfRemoval } from '../sentences/removal-requests.ts';
import { stateOfStatusTags } from '../sentences/status-tags.ts';
import { mayBeUndone } from '../sentences/undone-opt-outs.ts';
import {
  combineReadings,
  keepsMailAway,
  questionReading,
  toQuestionReading,
} from '../several-columns/combine-readings.ts';
import { isBriefEndText, isEndedTag, isMarkedOptOut, mentionsEnd, namesEarlierGroup } from '../words/end-words.ts';
import { asksInWords, asksPlainly, hasNegation, isUnwilling, mentionsMail, refusesMessages } from '../words/phrases.ts';
import { withoutMarkup, wordsOf } from '../words/plain-words.ts';
import { holdsMisspelledOptOut } from '../words/typing-errors.ts';
import { isPlainYesNo } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';
import { MESSAGE_WORDS, plainWordsOf, withoutCompounds } from './compounds.ts';
import { fieldsOf, labeledFieldsOf, stateOfValues } from './fields.ts';
import { partsOfLongNote } from './long-notes.ts';
import { refusesPaperMail, withoutOtherChannels } from './other-subjects.ts';

/**
 * The state that a note gives. A clear opt-out word or request counts. svc asks about a text that may be an opt-out in
 * other words. Other texts give no state.
 */
export function stateOfNote(cell: string): StatusReading {
  return stateIn(cell, NOTE_KIND);
}

/** Like `stateOfNote`, for a note about a call. It gives a state only if it speaks of mail. */
export function stateOfCallNote(cell: string): StatusReading {
  return mentionsMail(plainWordsOf(cell)) ? stateOfNote(cell) : NONE;
}

/**
 * The state that a list of tags gives. A tag that only names mail, such as `newsletter`, gives none: it is the name of
 * a group.
 */
export function stateOfTags(cell: string): StatusReading {
  return combineReadings(stateIn(cell, GROUP_KIND), stateOfStatusTags(cell));
}

/** Makes the reader of groups under this header. `None` under `Lists` is a question: the person is on no list. */
export function groupReader(headerWords = ''): (cell: string) => StatusReading {
  return LISTS.test(headerWords)
    ? (cell) => (choosesNothing(wordsOf(cell)) ? questionReading(cell) : stateOfTags(cell))
    : stateOfTags;
}

const LISTS = /^(?:subscribed )?(?:lists?|listen|listas|lijsten)$/u;

type Test = (text: string, words: string) => boolean;

interface TextKind {
  /** True for a text that clearly asks for no more mail. */
  readonly asks: Test;
  /** True for a text that may mean an opt-out. */
  readonly isDoubtful: Test;
}

// The state that a note or a list of tags gives. Notes are long and seldom equal, so cheap tests come first and rule
// out most of them.
function stateIn(cell: string, kind: TextKind): StatusReading {
  const inside = fieldsOf(cell);
  if (inside !== undefined) {
    return stateOfFields(inside, kind);
  }
  const labeled = labeledAnswer(cell, kind);
  if (labeled === undefined) {
    return stateInWords(cell, kind);
  }
  // A note never signs a person up. So `consent: true` gives no state, and only an opt-out word in the note counts.
  return labeled.agreesToMail ? optOutState(cell) : combineReadings(optOutState(cell), labeled);
}

function stateInWords(whole: string, kind: TextKind): StatusReading {
  const cell = withoutOtherChannels(whole);
  const reading = stateInMailWords(cell, kind);
  const isDoubtful = () => cell.split(BETWEEN_TAGS).some(refusesPaperMail) || mayBeUndone(wordsOf(cell));
  return keepsMailAway(reading) && isDoubtful() ? toQuestionReading(reading, cell) : reading;
}

function stateInMailWords(cell: string, kind: TextKind): StatusReading {
  if (cell.length <= LONGEST_DITTO && DITTO.test(cell)) {
    return questionReading(cell);
  }
  const state = optOutState(cell);
  if (state !== NONE) {
    return state;
  }
  const text = withoutLinks(withoutMarkup(cell));
  if (text.length > LONGEST_NOTE) {
    const mayAsk = (part: string, words = plainWordsOf(part)) => kind.asks(part, words) || kind.isDoubtful(part, words);
    return partsOfLongNote(text).some((part) => mayAsk(part)) ? questionReading(cell) : NONE;
  }
  const words = plainWordsOf(text);
  if (kind.asks(text, words)) {
    return UNSUBSCRIBED;
  }
  return kind.isDoubtful(text, words) ? questionReading(cell) : NONE;
}

// The state of a note that consists of fields, such as JSON or `consent: false`. A field without a value gives no
// state: `{"unsubscribed_at":null}`.
function stateOfFields(fields: object, kind: TextKind): StatusReading {
  const column: CellReading = { ...NOTE_READING, mayMeanSubscribed: false };
  const read: typeof readCell = (value, under) =>
    under.meaning === 'text' ? stateIn(value, kind) : readCell(value, under);
  return stateOfValues(fields, column, read);
}

/**
 * The state of a note such as `consent: false`. Undefined for other notes. Only plain answers count, because ordinary
 * text has colons too.
 */
function labeledAnswer(cell: string, kind: TextKind): StatusReading | undefined {
  const fields = labeledFieldsOf(cell);
  const read = fields === undefined ? NONE : stateOfFields(fields, kind);
  const isPlain = read.agreesToMail === true || read.state !== 'none' || isPlainYesNo(read.unknown ?? '');
  return isPlain ? read : undefined;
}

// Matches a cell that stands for the cell above: `ditto`, `siehe oben`, or a quote mark.
const DITTO =
  /^\s*(?:["″〃”]|''|-["″”]-|ditto|dito|dto\.?|do\.|idem|ídem|id\.|ibid(?:em)?\.?|ebd\.?|ebenda|same|s\. ?o\.?|siehe oben|wie oben|(?:see|as|same as) above)\s*$/iu;
const LONGEST_DITTO = 16;
const LONGEST_NOTE = 300;
const LONGEST_SHORT_NOTE = 60;
// The longest note in which svc looks for short words for an end, such as `weg`, and for typing errors. In longer notes
// this takes long: they are rarely equal, so a cache does not help.
const LONGEST_CHECKED_NOTE = 20;
const MAX_WORDS_OF_SHORT_NOTE = 5;
const MAX_WORDS = 3;
// Matches the separator between two clauses of a note.
const CLAUSE = /[.,;!?|\n]+| [-–] |:\s/u;
// Matches a mark that stands for a note elsewhere (`*`), and the code of a final reply of a mail server: `550`.
const ONLY_SIGN = /^\s*(?:[*＊✱※†‡]{1,2}|(?:smtp |error )?55[0-4])\s*$/iu;

const isDoubtfulNote: Test = (text, words) => {
  const isShort = text.length <= LONGEST_SHORT_NOTE;
  const maxWords = isShort ? MAX_WORDS_OF_SHORT_NOTE : MAX_WORDS;
  const shouldAsk = (clause: string) =>
    refusesMail(clause) || isEnd(clause, maxWords) || (isShort && isBrief(clause, maxWords) && mentionsMail(clause));
  const isFound =
    words.length <= LONGEST_CHECKED_NOTE &&
    [isBriefEnd, isEndedTag, holdsMisspelledOptOut].some((saysEnd) => saysEnd(words));
  // The whole text counts too, because dots separate the letters of `R.I.P.`.
  const isBriefNote = isShort && [text, ...text.split(CLAUSE)].some((part) => isBriefEndText(part) || isSign(part));
  return isFound || isBriefNote || (mayBeUnclear(words) && clausesOf(text).some(shouldAsk));
};

// True for a note that is only a sign, a code or an article of the law: `*`, `550`, `Art. 17`.
function isSign(text: string): boolean {
  return ONLY_SIGN.test(text) || namesRightOfRemoval(wordsOf(text));
}

// Matches an opt-out word among tags that only blanks separate: `vip unsub_request`.
const OPTS_OUT = /(?:^| )(?:unsubs?|optout|optedout)(?= |$)/u;

const isDoubtfulGroup: Test = (text, words) =>
  asksInWords(text, words) ||
  OPTS_OUT.test(words) ||
  text.split(BETWEEN_TAGS).some(isDoubtfulTag) ||
  (mayBeUnclear(words) &&
    (clausesOf(text).some((clause) => refusesMail(clause) || FORBIDDING_TAG.test(clause) || isEnd(clause, MAX_WORDS)) ||
      text.split(BETWEEN_TAGS).some(isRemovedTag)));

function isDoubtfulTag(tag: string): boolean {
  const saysLeft = [isBriefEndText, isMarkedOptOut, namesEarlierGroup].some((test) => test(tag));
  return saysLeft || holdsMisspelledOptOut(wordsOf(tag));
}

// Matches a tag that forbids sending: `do-not-blast`. `do-not-call` doesn't match, because it is about another channel.
const FORBIDDING_TAG =
  /^(?:do not|dont) (?!(?:call|phone|ring|text|sms|fax|visit|knock|whatsapp|delete|merge)(?= |$))\w+$/u;

const NOTE_KIND: TextKind = { asks: asksInWords, isDoubtful: isDoubtfulNote };
const GROUP_KIND: TextKind = { asks: asksPlainly, isDoubtful: isDoubtfulGroup };

// Matches the separator between two tags, with the quotes around it: `","`.
const BETWEEN_TAGS = /["'\s]*[,;|\n]["'\s]*|^["'\s]+|["'\s]+$/u;
// Matches a tag that a symbol or a short word negates: `NL-`, `!newsletter`, `x_newsletter`, `newsletter off`.
const NEGATED_TAG =
  /^(?:[-!\u2212~¬✗✘×]|(?:x+|z+|ex|old|no|non|not|un)[\s_.:-])|(?:[-\u2212✗✘×]|[\s_.:-](?:out|off|x+|no|non|false|0|aus|nein|nie|nee|nej|ne|ei|n[aã]o|нет))$/iu;

const NAMES_MESSAGES = compileWords(`^(?:${MESSAGE_WORDS}|infos?)(?= )`);

function isRemovedTag(tag: string): boolean {
  const words = plainWordsOf(tag);
  return NEGATED_TAG.test(withoutCompounds(tag).trim()) && (mentionsMail(words) || NAMES_MESSAGES.test(words));
}

// A quick test, false for most notes: they have no word for mail, an end or a refusal.
function mayBeUnclear(words: string): boolean {
  return mentionsEnd(words) || mentionsMail(words) || isUnwilling(words) || hasNegation(words);
}

function clausesOf(text: string): readonly string[] {
  return withoutCompounds(text).split(CLAUSE).map(wordsOf);
}

// The text without links and addresses, because their words are not about the person.
function withoutLinks(text: string): string {
  return text.includes('/') || text.includes('@') ? text.replace(LINK, ' ') : text;
}

// Matches a link or an address.
const LINK = /(?:https?:\/\/|www\.)\S+|(?<!\S)\S+@\S+/giu;

function refusesMail(words: string): boolean {
  return (mentionsMail(words) && (hasNegation(words) || mentionsEnd(words))) || refusesMessages(words);
}

function isEnd(words: string, maxWords: number): boolean {
  return isBrief(words, maxWords) && (mentionsEnd(words) || isUnwilling(words)) && !isEndOfThing(words);
}

function isBrief(words: string, maxWords: number): boolean {
  return words.split(' ').length <= maxWords;
}

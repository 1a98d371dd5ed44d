import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { isLimitedMail } from '../sentences/limited-mail.ts';
import { questionReading } from '../several-columns/combine-readings.ts';
import { isRefusalInWords } from '../words/end-words.ts';
import { wordsOf } from '../words/plain-words.ts';
import { isPlainYesNo, readYesNo } from '../words/value-words.ts';
import { optOutReader } from './read-words.ts';

// Finds marks that users write into an address, so that it gets no more mail: `UNSUB-anna@example.com`,
// `anna@example.com_deleted`, `#anna@example.com`.

const WORDS =
  'unsub unsubscribe unsubscribed optout opt-out opt_out optedout opted-out donotmail donotemail donotcontact do-not-mail do-not-email do-not-contact dnc nomail no-mail delete deleted removed bounce bounced suppressed deceased abgemeldet geloescht gelöscht gesperrt verstorben ungueltig ungültig desabonne désabonné desinscrit supprime supprimé eliminado fallecido disiscritto cancellato uitgeschreven afgemeld verwijderd wypisany usuniety'.split(
    ' ',
  );
/**
 * Further marks. Ordinary addresses can begin with them too: `left.bank@example.com`. So they do not count before a
 * dot, a hyphen or a plus.
 */
const USUAL_WORDS = 'left dead inactive blocked baja gone out x xx xxx xxxx zz zzz'.split(' ');
const [MARK, USUAL_MARK] = [WORDS, USUAL_WORDS].map((words) => words.join('|').replaceAll('-', '[-_]?'));
// Matches a mark before an address, and the separators after the mark.
const MARK_BEFORE_ADDRESS = new RegExp(
  `^["'<\\s]*(?:(?:${MARK})(?:[-_.+:=#*!]+|\\s+)|(?:${USUAL_MARK})(?:[_:=#*!]+|\\s+)|[#*!/~;([-]+)(?=[^\\s@]{1,64}@)`,
  'iu',
);
// Matches a mark after the domain of an address, and the separators before the mark.
const MARK_AFTER_DOMAIN = new RegExp(`(?<=@[^\\s@]+)[-_+#*!.;,|(]+(?:${MARK}|${USUAL_MARK})[\\s>"'*!.)]*$`, 'iu');
// Matches a sign that no domain has, behind an end such as `.com`, and what follows the sign: `†`, `*`, `/old`. Also
// matches a word in brackets. A quote or a separator is no sign: the cell then has a name or a second address.
const SIGN_AFTER_DOMAIN =
  /(?<=@[^\s@]*\.\p{L}{2,})[^\p{L}\p{M}\p{Nd}\p{C}\p{DI}\s@.:,;|<>()[\]"'‘’“”„«»`-][^\s@]*$|(?<=@[^\s@]*\.\p{L}{2,})[([{][^\s@()[\]{}]{1,20}[)\]}]$/u;
/**
 * Marks behind the end of a domain that look like such an end, because they are short: `.com.old`. Each has three
 * letters.
 */
export const SHORT_MARKS: readonly string[] = ['old', 'alt', 'off', 'del', 'bad'];
// Matches a word behind the end of a domain: `.com-old`, `.com.old`. No domain really ends like that. `.invalid` counts
// only behind an end such as `.com`, because addresses in examples also end with it: `ana@example.invalid`.
const WORD_AFTER_DOMAIN = new RegExp(
  `(?<=@[^\\s@]+\\.(?!xn--)\\p{L}{2,6})-[\\p{L}\\p{Nd}]+$|(?<=@[^\\s@]+\\.\\p{L}{2,})\\.(?:${SHORT_MARKS.join('|')}|former|disabled|archived)$|(?<=@[^\\s@]+\\.(?:com|net|org|info|biz|eu|\\p{L}{2}))\\.invalid$`,
  'iu',
);

// Matches an address that HTML crosses out: `<s>anna@example.com</s>`.
const STRUCK_ADDRESS = /^\s*<(s|del|strike)\b[^<>]*>([^<>]*)<\/\1>\s*$/iu;

// svc searches only this many characters for a mark. A search in a whole cell of 300,000 letters would take minutes.
const LONGEST_MARKED = 400;

// How many letters the quick test compares. Few addresses begin with the first letters of a mark.
const LETTERS = 3;
const CASE = 0x20;
const MARK_BEGINNINGS: ReadonlySet<number> = new Set([...WORDS, ...USUAL_WORDS].map((word) => beginningOf(word)));

function beginningOf(text: string): number {
  let sum = 0;
  for (let position = 0; position < LETTERS; position++) {
    sum = sum * 256 + ((text.charCodeAt(position) | CASE) & 0xff);
  }
  return sum;
}

/** A quick test: true for each cell that begins with a mark, and for few others. */
function mayBeginWithOptOutMark(cell: string): boolean {
  return mayBeMark(cell.charCodeAt(0)) || MARK_BEGINNINGS.has(beginningOf(cell));
}

/** Like `mayBeginWithOptOutMark`, for the bytes of an ASCII cell with at least three letters. */
export function mayBeginWithOptOutMarkAt(bytes: Uint8Array, start: number): boolean {
  const [first, second, third] = [bytes[start] as number, bytes[start + 1] as number, bytes[start + 2] as number];
  return mayBeMark(first) || MARK_BEGINNINGS.has(((first | CASE) * 256 + (second | CASE)) * 256 + (third | CASE));
}

const [readBesideName, readBesideAddress] = [optOutReader('name'), optOutReader('other')];

/** The state that a cell in an address column gives, by a mark in the address or by words beside it. */
export function addressCellState(cell: string): StatusReading {
  if (isOneAddress(cell)) {
    return NONE;
  }
  const marked = findMark(cell);
  if (marked !== undefined) {
    return questionReading(marked.mark);
  }
  const textBeside = `${cell.replace(ADDRESS, ' ').replace(EMPTY_BRACKETS, ' ')} ${textOfLink(cell)}`.trim();
  return cell.includes('<') ? readBesideName(textBeside) : readBesideAddress(textBeside);
}

// The subject and the text of a link: `unsubscribe` in `mailto:anna@example.com?subject=unsubscribe`.
function textOfLink(cell: string): string {
  const [, query = ''] = LINK.test(cell) ? (LINK_QUERY.exec(cell) ?? []) : [];
  return [...new URLSearchParams(query).values()].join(' ');
}

const LINK_QUERY = /\?([^\s<>()[\]]+)/u;

// A quick test, true for nearly all cells of an address column. Such a cell is one address with an end such as `.com`,
// without a blank and without a mark.
function isOneAddress(cell: string): boolean {
  const isPlain = PLAIN_END.test(cell) && !cell.includes(' ') && !mayBeginWithOptOutMark(cell);
  return isPlain && cell.indexOf('@') === cell.lastIndexOf('@');
}

// Matches an end such as `.com`, but no mark such as `.old`.
const PLAIN_END = new RegExp(`\\.(?!(?:${SHORT_MARKS.join('|')})$)[a-z]{2,4}$`, 'i');

// Matches every address in a text. The look-behind keeps the time linear, even in a cell without an address.
const ADDRESS = /(?<![^\s<>()[\],;])[^\s<>()[\],;]+@[^\s<>()[\],;]+/g;
// Matches the brackets that remain around a removed address.
const EMPTY_BRACKETS = /<\s*>/g;

/** The first mark in a cell with addresses, and the cell without its marks. Undefined if the cell has no mark. */
export function findMark(cell: string): { readonly mark: string; readonly address: string } | undefined {
  return markOf(cell) ?? (cell.indexOf('@') === cell.lastIndexOf('@') ? undefined : markInList(cell));
}

function markOf(cell: string): ReturnType<typeof findMark> {
  const [, struck, inner = ''] = STRUCK_ADDRESS.exec(cell) ?? [];
  if (struck !== undefined) {
    return { mark: `<${struck}>`, address: inner.trim() };
  }
  const mark = mayBeginWithOptOutMark(cell) ? MARK_BEFORE_ADDRESS.exec(cell.slice(0, LONGEST_MARKED))?.[0] : undefined;
  if (mark !== undefined) {
    return { mark: mark.trim(), address: cell.slice(mark.length).trim() };
  }
  const end = markAtEnd(cell.slice(-LONGEST_MARKED));
  return end === undefined ? undefined : { mark: end.trim(), address: cell.slice(0, -end.length).trim() };
}

function markAtEnd(text: string): string | undefined {
  const marks = LINK.test(text) ? [MARK_AFTER_DOMAIN] : [MARK_AFTER_DOMAIN, SIGN_AFTER_DOMAIN, WORD_AFTER_DOMAIN];
  return marks.map((mark) => mark.exec(text)?.[0]).find((found) => found !== undefined);
}

// A link can go on after the domain: `mailto:anna@example.com?subject=News`.
const LINK = /mailto:|https?:|\]\(/iu;

// The first mark among several addresses, which all belong to one person: `ben@example.com;UNSUB-anna@example.com`.
function markInList(cell: string): ReturnType<typeof findMark> {
  const parts = cell.split(/[\s,;|]+/);
  const marks = parts.map(markOf);
  const first = marks.find((mark) => mark !== undefined);
  return (
    first && { mark: first.mark, address: parts.map((part, position) => marks[position]?.address ?? part).join(' ') }
  );
}

// True for a character that can be a mark alone: punctuation, quotes, brackets, and the letters `x` and `z`.
function mayBeMark(code: number): boolean {
  return (
    code < 0x30 ||
    code === 0x3b ||
    code === 0x3c ||
    code === 0x5b ||
    code === 0x7e ||
    (code | CASE) === 0x78 ||
    (code | CASE) === 0x7a
  );
}

/**
 * Reads a cell below an address header, if the first rows have no address there. Later cells may be answers, so svc
 * asks about a "no". In a column with addresses a "no" only means that the person has no address.
 */
export function readAnswerOrAddress(cell: string): StatusReading {
  const isNo = isPlainYesNo(cell) && readYesNo(cell) === false && /\p{L}/u.test(cell);
  const refuses = isNo || NEVER.test(cell) || [isRefusalInWords, isLimitedMail].some((test) => test(wordsOf(cell)));
  return refuses ? questionReading(cell) : addressCellState(cell);
}

// Matches answers that mean never, under a header such as `Emails`.
const NEVER = /^\s*(?:never|off|nie|jamais|nunca|nooit)\s*$/iu;

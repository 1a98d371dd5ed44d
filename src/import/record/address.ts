import { unicodeSpelling } from '../../wire/person-key.ts';
import type { RowProblem } from '../csv/byte-row.ts';

/**
 * An address as read from a cell. `email` may be set beside a problem, because the row still takes part in the merge
 * (rule C9).
 */
interface AddressReading {
  readonly email: string | undefined;
  readonly problem: Omit<RowProblem, 'column'> | undefined;
  /** Further addresses of a cell with several. The row is not written for them. */
  readonly others?: readonly string[];
}

const LONGEST_ADDRESS_OCTETS = 254;
const LONGEST_DETAIL = 200;
// Longer cells are not searched for addresses, because the search time grows with the length.
const LONGEST_CELL = 2_000;

/**
 * Canonical form of an ordinary address: trimmed and lower-cased, nothing else (rule F8). `undefined` doesn't mean
 * invalid: `readAddress` has to decide.
 */
export function plainAddress(cell: string): string | undefined {
  return plainForm(cell) ?? plainForm(cell.trim().toLowerCase());
}

// Most cells are canonical already, and this check costs less than trimming and lower-casing.
function plainForm(text: string): string | undefined {
  let ats = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x7f || PLAIN[code] === 0) {
      return undefined;
    }
    ats += code === AT ? 1 : 0;
  }
  return ats === 1 && text.length <= LONGEST_ADDRESS_OCTETS && !NO_NAME.test(text) ? text : undefined;
}

const [AT, FIRST_DIGIT] = [0x40, 0x30];
// These characters need `readAddress`: < > , ; | " ' : ( ) [ ]. They tell one address from several, from a name with an
// address, from a link, and from an address in quotes. Capitals and blanks are excluded because they change in the
// canonical form.
const PLAIN = Uint8Array.from({ length: 0x7f }, (_, code) =>
  Number(code > 0x20 && !/[<>,;|"':()[\]A-Z]/.test(String.fromCharCode(code))),
);

/** True only if the bytes are a canonical address. False for the few addresses that begin with a sign. */
export function isPlainAddress(bytes: Uint8Array, start: number, end: number): boolean {
  // An `@` or another sign at the start may stand for all people of a domain.
  if (bytes[start] === AT || (bytes[start] as number) < FIRST_DIGIT) {
    return false;
  }
  let ats = 0;
  for (let at = start; at < end; at++) {
    const code = bytes[at] as number;
    if (code >= PLAIN.length || PLAIN[code] === 0) {
      return false;
    }
    ats += code === AT ? 1 : 0;
  }
  return ats === 1 && end - start <= LONGEST_ADDRESS_OCTETS;
}

/**
 * Reads any cell as an address; only trimming and lower-casing change it (rule F8). A link (`mailto:`, Markdown) stands
 * for the address in it. `several`: a list of addresses is one person, and the first usable address counts.
 */
export function readAddress(cell: string, several: boolean): AddressReading {
  const written = cell.trim().toLowerCase();
  if (written === '') {
    return refusal('missing_email', 'no address');
  }
  if (written.length > LONGEST_CELL) {
    return refusal('invalid_email', `${shownValue(cell)}: longer than ${LONGEST_ADDRESS_OCTETS} octets`);
  }
  const email = linkTarget(written);
  if (email === undefined) {
    return refusal('invalid_email', `${shownValue(cell)}: a link that names no single address`);
  }
  const inner = innerAddress(email) ?? QUOTED.exec(email)?.[1];
  if (inner !== undefined) {
    return { email: inner, problem: { reason: 'invalid_email', detail: `${shownValue(cell)}: write ${inner}` } };
  }
  const words = email.startsWith('"') ? [] : email.split(BETWEEN_ADDRESSES).filter((word) => word !== '');
  const parts = words.filter((word) => word.includes('@'));
  if (parts.length > 1) {
    return severalAddresses(cell, parts, several && parts.length === words.length);
  }
  return oneAddress(cell, email);
}

/** A value for use in problems, cut to a readable length. */
export function shownValue(cell: string): string {
  return cell.length > LONGEST_DETAIL ? `${cell.slice(0, LONGEST_DETAIL)}…` : cell;
}

// Google Contacts writes ` ::: ` between addresses.
const BETWEEN_ADDRESSES = /(?:[\s,;|]|:::)+/u;
// An address in quotes that are not CSV quotes. No domain ends in a quote.
const QUOTED = /^['‘’“”„«»`]([^\s'‘’“”„«»`]+@[^\s'‘’“”„«»`]+)['‘’“”„«»`]$/u;
// A domain with a delimiter or a quote comes from a row that was cut at other delimiters.
const IMPOSSIBLE_DOMAIN = /[,;|"'‘’“”„«»`]/u;
// `@example.org` and `*@example.org` name all people of a domain.
const NO_NAME = /^(?:[*%]|\.\*)?@/;
// A `mailto:` link: its address, without its query.
const MAILTO = /^mailto:(?:\/\/)?([^?]*)(?:\?.*)?$/su;
// A link of Markdown: its label and its target.
const MARKDOWN = /^\[([^\]]*)\]\(\s*([^()\s]+)\s*\)$/su;

// The address that a link leads to. Other text is returned as it is. Undefined for a link whose label shows a different
// address.
function linkTarget(text: string): string | undefined {
  const [, shown, target] = MARKDOWN.exec(text) ?? [];
  const link = withoutScheme(target ?? text);
  if (shown?.includes('@') && withoutScheme(shown.trim()) !== link) {
    return undefined;
  }
  // Addresses in links may be percent-encoded. A percent sign may also be part of an address.
  return (link === text || !link.includes('%')) && !/mailto:|\]\(/u.test(link) ? link : undefined;
}

function withoutScheme(text: string): string {
  return (MAILTO.exec(text)?.[1] ?? text).trim();
}

function innerAddress(email: string): string | undefined {
  const inner = /<\s*([^<>\s]+@[^<>\s]+)\s*>/u.exec(email)?.[1];
  return inner && withoutScheme(inner);
}

function severalAddresses(cell: string, parts: readonly string[], several: boolean): AddressReading {
  const email = parts.find((part) => oneAddress(cell, part).problem === undefined);
  if (several && email !== undefined) {
    return { email, problem: undefined, others: parts.filter((part) => part !== email) };
  }
  return { email: parts[0], problem: { reason: 'two_addresses_in_cell', detail: shownValue(cell) } };
}

function oneAddress(cell: string, email: string): AddressReading {
  if (!email.includes('@')) {
    return refusal('invalid_email', `${shownValue(cell)}: no @`);
  }
  if (/[<>]/.test(email) && !email.startsWith('"')) {
    return refusal('invalid_email', `${shownValue(cell)}: < or > inside`);
  }
  if (NO_NAME.test(email)) {
    return refusal('invalid_email', `${shownValue(cell)}: no name before the @`);
  }
  if (!email.isWellFormed() || email.includes('\0') || /[\s\p{Cc}]/u.test(withoutEdges(email))) {
    const detail = `${shownValue(cell)}: blank or control character inside`;
    return { email: addressAmongBlanks(email), problem: { reason: 'invalid_email', detail } };
  }
  if (IMPOSSIBLE_DOMAIN.test(email.slice(email.lastIndexOf('@')))) {
    const detail = `${shownValue(cell)}: not the name of a domain after the @`;
    return { email: addressBeforeDelimiter(email), problem: { reason: 'invalid_email', detail } };
  }
  if (Buffer.byteLength(email) > LONGEST_ADDRESS_OCTETS) {
    return refusal('invalid_email', `${shownValue(cell)}: longer than ${LONGEST_ADDRESS_OCTETS} octets`);
  }
  return { email, problem: undefined };
}

// The person in a cell with blanks or control characters. A known person is not signed up by another row (rule C9).
function addressAmongBlanks(email: string): string | undefined {
  const bare = withoutEdges(email);
  const known = bare.includes('@') && bare.isWellFormed() && !/[\s\p{Cc}]/u.test(bare);
  return known ? bare : addressAmid(bare);
}

// The person in a cell that was cut at another delimiter than the other rows: `anna@example.com;unsubscribed`.
function addressBeforeDelimiter(email: string): string | undefined {
  const first = email.split(/[,;|]/)[0] ?? '';
  const known = /^[^\s@]+@[^\s@]+$/u.test(first) && !IMPOSSIBLE_DOMAIN.test(first.slice(first.lastIndexOf('@')));
  return known ? first : undefined;
}

// The only address in a text such as `- anna@example.com` or `1. anna@example.com (asked to stop)`.
function addressAmid(text: string): string | undefined {
  const [word = '', ...more] = text.split(/\s+/u).filter((part) => part.includes('@'));
  const email = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return more.length === 0 && /^[^@\p{Cc}]+@[^@\p{Cc}]+\.[^@\p{Cc}]+$/u.test(email) ? email : undefined;
}

function refusal(reason: string, detail: string): AddressReading {
  return { email: undefined, problem: { reason, detail } };
}

/**
 * A comparison key that is equal for two addresses if any plausible trimming or lower-casing could make them equal
 * (rule F8): U+0085, U+FEFF and U+200B at the edges, İ and ı, the Kelvin sign, ß, final sigma. Both spellings of a
 * domain have one key.
 */
export function looseKey(email: string): string {
  if (!/[^\x21-\x7e]|xn--/i.test(email)) {
    return email.toLowerCase();
  }
  return unicodeSpelling(withoutEdges(email))
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cc}\p{Cf}]|\u0307/gu, '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');
}

/** An address without the blanks and invisible characters at its edges, which some services trim (rule F8). */
export function withoutEdges(email: string): string {
  return email.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, '');
}

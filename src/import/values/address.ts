import { shortenForMessage } from '../../base/lib/text.ts';
import { LONGEST_ADDRESS_BYTES } from '../../wire/limits.ts';
import { withoutEdgeBlanks } from '../../wire/person-key.ts';
import type { RowProblem } from '../csv/row-types.ts';
import { undoDoubleEncoding } from '../encoding/double-encoding.ts';

/**
 * What svc reads as the address in a cell. `email` can be set beside a problem, because an opt-out of the row still
 * holds for this address (C9).
 */
interface AddressReading {
  readonly email: string | undefined;
  readonly problem: Omit<RowProblem, 'column'> | undefined;
  /** Further addresses in the cell. No contact is written for them. */
  readonly others?: readonly string[];
}

// Longer cells are not searched for addresses, because the time of a search grows with the length.
const LONGEST_CELL = 2_000;

/**
 * The canonical form of an ordinary address: trimmed and in lower case, nothing else (F8). Undefined for any other
 * cell, which can still be a valid address: `readAddress` decides.
 */
export function plainAddress(cell: string): string | undefined {
  return plainForm(cell) ?? plainForm(cell.trim().toLowerCase());
}

// Returns the text if it is a canonical address, otherwise undefined. Most cells are canonical addresses, and this test
// costs less than trimming and lower-casing.
function plainForm(text: string): string | undefined {
  let ats = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x7f || PLAIN[code] === 0) {
      return undefined;
    }
    ats += code === AT ? 1 : 0;
  }
  return ats === 1 && text.length <= LONGEST_ADDRESS_BYTES && !NO_NAME.test(text) ? text : undefined;
}

const [AT, FIRST_DIGIT] = [0x40, 0x30];
// 1 for each ASCII character that is unchanged in an ordinary address. 0 for < > , ; | " ' : ( ) [ ], which can mean
// several addresses, a name beside the address, a link, or quotes. Also 0 for capitals and blanks, which the canonical
// form changes.
const PLAIN = Uint8Array.from({ length: 0x7f }, (_, code) =>
  Number(code > 0x20 && !/[<>,;|"':()[\]A-Z]/.test(String.fromCharCode(code))),
);

/**
 * True only for the bytes of a canonical address. For the few canonical addresses that begin with a character below
 * `0`, such as `+`, it is false.
 */
export function isPlainAddress(bytes: Uint8Array, start: number, end: number): boolean {
  // A cell that begins with `@` or another symbol can mean all people of a domain: `*@example.org`.
  if (bytes[start] === AT || (bytes[start] as number) < FIRST_DIGIT) {
    return false;
  }
  let ats = 0;
  for (let position = start; position < end; position++) {
    const code = bytes[position] as number;
    if (code >= PLAIN.length || PLAIN[code] === 0) {
      return false;
    }
    ats += code === AT ? 1 : 0;
  }
  return ats === 1 && end - start <= LONGEST_ADDRESS_BYTES;
}

/**
 * Reads any cell as an address. It trims and lower-cases the address, and changes nothing else (F8). Of a link
 * (`mailto:`, Markdown) it takes the address. `mayHoldSeveral`: several addresses in the cell belong to one person, and
 * the first usable one counts. Otherwise several addresses are a problem.
 */
export function readAddress(cell: string, mayHoldSeveral: boolean): AddressReading {
  const written = cell.trim().toLowerCase();
  if (written === '') {
    return refusal('missing_email', 'no address');
  }
  if (written.length > LONGEST_CELL) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: longer than ${LONGEST_ADDRESS_BYTES} bytes`);
  }
  const email = linkTarget(written);
  if (email === undefined) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: a link that names no single address`);
  }
  const meant = innerAddress(email) ?? QUOTED.exec(email)?.[1] ?? singlyEncoded(cell);
  if (meant !== undefined) {
    return { email: meant, problem: { reason: 'invalid_email', detail: `${shortenForMessage(cell)}: write ${meant}` } };
  }
  const words = email.startsWith('"') ? [] : email.split(BETWEEN_ADDRESSES).filter((word) => word !== '');
  const parts = words.filter((word) => word.includes('@'));
  if (parts.length > 1) {
    return severalAddresses(cell, parts, mayHoldSeveral && parts.length === words.length);
  }
  return oneAddress(cell, email);
}

// Matches the separator of two addresses: `, ` or `;`, and ` ::: ` of Google Contacts.
const BETWEEN_ADDRESSES = /(?:[\s,;|]|:::)+/u;
// Matches an address in quotes that are not CSV quotes. No domain ends in a quote.
const QUOTED = /^['‘’“”„«»`]([^\s'‘’“”„«»`@]+@[^\s'‘’“”„«»`]+)['‘’“”„«»`]$/u;
// Matches a domain with a delimiter or a quote, such as `example.com;no`. The row was then cut at the wrong delimiter.
const IMPOSSIBLE_DOMAIN = /[,;|"'‘’“”„«»`]/u;
// Matches the start of a cell that means all people of a domain: `@example.org`, `*@example.org`.
const NO_NAME = /^(?:[*%]|\.\*)?@/;
// Matches a `mailto:` link and captures the address without the query.
const MAILTO = /^mailto:(?:\/\/)?([^?]*)(?:\?.*)?$/su;
// Matches a Markdown link and captures its label and its target.
const MARKDOWN = /^\[([^\]]*)\]\(\s*([^()\s]+)\s*\)$/su;

// The address to which a link leads. Other text is returned unchanged. Undefined if the label shows a different address
// than the target, or if the link is not clear.
function linkTarget(text: string): string | undefined {
  const [, shown, target] = MARKDOWN.exec(text) ?? [];
  const link = withoutScheme(target ?? text);
  if (shown?.includes('@') && withoutScheme(shown.trim()) !== link) {
    return undefined;
  }
  // A percent sign in a link can be an escape or part of the address, so svc refuses such a link.
  return (link === text || !link.includes('%')) && !/mailto:|\]\(/u.test(link) ? link : undefined;
}

function withoutScheme(text: string): string {
  return (MAILTO.exec(text)?.[1] ?? text).trim();
}

function innerAddress(email: string): string | undefined {
  const inner = /<\s*([^<>\s@]+@[^<>\s]+)\s*>/u.exec(email)?.[1];
  return inner && withoutScheme(inner);
}

// The address that was meant by one whose letters were encoded twice: `jörg@x.com` for `jÃ¶rg@x.com`. A list in an
// older encoding has such addresses if another list in UTF-8 was joined to it (F8).
function singlyEncoded(cell: string): string | undefined {
  const meant = undoDoubleEncoding(cell.trim())?.toLowerCase();
  return meant !== undefined && /^[^\s@]+@[^\s@]+$/u.test(meant) ? meant : undefined;
}

function severalAddresses(cell: string, parts: readonly string[], isSeveral: boolean): AddressReading {
  const email = parts.find((part) => oneAddress(cell, part).problem === undefined);
  if (isSeveral && email !== undefined) {
    return { email, problem: undefined, others: parts.filter((part) => part !== email) };
  }
  return { email: parts[0], problem: { reason: 'two_addresses_in_cell', detail: shortenForMessage(cell) } };
}

function oneAddress(cell: string, email: string): AddressReading {
  if (!email.includes('@')) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: no @`);
  }
  if (/[<>]/.test(email) && !email.startsWith('"')) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: < or > inside`);
  }
  if (NO_NAME.test(email)) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: no name before the @`);
  }
  if (!email.isWellFormed() || email.includes('\0') || /[\s\p{Cc}]/u.test(withoutEdgeBlanks(email))) {
    const detail = `${shortenForMessage(cell)}: blank or control character inside`;
    return { email: addressAmongBlanks(email), problem: { reason: 'invalid_email', detail } };
  }
  if (IMPOSSIBLE_DOMAIN.test(email.slice(email.lastIndexOf('@')))) {
    const detail = `${shortenForMessage(cell)}: not the name of a domain after the @`;
    return { email: addressBeforeDelimiter(email), problem: { reason: 'invalid_email', detail } };
  }
  if (Buffer.byteLength(email) > LONGEST_ADDRESS_BYTES) {
    return refusal('invalid_email', `${shortenForMessage(cell)}: longer than ${LONGEST_ADDRESS_BYTES} bytes`);
  }
  return { email, problem: undefined };
}

// The address in a cell with blanks or control characters. svc uses it only so that no other row signs this person up
// (C9).
function addressAmongBlanks(email: string): string | undefined {
  const bare = withoutEdgeBlanks(email);
  const isPossible = bare.includes('@') && bare.isWellFormed() && !/[\s\p{Cc}]/u.test(bare);
  return isPossible ? bare : addressAmid(bare);
}

// The address before a delimiter: `anna@example.com` in `anna@example.com;unsubscribed`, a cell of a table with commas.
function addressBeforeDelimiter(email: string): string | undefined {
  const first = email.split(/[,;|]/)[0] ?? '';
  const isPossible = /^[^\s@]+@[^\s@]+$/u.test(first) && !IMPOSSIBLE_DOMAIN.test(first.slice(first.lastIndexOf('@')));
  return isPossible ? first : undefined;
}

// The only address in a text such as `1. anna@example.com (asked to stop)`. Undefined if there are several.
function addressAmid(text: string): string | undefined {
  const [word = '', ...more] = text.split(/\s+/u).filter((part) => part.includes('@'));
  const email = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return more.length === 0 && /^[^@\p{Cc}]+@[^@\p{Cc}]+\.[^@\p{Cc}]+$/u.test(email) ? email : undefined;
}

function refusal(reason: string, detail: string): AddressReading {
  return { email: undefined, problem: { reason, detail } };
}

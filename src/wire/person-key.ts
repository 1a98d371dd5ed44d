import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A key that all spellings of one address share (F8). Spellings can differ in the Unicode form, such as `é` as one
 * character or as two. Their domain can also be in Punycode or in full-width letters. `email` must be trimmed and in
 * lower case. Most addresses have only one spelling, which is also their key.
 */
export function personKey(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToASCII) ?? email) : email;
}

/**
 * The standard spellings of an address, without the address itself. Punycode comes before Unicode, and `é` as one
 * character before `é` as two. Empty for most addresses.
 */
export function otherSpellings(email: string): readonly string[] {
  if (!hasSpellings(email)) {
    return NONE;
  }
  const key = personKey(email);
  const unicode = unicodeSpelling(key);
  // A list may also have `é` as two characters in the domain. svc may have created the contact with that spelling.
  const withDomains = [key, unicode, decomposed(unicode, 'domain')];
  const standard = withDomains.flatMap((spelling) => [spelling, decomposed(spelling, 'local part')]);
  return [...new Set(standard)].filter((spelling) => spelling !== email && personKey(spelling) === key);
}

/**
 * The address in which each accent is a character of its own, either before the @ (`local part`) or behind it
 * (`domain`).
 */
function decomposed(email: string, part: 'local part' | 'domain'): string {
  const position = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, position), email.slice(position)];
  return part === 'domain' ? local + domain.normalize('NFD') : local.normalize('NFD') + domain;
}

/** The address with its domain in Unicode. An invalid domain stays as it is. */
function unicodeSpelling(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToUnicode) ?? email) : email;
}

/** True if the address may have several spellings. Most addresses have only one, and need no costly conversion. */
export function hasSpellings(email: string): boolean {
  return email.includes('xn--') || !ONLY_ASCII.test(email);
}

// Matches text that has only visible ASCII characters.
const ONLY_ASCII = /^[\x21-\x7e]*$/;
const NONE: readonly string[] = [];

// Matches characters for which svc does not convert a domain. Node reads a domain like the host of a URL: it cuts the
// domain at `/`, decodes `%41`, and reads `１.２` as an IP address. For invalid Punycode, Node returns an empty text.
const NO_DOMAIN = /[^a-z0-9._\-\x80-\uffff]/;
// Matches a domain that the conversion turned into an IP address.
const IP_ADDRESS = /^[\d.]+$/;

function withDomain(email: string, convert: (domain: string) => string): string | undefined {
  const position = email.lastIndexOf('@') + 1;
  const domain = email.slice(position);
  const converted = position === 0 || NO_DOMAIN.test(domain) ? '' : convert(domain);
  return converted === '' || IP_ADDRESS.test(converted)
    ? undefined
    : email.slice(0, position).normalize('NFC') + converted;
}

/**
 * A key that is equal for two addresses if the service could trim or lower-case them to the same text (F8). Blanks and
 * invisible characters do not count. These count as equal: İ, ı and i; the Kelvin sign and k; ß and ss; ς and σ; both
 * spellings of a domain.
 */
export function looseKey(email: string): string {
  if (!/[^\x21-\x40\x5b-\x7e]|xn--/.test(email)) {
    // Nearly all addresses are their own key, so svc returns them as they are. Lower-casing every address took 2 % of a
    // run.
    return email;
  }
  if (!/[^\x21-\x7e]|xn--/i.test(email)) {
    return email.toLowerCase();
  }
  return unicodeSpelling(withoutEdgeBlanks(email))
    .normalize('NFKC')
    .toLowerCase()
    .replace(INVISIBLE, '')
    .replaceAll('\u0307', '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ');
}

// Blanks, and characters without a visible shape: control and format characters, variation selectors, Hangul fillers,
// and the empty Braille pattern.
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
// The look-behind keeps the time linear: a group of blanks is matched only from its first character.
const INVISIBLE_EDGES = new RegExp(
  `^${INVISIBLE.source}|(?<!${INVISIBLE.source.slice(0, -1)})${INVISIBLE.source}$`,
  'gu',
);

/** The address without blanks and invisible characters at its edges, because the service may trim them (F8). */
export function withoutEdgeBlanks(email: string): string {
  return email.replace(INVISIBLE_EDGES, '');
}

/**
 * The loose keys of addresses that may look like another address of the list, so that the service could take both for
 * one (F8). Leaves out ordinary addresses, as nearly all are.
 */
export function lookAlikeKeys(emails: Iterable<string>): Set<string> {
  return new Set(Iterator.from(emails).filter(hasLookAlikes).map(looseKey));
}

/** True if the service could trim or lower-case the address to another one. */
function hasLookAlikes(email: string): boolean {
  return looseKey(email) !== email;
}

/** Counts the addresses that the service could take for an earlier one (F8). Calls `listEmails` twice. */
export function countLookAlikes(listEmails: () => Iterable<string>): number {
  const keys = lookAlikeKeys(listEmails());
  const found = new Set<string>();
  let count = 0;
  for (const key of keys.size === 0 ? [] : Iterator.from(listEmails()).map(looseKey)) {
    count += found.has(key) ? 1 : 0;
    if (keys.has(key)) {
      found.add(key);
    }
  }
  return count;
}

import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A key that all spellings of one address share (F8). Spellings may differ in the Unicode form: composed or
 * decomposed letters. The domain may also be in Punycode or in full-width letters. `email` must be trimmed and in lower
 * case. Most addresses have one spelling, which is the key.
 */
export function personKey(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToASCII) ?? email) : email;
}

/**
 * The standard spellings of an address, without the address itself: Punycode before Unicode, and letters with an accent
 * as one character before those as two. Empty for most addresses.
 */
export function otherSpellings(email: string): readonly string[] {
  if (!hasSpellings(email)) {
    return NONE;
  }
  const key = personKey(email);
  const unicode = unicodeSpelling(key);
  // A list may have decomposed letters in the domain too, so svc may have created the contact with this spelling.
  const withDomains = [key, unicode, decomposed(unicode, 'domain')];
  const standard = withDomains.flatMap((spelling) => [spelling, decomposed(spelling, 'local part')]);
  return [...new Set(standard)].filter((spelling) => spelling !== email && personKey(spelling) === key);
}

/** The address with each accent before or behind the @ as a character of its own. */
function decomposed(email: string, part: 'local part' | 'domain'): string {
  const position = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, position), email.slice(position)];
  return part === 'domain' ? local + domain.normalize('NFD') : local.normalize('NFD') + domain;
}

/** The address with its domain in Unicode. An invalid domain stays unchanged. */
function unicodeSpelling(email: string): string {
  return hasSpellings(email) ? (withDomain(email, domainToUnicode) ?? email) : email;
}

/** True if the address may have several spellings. Most addresses have one, and need no costly conversion. */
export function hasSpellings(email: string): boolean {
  return email.includes('xn--') || !ONLY_ASCII.test(email);
}

// Visible ASCII characters only.
const ONLY_ASCII = /^[\x21-\x7e]*$/;
const NONE: readonly string[] = [];

// Node's conversions read a domain as the host of a URL: they cut it at `/`, decode `%41`, and read `１.２` as an IP
// address. So domains with such characters are not converted. For invalid Punycode, Node returns an empty text.
const NO_DOMAIN = /[^a-z0-9._\-\x80-\uffff]/;
// A domain that a conversion turned into an IP address.
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
 * A key that two addresses share if the service could trim or lower-case them to the same text (F8). Blanks and
 * invisible characters do not count. These are equal: İ, ı and i; the Kelvin sign and k; ß and ss; ς and σ; both
 * spellings of a domain.
 */
export function looseKey(email: string): string {
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

// Blanks, and characters without a visible shape: control and format characters, variation selectors, Hangul fillers, and the
// empty Braille pattern.
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
const INVISIBLE_EDGES = new RegExp(`^${INVISIBLE.source}|${INVISIBLE.source}$`, 'gu');

/** An address without blanks and invisible characters at its edges, which the service may trim (F8). */
export function withoutEdgeBlanks(email: string): string {
  return email.replace(INVISIBLE_EDGES, '');
}

/**
 * The keys of the addresses that another address of the list may look like: the service could take both for one (F8).
 * The keys of ordinary addresses are left out, because nearly all addresses are ordinary.
 */
export function lookAlikeKeys(emails: Iterable<string>): Set<string> {
  return new Set(Iterator.from(emails).filter(hasLookAlikes).map(looseKey));
}

/** True if the service could trim or lower-case the address to another one. */
function hasLookAlikes(email: string): boolean {
  return looseKey(email) !== email;
}

/** How many addresses the service could take for an earlier one (F8). `listEmails` is called twice. */
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

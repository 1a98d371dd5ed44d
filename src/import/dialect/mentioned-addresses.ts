/**
 * True for a cell that mentions an address, also one with typing errors: `ana@example.com (left)`, `ana @example.com`,
 * `1. ana@@example.com`, `ana(at)example.com`. Such a cell is data. False for the name of a column with an `@`, such as
 * `E-mail @`, `@handle` or `Email (e.g. name@company.com)`.
 */
export function mentionsAddress(cell: string): boolean {
  const text = cell.slice(0, LONGEST_TEXT).normalize('NFKC');
  return ADDRESSES.some((pattern) => pattern.test(text)) && !EXAMPLE.test(text);
}

/** True for a line that begins with an address, perhaps after a bullet or a number: `- ana@example.com (left)`. */
export function beginsWithAddress(line: string): boolean {
  return LINE_OF_ADDRESS.test(line.slice(0, LONGEST_TEXT));
}

// The longest text that is examined.
const LONGEST_TEXT = 600;

const ADDRESSES: readonly RegExp[] = [
  // Matches an `@` between letters or digits: `ana@example`.
  /[\p{L}\p{N}_.+"'-](?:@|&#64;|&#x40;|&commat;|%40){1,4}["']?[\p{L}\p{N}[]/iu,
  // Matches an `@` with blanks around it before a domain with a dot: `ana @ example.com`.
  /[\p{L}\p{N}_.+"'-]\s*@[\s@]*[\p{L}\p{N}-]+\.[\p{L}\p{N}]/u,
  // Matches an `@` and a dot in words: `ana (at) example.com`, `ana[at]example[dot]com`.
  /[\p{L}\p{N}]\s*[([{<]\s*(?:at|@)\s*[)\]}>]\s*[\p{L}\p{N}-]+\s*(?:\.|[([{<]\s*(?:dot|punkt|\.)\s*[)\]}>])\s*\p{L}/iu,
];
// Matches the name of an address column that shows an example of an address.
const EXAMPLE =
  /(?:mail|courriel|correo|adress|address)[^@]{0,60}(?:\b(?:e\.?\s?g|ex|example|like|z\.?\s?b|p\.?\s?ej)[.:,]*\s|[([]\s*(?:your\.?)?(?:name|you|user)@)/iu;
const LINE_OF_ADDRESS = /^[\s"'*•·–-]{0,12}(?:\d{1,9}[.)]\s{0,12})?[^\s@,;|"<>:]+\s?@+\s?[^\s@,;|"<>]+\.\p{L}/u;

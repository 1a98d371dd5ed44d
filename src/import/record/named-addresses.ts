/**
 * All addresses in a cell, each in its canonical form: several in a row, `mailto:`, a name with an address, quotes,
 * invisible characters. The search is broad on purpose. Its result only prevents sign-ups (rule C9); nothing is sent to
 * these addresses.
 */
export function namedAddresses(cell: string): string[] {
  const found = new Set<string>();
  for (const text of new Set([cell, cell.normalize('NFKC')])) {
    const words = text.toLowerCase().replace(UNSEEN, '').split(BETWEEN);
    for (const word of words.filter((one) => one.includes('@'))) {
      for (const part of [word, ...word.split(INSIDE)]) {
        addForms(found, part);
      }
    }
  }
  return [...found];
}

const UNSEEN = /\p{Cf}+/gu;
const BETWEEN = /[\s\p{Cc},;|<>"()[\]{}‘’“”„«»`]+/u;
// These characters are rare in addresses, and usual between and around them.
const INSIDE = /[:/\\&?=]+/u;
const ADDRESS = /^[^@]+@[^@]+$/u;

function addForms(found: Set<string>, part: string): void {
  const unquoted = part.replace(/^'+/u, '').replace(/'+$/u, '');
  for (const form of [part, unquoted, unquoted.replace(/^[.*_-]+/u, '').replace(/[.*_-]+$/u, '')]) {
    if (ADDRESS.test(form)) {
      found.add(form);
    }
  }
}

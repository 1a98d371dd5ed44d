/**
 * Every address that a person would find in a cell, in the form that a clean cell of it has: several in a row, `mailto:`,
 * a name with an address, quotes, characters nobody sees. Meant to be broad: it only ever keeps people from being signed
 * up (rule C9), never sends anything to them.
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
// Rare in addresses, usual between and around them.
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

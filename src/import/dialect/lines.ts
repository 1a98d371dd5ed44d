const LF = 10;
const CR = 13;

/**
 * Line endings, longest first, because csv-parse uses the first one that matches. CR CR LF, the result of a double
 * conversion, is one ending.
 */
export const LINE_ENDINGS: readonly string[] = ['\r\r\n', '\r\n', '\n', '\r'];

/** Length of the line ending at `at`: 0 if there is none, -1 if the text stops too early to decide. */
export function endingSize(text: string, at: number, final: boolean): number {
  const code = text.charCodeAt(at);
  if (code === LF) {
    return 1;
  }
  return code === CR ? returnSize(text, at, final) : 0;
}

/** The number of physical line endings in a text that doesn't stop inside one. */
export function countEndings(text: string): number {
  return text.match(/\r?\r\n|\n|\r/g)?.length ?? 0;
}

/** Index of the first CR or LF at or after `from`; the length of the text if there is none. */
export function findEnding(text: string, from: number): number {
  const pattern = /[\r\n]/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function returnSize(text: string, at: number, final: boolean): number {
  const next = text.charCodeAt(at + 1);
  if (next === LF) {
    return 2;
  }
  if (next === CR) {
    return doubledReturnSize(text.charCodeAt(at + 2), final);
  }
  return Number.isNaN(next) && !final ? -1 : 1;
}

function doubledReturnSize(third: number, final: boolean): number {
  if (third === LF) {
    return 3;
  }
  return Number.isNaN(third) && !final ? -1 : 1;
}

/** Index of the quote that closes the one at `open`, skipping doubled quotes; -1 if it is never closed. */
export function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === 34) {
    at = text.indexOf('"', at + 2);
  }
  return at;
}

/** Index of the quote in a record that opens a cell and is never closed; -1 if all are closed. */
export function unclosedQuote(record: string, delimiter: string | undefined): number {
  let at = 0;
  while (at !== -1) {
    const close = record[at] === '"' ? closingQuote(record, at) : at;
    if (close === -1) {
      return at;
    }
    at = afterDelimiter(record, delimiter, close);
  }
  return -1;
}

function afterDelimiter(record: string, delimiter: string | undefined, from: number): number {
  const at = delimiter === undefined ? -1 : record.indexOf(delimiter, from);
  return at === -1 ? -1 : at + 1;
}

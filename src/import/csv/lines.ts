const LF = 10;
const CR = 13;

/**
 * The line endings, longest first, because csv-parse takes the first one that matches. CR CR LF counts as one line
 * ending: a program that converts LF to CR LF twice writes it.
 */
export const LINE_ENDINGS: readonly string[] = ['\r\r\n', '\r\n', '\n', '\r'];

/**
 * The length of the line ending at `position`. 0 if there is none. -1 if later text may complete it, as after a CR at
 * the end of the text.
 */
export function lineEndingSize(text: string, position: number, isFinal: boolean): number {
  const code = text.charCodeAt(position);
  if (code !== CR) {
    return code === LF ? 1 : 0;
  }
  const next = text.charCodeAt(position + 1);
  if (next === LF) {
    return 2;
  }
  const third = text.charCodeAt(position + 2);
  if (next === CR && third === LF) {
    return 3;
  }
  const endsInside = Number.isNaN(next) || (next === CR && Number.isNaN(third));
  return endsInside && !isFinal ? -1 : 1;
}

/** The number of line endings in a text. The text must not end inside one. */
export function countLineEndings(text: string): number {
  return text.match(/\r?\r\n|\n|\r/g)?.length ?? 0;
}

/** The index of the first CR or LF from `from` on. The length of the text if there is none. */
export function findLineEnding(text: string, from: number): number {
  const pattern = /[\r\n]/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The index of the quote that closes the one at `open`. Doubled quotes are skipped. -1 if it is never closed. */
export function findClosingQuote(text: string, open: number): number {
  let position = text.indexOf('"', open + 1);
  while (position !== -1 && text.charCodeAt(position + 1) === 34) {
    position = text.indexOf('"', position + 2);
  }
  return position;
}

/** The index of a quote that opens a cell and is never closed. -1 if all are closed. */
export function findUnclosedQuote(record: string, delimiter: string | undefined): number {
  let position = 0;
  while (position !== -1) {
    const close = record[position] === '"' ? findClosingQuote(record, position) : position;
    if (close === -1) {
      return position;
    }
    position = indexAfterDelimiter(record, delimiter, close);
  }
  return -1;
}

function indexAfterDelimiter(record: string, delimiter: string | undefined, from: number): number {
  const position = delimiter === undefined ? -1 : record.indexOf(delimiter, from);
  return position === -1 ? -1 : position + 1;
}

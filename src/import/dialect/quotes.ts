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

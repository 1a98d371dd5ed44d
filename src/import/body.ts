/** A JSON document with one array, written into bytes element by element, again and again. */
export interface Body {
  add(json: string): void;
  /** The document so far; the next element begins another one. */
  take(): Buffer;
}

// A thousand people of a usual list.
const USUAL_BYTES = 512 * 1024;
// UTF-8 takes at most three bytes for a UTF-16 unit.
const WIDEST = 3;

/** Documents of elements between `start` and `end`. A string is gone as soon as it is written: what stays is work for the collector. */
export function createBody(start: string, end: string): Body {
  let bytes = Buffer.allocUnsafe(USUAL_BYTES);
  let length = 0;
  let separator = start;
  const write = (text: string) => {
    const most = length + WIDEST * text.length;
    if (most > bytes.length) {
      bytes = Buffer.concat([bytes.subarray(0, length)], 2 * most);
    }
    length += bytes.write(text, length);
  };
  return {
    add(json) {
      write(separator + json);
      separator = ',';
    },
    take() {
      write(end);
      const document = Buffer.from(bytes.subarray(0, length));
      length = 0;
      separator = start;
      return document;
    },
  };
}

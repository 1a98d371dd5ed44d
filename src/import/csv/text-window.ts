import { endingSize } from '../dialect/lines.ts';

/** The part of a text that isn't cut into rows yet. Positions count from the start of what `text()` gives. */
export interface TextWindow {
  text(): string;
  /** True once no more text will come. */
  final(): boolean;
  /** True while there is no NUL and no half character in it. */
  clean(): boolean;
  /** First CR or LF at or after `from`, which must not go back; the text's length where there is none. */
  lineEnd(from: number): number;
  /** First quote at or after `from`, which must not go back; the text's length where there is none. */
  nextQuote(from: number): number;
  /** Adds text, and drops what is before `from`. False where it was kept back for later: nothing has moved. */
  add(more: TextBlock, from: number): boolean;
  /** No more text will come: joins what was kept back, and drops what is before `from`. */
  finish(from: number): void;
  /** Characters that were kept back. */
  waiting(): string;
}

/** Text that arrives; `clean` where it holds no NUL and no half character. */
export interface TextBlock {
  readonly text: string;
  readonly clean: boolean;
}

/** A window on text that arrives in pieces. Each character is looked for once, however long the rows. */
export function createTextWindow(): TextWindow {
  let text = '';
  let final = false;
  let parts: string[] = [];
  let partsLength = 0;
  let quote = 0;
  let lf = 0;
  let cr = 0;
  let clean = true;

  const find = (character: string, from: number) => {
    const at = text.indexOf(character, from);
    return at === -1 ? text.length : at;
  };
  const merge = (from: number) => {
    const rest = text.slice(from);
    const more = parts.length === 1 ? (parts[0] ?? '') : parts.join('');
    text = rest === '' ? more : rest + more;
    parts = [];
    partsLength = 0;
    quote = find('"', 0);
    lf = find('\n', 0);
    cr = find('\r', 0);
  };

  return {
    text: () => text,
    final: () => final,
    clean: () => clean,
    lineEnd(from) {
      if (lf < from) {
        lf = find('\n', from);
      }
      if (cr < from) {
        cr = find('\r', from);
      }
      return lf < cr ? lf : cr;
    },
    nextQuote(from) {
      if (quote < from) {
        quote = find('"', from);
      }
      return quote;
    },
    add(more, from) {
      parts.push(more.text);
      partsLength += more.text.length;
      clean = text.length === from && parts.length === 1 ? more.clean : clean && more.clean;
      // A row that isn't whole is looked at again only when there is twice as much of it: long rows stay linear.
      const enough = partsLength >= text.length - from;
      if (enough) {
        merge(from);
      }
      return enough;
    },
    finish(from) {
      final = true;
      merge(from);
    },
    waiting: () => parts.join(''),
  };
}

/** True for text without NUL and half characters. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Where the row that ends at `end` leaves room for the next; undefined where the ending may not be whole yet. */
export function afterEnding(window: TextWindow, end: number): number | undefined {
  const text = window.text();
  if (end >= text.length) {
    return window.final() ? end : undefined;
  }
  const size = endingSize(text, end, window.final());
  return size === -1 ? undefined : end + size;
}

import { endingSize } from '../dialect/lines.ts';

/** The part of a text that isn't cut into rows yet. Positions count from the start of `text()`. */
export interface TextWindow {
  text(): string;
  /** True once no more text will come. */
  final(): boolean;
  /** True while the text holds no NUL and no unpaired surrogate. */
  clean(): boolean;
  /** First CR or LF at or after `from`; the text's length if there is none. `from` must not decrease. */
  lineEnd(from: number): number;
  /** First quote at or after `from`; the text's length if there is none. `from` must not decrease. */
  nextQuote(from: number): number;
  /** Adds text and drops the text before `from`. False if the new text was put aside and no position has changed. */
  add(more: TextBlock, from: number): boolean;
  /** Ends the text: adds the text that was put aside, and drops the text before `from`. */
  finish(from: number): void;
  /** The text that was put aside: added, but not yet part of `text()`. */
  waiting(): string;
}

/** A part of the text. `clean` is set if it holds no NUL and no unpaired surrogate. */
interface TextBlock {
  readonly text: string;
  readonly clean: boolean;
}

/** Creates a window on arriving text. Each character is searched once, however long the rows are. */
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
      // An incomplete row is tried again only when the text has doubled. Long rows therefore take linear time.
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

/** True for text without NUL and unpaired surrogates. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The start of the next row after one that ends at `end`; undefined if the line ending may be incomplete. */
export function afterEnding(window: TextWindow, end: number): number | undefined {
  const text = window.text();
  if (end >= text.length) {
    return window.final() ? end : undefined;
  }
  const size = endingSize(text, end, window.final());
  return size === -1 ? undefined : end + size;
}

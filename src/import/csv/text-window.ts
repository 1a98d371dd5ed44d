import { lineEndingSize } from './lines.ts';

/** The part of a text that is not cut into rows yet. Indexes count from the start of `text()`. */
export interface TextWindow {
  text(): string;
  /** True if no more text will come. */
  final(): boolean;
  /** True while the text has no NUL and no unpaired surrogate. */
  clean(): boolean;
  /** The index of the first CR or LF from `from` on, or the length of the text. `from` must never decrease. */
  lineEnd(from: number): number;
  /** The index of the first quote from `from` on, or the length of the text. `from` must never decrease. */
  nextQuote(from: number): number;
  /**
   * Adds text, and drops the text before `from`. If it returns false, it did neither: the new text waits, and all
   * indexes stay valid.
   */
  add(more: TextBlock, from: number): boolean;
  /** Call it after the last text. It adds the waiting text to `text()`, and drops the text before `from`. */
  finish(from: number): void;
  /** The text that `add` got but that is not part of `text()` yet. */
  waiting(): string;
}

/** A part of the text. */
interface TextBlock {
  readonly text: string;
  /** True if the part certainly has no NUL and no unpaired surrogate. */
  readonly isClean: boolean;
}

/**
 * Makes a window for the text that is not cut into rows yet. An incomplete row is searched again only after as much new
 * text has arrived as the row already has. So even a long row takes linear time.
 */
export function createTextWindow(): TextWindow {
  let text = '';
  let isFinal = false;
  let parts: string[] = [];
  let partsLength = 0;
  let quote = 0;
  let lf = 0;
  let cr = 0;
  let isClean = true;

  const find = (character: string, from: number) => {
    const position = text.indexOf(character, from);
    return position === -1 ? text.length : position;
  };
  const merge = (from: number) => {
    const remaining = text.slice(from);
    const more = parts.length === 1 ? (parts[0] ?? '') : parts.join('');
    text = remaining === '' ? more : remaining + more;
    parts = [];
    partsLength = 0;
    quote = find('"', 0);
    lf = find('\n', 0);
    cr = find('\r', 0);
  };

  return {
    text: () => text,
    final: () => isFinal,
    clean: () => isClean,
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
      isClean = text.length === from && parts.length === 1 ? more.isClean : isClean && more.isClean;
      // New text waits until there is as much as `text()` has. So an incomplete row is cut again only after its text
      // doubled, and even long rows take linear time.
      const isEnough = partsLength >= text.length - from;
      if (isEnough) {
        merge(from);
      }
      return isEnough;
    },
    finish(from) {
      isFinal = true;
      merge(from);
    },
    waiting: () => parts.join(''),
  };
}

/** True for a text without NUL and unpaired surrogates. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The index of the next row, after the line ending at `end`. Undefined if more text may complete this line ending. */
export function nextRowIndex(window: TextWindow, end: number): number | undefined {
  const text = window.text();
  if (end >= text.length) {
    return window.final() ? end : undefined;
  }
  const size = lineEndingSize(text, end, window.final());
  return size === -1 ? undefined : end + size;
}

import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** A word that was encoded twice, and the original: `JosÃ©` → `José`. */
export interface Mojibake {
  readonly line: number;
  readonly seen: string;
  readonly meant: string;
}

/** Words that were UTF-8 and were read as windows-1252, at most `most` of them. Lines count from 1. */
export function findMojibake(lines: readonly string[], most: number): Mojibake[] {
  const found: Mojibake[] = [];
  for (const [index, text] of lines.entries()) {
    for (const { index: at } of text.matchAll(SUSPECT)) {
      const seen = wordAround(text, at);
      const meant = undo(seen);
      if (meant !== undefined && found.length < most) {
        found.push({ line: index + 1, seen, meant });
      }
    }
  }
  return found;
}

// The lead bytes C3, C5, E2… and a continuation byte, read as windows-1252.
const SUSPECT = /[ÂÃÄÅÐÑâð][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;

function undo(text: string): string | undefined {
  const bytes = iconv.encode(text, 'windows-1252');
  // Trimming removes NBSP. Text that can't be converted back completely isn't double encoding.
  return iconv.decode(bytes, 'windows-1252') === text && isUtf8(bytes) ? bytes.toString() : undefined;
}

// Cells may be a mebibyte long, but messages show only short words.
const MOST = 40;

/** The word at `at`: up to the next blank or delimiter, and at most 40 characters on each side. */
function wordAround(text: string, at: number): string {
  const before = /[^\s,;|"]*$/.exec(text.slice(Math.max(0, at - MOST), at))?.[0] ?? '';
  const after = /^[^\s,;|"]*/.exec(text.slice(at, at + MOST))?.[0] ?? '';
  return before + after;
}

/** The first word with a character beyond ASCII; empty where there is none. */
export function foreignWord(text: string): string {
  const at = text.search(/[^\0-\x7f]/);
  return at === -1 ? '' : wordAround(text, at);
}

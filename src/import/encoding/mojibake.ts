import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { wordAround } from './words.ts';

/** A word that was encoded twice, and what it was before: `JosÃ©` → `José`. */
export interface Mojibake {
  readonly line: number;
  readonly seen: string;
  readonly meant: string;
}

/** Words of a decoded text that read as windows-1252 what was UTF-8, at most `most` of them. Lines count from 1. */
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

// What the lead bytes C3, C5, E2… and a byte that continues them look like in windows-1252.
const SUSPECT = /[ÂÃÄÅÐÑâð][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;

function undo(text: string): string | undefined {
  const bytes = iconv.encode(text, 'windows-1252');
  // NBSP is lost where blanks were trimmed; what can't be undone whole isn't double encoding.
  return iconv.decode(bytes, 'windows-1252') === text && isUtf8(bytes) ? bytes.toString() : undefined;
}

import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/**
 * The encodings in which a program reads UTF-8 by mistake, before it encodes the wrong text once more. `suspect`
 * matches the first two characters of a letter that was encoded twice: `Ã©` for `é` in windows-1252.
 */
const MISTAKEN_ENCODINGS = [
  { encoding: 'windows-1252', suspect: /[ÂÃÄÅÐÑâð][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/ },
  { encoding: 'windows-1250', suspect: /[ĂÂĹÄĐŃ][^\0-\x7f]/ },
  { encoding: 'windows-1251', suspect: /[РСГВ][^\0-\x7fа-яА-Я]/ },
  { encoding: 'macintosh', suspect: /[√¬ƒ≈–—][^\0-\x7f]/ },
  { encoding: 'cp850', suspect: /[├┬─┼ðÐ][^\0-\x7f]/ },
  { encoding: 'cp437', suspect: /[├┬─┼╨╤][^\0-\x7f]/ },
] as const;

/** Matches the first two characters of a letter that may be encoded twice. */
export const MAYBE_ENCODED_TWICE = new RegExp(MISTAKEN_ENCODINGS.map(({ suspect }) => suspect.source).join('|'), 'g');

/** The text that was meant, if its letters were encoded twice: `José` for `JosÃ©` and `Jos√©`. Otherwise undefined. */
export function undoDoubleEncoding(text: string): string | undefined {
  for (const { encoding, suspect } of MISTAKEN_ENCODINGS) {
    const bytes = suspect.test(text) ? bytesIn(encoding, text) : undefined;
    const meant = bytes !== undefined && isUtf8(bytes) ? bytes.toString() : undefined;
    if (meant !== undefined && !NO_WORD.test(meant)) {
      return meant;
    }
  }
  return undefined;
}

// The text as bytes. Undefined if a letter would be lost: then the text was not encoded twice in this way. If a byte
// has no letter in the encoding, programs turn it into the control character with the same number.
function bytesIn(encoding: string, text: string): Buffer | undefined {
  const letters = [...text];
  const bytes = letters.map((letter) =>
    CONTROL.test(letter) ? Buffer.of(letter.charCodeAt(0)) : iconv.encode(letter, encoding),
  );
  const isKept = (letter: string, index: number) =>
    CONTROL.test(letter) || (letter !== '\ufffd' && iconv.decode(bytes[index] as Buffer, encoding) === letter);
  return letters.every(isKept) ? Buffer.concat(bytes) : undefined;
}

// No word has a control character, or a Latin letter beside a Cyrillic one. `Wien–Österreich` is right as it is,
// although the Mac bytes of `–Ö` are a Cyrillic letter in UTF-8.
const NO_WORD = /\p{Cc}|[a-z]\p{Script=Cyrillic}|\p{Script=Cyrillic}[a-z]/iu;

const CONTROL = /[\u0080-\u009f]/;

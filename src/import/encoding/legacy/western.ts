import iconv from 'iconv-lite';
import { readability } from '../readability.ts';

/** One of the two Western encodings, and whether the user must confirm it. */
export interface WesternReading {
  readonly encoding: 'windows-1252' | 'macintosh';
  readonly certainty: 'guessed' | 'ambiguous';
}

/**
 * Distinguishes Western text of Windows from that of a Mac by the look of the words, the only difference between them.
 * Text that looks like neither is ambiguous.
 */
export function westernOrMac(foreign: Buffer): WesternReading {
  const western = readability(iconv.decode(foreign, 'windows-1252'));
  const mac = readability(iconv.decode(foreign, 'macintosh'));
  if (western.foreign || western.broken || standsInRuns(foreign)) {
    return { encoding: 'windows-1252', certainty: 'ambiguous' };
  }
  const isMac = mac.score > western.score || (mac.score === western.score && hasLoneReturns(foreign));
  return isMac ? { encoding: 'macintosh', certainty: 'ambiguous' } : { encoding: 'windows-1252', certainty: 'guessed' };
}

// Western letters stand between ASCII ones. Where most bytes beyond ASCII come in twos and threes, two bytes make a
// character.
function standsInRuns(bytes: Buffer): boolean {
  let all = 0;
  let inRuns = 0;
  bytes.forEach((byte, at) => {
    const foreign = byte > 0x7f;
    const beside = (bytes[at - 1] ?? 0) > 0x7f || (bytes[at + 1] ?? 0) > 0x7f;
    all += foreign ? 1 : 0;
    inRuns += foreign && beside ? 1 : 0;
  });
  return inRuns >= 6 && inRuns * 2 > all;
}

function hasLoneReturns(bytes: Buffer): boolean {
  return bytes.includes(13) && !bytes.includes(10);
}

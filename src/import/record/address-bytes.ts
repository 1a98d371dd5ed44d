import { mayBeginWithMarkAt } from '../consent-columns/stray/address-marks.ts';
import { AT, LONGEST_ADDRESS_OCTETS, PLAIN } from './address.ts';

/**
 * True if the bytes of a cell are a canonical address without any mark, as nearly all addresses of a list are. Such a
 * cell gives its row no state.
 */
export function isBareAddress(bytes: Uint8Array, start: number, end: number): boolean {
  let ats = 0;
  for (let at = start; at < end; at++) {
    const code = bytes[at] as number;
    if (code >= PLAIN.length || PLAIN[code] === 0) {
      return false;
    }
    ats += code === AT ? 1 : 0;
  }
  const isAddress = ats === 1 && end - start <= LONGEST_ADDRESS_OCTETS;
  return isAddress && hasShortEnd(bytes, start, end) && !mayBeginWithMarkAt(bytes, start);
}

const SHORT_END = 5;
const DOT = 0x2e;

// An end such as `.com` or `.info`, behind which there is no room for a mark.
function hasShortEnd(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = end - 1; at > start && at >= end - SHORT_END; at--) {
    if (bytes[at] === DOT) {
      return true;
    }
  }
  return false;
}

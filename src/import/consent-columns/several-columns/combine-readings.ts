import { rankOf, type StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';

/**
 * Combines two readings of one row (C10). An unknown word wins, because svc must ask about it. But a word with
 * `refusesMail` loses to a state that keeps mail away. Without unknown words the most restrictive state wins. A blank
 * loses to any state. If it meets a yes to mail, it stays a blank with `agreesToMail`.
 */
export function combineReadings(first: StatusReading, second: StatusReading): StatusReading {
  const [firstWeight, secondWeight] = [weightOf(first), weightOf(second)];
  if (
    firstWeight === 4 &&
    secondWeight === 4 &&
    first.unknownIndex === second.unknownIndex &&
    first.unknown === second.unknown
  ) {
    // Both readings are questions about the same word of one column, because svc reads a column of names as names and
    // as notes. The stricter question stays.
    return first.refusesMail ? second : first;
  }
  if (firstWeight === 4 && secondWeight === 4) {
    // svc asks no question about a word with `refusesMail` if another column keeps mail away. About any other unknown
    // word it always asks. So the two words together have `refusesMail` only if both have it.
    return {
      ...first,
      refusesMail: first.refusesMail && second.refusesMail,
      furtherUnknowns: [...(first.furtherUnknowns ?? []), second],
    };
  }
  if (first.refusesMail && keepsMailAway(second)) {
    return second;
  }
  if (second.refusesMail && keepsMailAway(first)) {
    return first;
  }
  if (firstWeight !== secondWeight) {
    const [heavier, lighter] = firstWeight > secondWeight ? [first, second] : [second, first];
    return heavier.unknown === '' && lighter.agreesToMail ? { ...heavier, agreesToMail: true } : heavier;
  }
  return orderOf(second) < orderOf(first) ? second : first;
}

/**
 * Combines the readings of two words of one cell, like `combineReadings`. But beside an unknown word, a state that
 * keeps mail away is not lost: it becomes `knownBeside`.
 */
export function combineWords(first: StatusReading, second: StatusReading): StatusReading {
  const combined = combineReadings(first, second);
  if (!combined.unknown) {
    return combined;
  }
  const known = [first, second].map((reading) => (reading.unknown ? (reading.knownBeside ?? NONE) : reading));
  const restricting = known.filter(keepsMailAway);
  return restricting.length === 0 ? combined : { ...combined, knownBeside: restricting.reduce(combineReadings) };
}

/** The readings of the single words of a cell that `combineWords` combined. */
export function readingsOfWords(status: StatusReading): readonly StatusReading[] {
  const { furtherUnknowns = [], knownBeside } = status;
  if (furtherUnknowns.length === 0 && knownBeside === undefined) {
    return [status];
  }
  const first = { ...status, furtherUnknowns: undefined, knownBeside: undefined };
  return [first, ...furtherUnknowns.flatMap(readingsOfWords), ...(knownBeside ? [knownBeside] : [])];
}

// The heavier reading wins. 4: an unknown word. 3: a state. 2: a blank status. 1: a yes to mail, which is no state. 0:
// nothing.
function weightOf({ state, unknown, agreesToMail }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 2 : 4;
  }
  return state === 'none' ? (agreesToMail ? 1 : 0) : 3;
}

// The rank of a state among the columns of one row: `skip` is more restrictive than `subscribed`. `rankOf` compares the
// rows of one person; there `skip` is less restrictive than `subscribed`.
function orderOf({ state }: StatusReading): number {
  return state === 'skip' ? rankOf('subscribed') - 0.5 : rankOf(state);
}

/** The reading of a text about which svc asks. */
export function unknownReading(text: string): StatusReading {
  return { state: 'none', unknown: text };
}

/** The reading of a word that svc asks about, unless another column already keeps mail away. */
export function questionReading(cell: string): StatusReading {
  return { state: 'none', unknown: cell.trim(), refusesMail: true };
}

/** Turns an opt-out into a question: `DNC` under `Phone` may be about calls only. Any other reading stays as it is. */
export function asQuestion(reading: StatusReading, cell: string): StatusReading {
  return keepsMailAway(reading) ? questionReading(cell) : reading;
}

/**
 * The reading of a cell in a column that may not be about mail now, such as a previous status. A cell that keeps mail
 * away and an unknown word become questions. Any other cell gives no state.
 */
export function toQuestionReading(reading: StatusReading, cell: string): StatusReading {
  const isAsked = keepsMailAway(reading) || (reading.unknown !== undefined && reading.unknown !== '');
  return isAsked ? questionReading(cell) : NONE;
}

/** True if the person gets no mail: the state is `skip`, or more restrictive than subscribed. */
export function keepsMailAway({ state }: StatusReading): boolean {
  return state === 'skip' || rankOf(state) < rankOf('subscribed');
}

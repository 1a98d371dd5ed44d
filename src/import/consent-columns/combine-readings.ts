import { rankOf, type StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';

/**
 * Combines two readings of one row (rule C10). A word that isn't understood wins, because svc has to ask about it. If
 * there is none, the most restrictive state wins. A blank loses against a state.
 */
export function strictest(one: StatusReading, other: StatusReading): StatusReading {
  const [weight, otherWeight] = [weightOf(one), weightOf(other)];
  if (weight === 4 && otherWeight === 4) {
    // An unknown word that refuses mail needs no answer if another column keeps mail away. Any other unknown word
    // always needs one. So the result of two unknown words only has `refusesMail` if both have it.
    return {
      ...one,
      refusesMail: one.refusesMail && other.refusesMail,
      furtherUnknowns: [...(one.furtherUnknowns ?? []), other],
    };
  }
  if (one.refusesMail && keepsMailAway(other)) {
    return other;
  }
  if (other.refusesMail && keepsMailAway(one)) {
    return one;
  }
  if (weight !== otherWeight) {
    return weight > otherWeight ? one : other;
  }
  return orderOf(other) < orderOf(one) ? other : one;
}

function weightOf({ state, unknown, agreesToMail }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 2 : 4;
  }
  return state === 'none' ? (agreesToMail ? 1 : 0) : 3;
}

// Within a row, a skip outranks `subscribed`. Among the rows of a person, every state outranks a skip.
function orderOf({ state }: StatusReading): number {
  return state === 'skip' ? rankOf('subscribed') - 0.5 : rankOf(state);
}

/** A question about a word. svc does not ask it if another column already says that the person gets no mail. */
export function questionAbout(cell: string): StatusReading {
  return { state: 'none', unknown: cell.trim(), refusesMail: true };
}

/** The reading of a cell whose column may not be about mail now: svc asks about an opt-out. A yes gives no state. */
export function asQuestion(found: StatusReading, cell: string): StatusReading {
  const isAsked = keepsMailAway(found) || (found.unknown !== undefined && found.unknown !== '');
  return isAsked ? questionAbout(cell) : NONE;
}

export function keepsMailAway({ state }: StatusReading): boolean {
  return state === 'skip' || rankOf(state) < rankOf('subscribed');
}

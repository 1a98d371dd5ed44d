import { rankOf } from '../status/states.ts';
import type { StatusReading } from '../types.ts';

/**
 * Several columns of a row tell of its state: a word that isn't understood is asked about before anything else, then the
 * most restrictive state wins, and a blank leaves it to the others (rule C10).
 */
export function strictest(one: StatusReading, other: StatusReading): StatusReading {
  const [weight, otherWeight] = [weightOf(one), weightOf(other)];
  if (weight === 4 && otherWeight === 4) {
    return { ...one, also: [...(one.also ?? []), other] };
  }
  if (one.denies && keepsMailAway(other)) {
    return other;
  }
  if (other.denies && keepsMailAway(one)) {
    return one;
  }
  if (weight !== otherWeight) {
    return weight > otherWeight ? one : other;
  }
  return orderOf(other) < orderOf(one) ? other : one;
}

function weightOf({ state, unknown, said }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 2 : 4;
  }
  return state === 'none' ? (said ? 1 : 0) : 3;
}

// Within a row a skip is a reason not to mail; among the rows of a person it gives way to a state.
function orderOf({ state }: StatusReading): number {
  return state === 'skip' ? rankOf('subscribed') - 0.5 : rankOf(state);
}

/** True for a state that keeps mail away. */
export function keepsMailAway({ state }: StatusReading): boolean {
  return state === 'skip' || rankOf(state) < rankOf('subscribed');
}

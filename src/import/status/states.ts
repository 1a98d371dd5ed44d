import type { SuppressionReason } from '../../wire/words.ts';
import type { State } from '../types.ts';

// From the most restrictive to the least.
const RANKS: Readonly<Record<State, number>> = {
  complained: 0,
  bounced: 1,
  suppressed: 2,
  unsubscribed: 3,
  pending: 4,
  subscribed: 5,
  skip: 6,
  none: 7,
};

const REASONS: Readonly<Partial<Record<State, SuppressionReason>>> = {
  complained: 'complained',
  bounced: 'bounced',
  suppressed: 'unsubscribed',
};

/** How restrictive a state is. Of several rows of a person, the lowest rank wins (rule C7). */
export function rankOf(state: State): number {
  return RANKS[state];
}

/** The request word for an account-wide suppression (rule S2); undefined for states that are not suppressed. */
export function reasonOf(state: State): SuppressionReason | undefined {
  return REASONS[state];
}

/** True for a state word of svc itself, as in svc_state and in flag values. */
export function isState(text: string): text is State {
  return Object.hasOwn(RANKS, text);
}

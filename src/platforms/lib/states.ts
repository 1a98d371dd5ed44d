import type { SuppressionReason } from '../../wire/service-words.ts';

/**
 * What the old platform says about a person. `suppressed`: left all lists. `unsubscribed`: left this list. `skip`: not
 * mailed and not recorded. `none`: no state.
 */
export type State =
  | 'complained'
  | 'bounced'
  | 'suppressed'
  | 'unsubscribed'
  | 'pending'
  | 'subscribed'
  | 'skip'
  | 'none';

/** A state as read from a row; `why` names the reason for a skip (`no_consent`, `soft_bounce`, `invalid`…). */
export interface StatusReading {
  readonly state: State;
  readonly why?: string | undefined;
  /** A word that isn't understood. The state is then `none`, and the check `unknown_status` stops (rule C4). */
  readonly unknown?: string | undefined;
  /** Index of the column with the unknown word, if a single column holds it. */
  readonly unknownAt?: number | undefined;
  /** True if the cell refuses mail without naming a state. svc asks about it, unless another cell keeps mail away. */
  readonly refusesMail?: true | undefined;
  /** Unknown words of other columns of the same row. */
  readonly furtherUnknowns?: readonly StatusReading[] | undefined;
  /** True if a cell agrees to mail. That alone is no state, but it makes svc ask about the blanks of its column. */
  readonly agreesToMail?: true | undefined;
}

// The order of the states, from the most restrictive to the least.
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

/** How restrictive a state is. If a person has several rows, the lowest rank wins (rule C7). */
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

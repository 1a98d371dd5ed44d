import type { SuppressionReason } from '../../wire/service-words.ts';

/**
 * What the old platform says about a person. `complained`: reported spam. `bounced`: mail came back for good.
 * `suppressed`: left all lists of the account. `unsubscribed`: left this list. `pending`: never confirmed. `skip`: gets
 * no mail, and svc sends nothing about this person. `none`: the platform says nothing.
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

/** The state that svc reads in a row. `why` is the reason for a skip, such as `no_consent` or `soft_bounce`. */
export interface StatusReading {
  readonly state: State;
  readonly why?: string | undefined;
  /**
   * A word that svc does not understand. The state is then `none`, and the check `unknown_status` stops the run (C4).
   */
  readonly unknown?: string | undefined;
  /** The index of the column with the unknown word, if it is in one column. -1 for the column svc_state. */
  readonly unknownIndex?: number | undefined;
  /** True if the row has too few cells. A cell may then be missing, so the word may belong to a later column. */
  readonly misplaced?: boolean | undefined;
  /**
   * True if the cell refuses mail but does not say in which state the person is. svc asks the user, unless another cell
   * already keeps mail away.
   */
  readonly refusesMail?: true | undefined;
  /** The readings of other columns of the row that have an unknown word. */
  readonly furtherUnknowns?: readonly StatusReading[] | undefined;
  /**
   * The state of the other words of the cell, if they keep mail away: unsubscribed for `["new","unsubscribed"]`. An
   * answer for the unknown word does not change it.
   */
  readonly knownBeside?: StatusReading | undefined;
  /** True if a cell agrees to mail. This gives no state. But svc then asks what a blank in that column means. */
  readonly agreesToMail?: true | undefined;
}

// The states in order, the most restrictive first.
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

/**
 * The place of a state in the order; 0 is the most restrictive. If a person has several rows, the lowest rank wins
 * (C7).
 */
export function rankOf(state: State): number {
  return RANKS[state];
}

/** The `reason` of the suppression that svc requests for this state (S2). Undefined if the state is no suppression. */
export function reasonOf(state: State): SuppressionReason | undefined {
  return REASONS[state];
}

/** The reading for an address that may be another person's. A suppression can't be undone, so it becomes an opt-out. */
export function withoutSuppression(reading: StatusReading): StatusReading {
  return reasonOf(reading.state) === undefined ? reading : { ...reading, state: 'unsubscribed' };
}

/**
 * The reading for one of several addresses of a row. A bounce or a complaint is about one mailbox, and the row does not
 * say which. So it becomes an opt-out.
 */
export function withoutMailboxState(reading: StatusReading): StatusReading {
  return reading.state === 'bounced' || reading.state === 'complained' ? withoutSuppression(reading) : reading;
}

/** True for a state word of svc, as in the column svc_state and in values of flags. */
export function isState(text: string): text is State {
  return Object.hasOwn(RANKS, text);
}

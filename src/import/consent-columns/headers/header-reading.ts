import type { StatusReading } from '../../../platforms/lib/states.ts';

/**
 * What a column is about.
 * - `status`: any state of the person. `text`: notes and tags. `channel`: the preferred channel.
 * - `agreed`: the person agreed to mail. `optedOut`: the person opted out. `either`: a yes or a no may be an opt-out.
 * - `confirmed`, `unconfirmed`: the address is confirmed, or not yet. `invalid`: the address is wrong.
 * - `bounced`: mail to the address bounced. `bounces`: a number or rate of bounces, or a rate of complaints.
 * - `complained`: the person reported spam. `mailError`: what a mail server answered to the last message.
 * - `suppressed`: the address is blocked in the whole account. `reason`: why it is suppressed.
 * - `active`, `withheld`: the record is in use, or out of use.
 */
export type Meaning =
  | 'optedOut'
  | 'agreed'
  | 'either'
  | 'status'
  | 'suppressed'
  | 'bounced'
  | 'invalid'
  | 'mailError'
  | 'complained'
  | 'confirmed'
  | 'unconfirmed'
  | 'withheld'
  | 'active'
  | 'reason'
  | 'bounces'
  | 'channel'
  | 'text';

/** What a header says about the cells of its column. */
export interface HeaderReading {
  readonly meaning: Meaning;
  /** True if svc asks about each filled cell that it does not understand. If false, such cells do not count. */
  readonly asksAboutUnknown: boolean;
  /** True if the cells are dates or reasons. A filled cell then means that the event happened. */
  readonly filledMeansHappened: boolean;
  /** True for the status of an order, a deal or an account. Only words that are clearly about mail count in it. */
  readonly isStatusOfOtherThing?: true;
  /** True for the status of a consent, in which `given` and `denied` are answers. */
  readonly isConsentStatus?: true;
  /** True for an earlier status of the person. svc asks whether it still keeps mail away. */
  readonly isPreviousStatus?: true;
  /**
   * True for a header that may not be about mail, or in which svc corrected a typing error. svc asks before the column
   * keeps mail away.
   */
  readonly needsConfirmation?: true | undefined;
  /**
   * True for a header that does not show what `active` means: `Freeze status`, `Order status`, `Newsletter frozen`.
   * Only words about a subscription sign people up there. In a column of status words a yes is unclear too.
   */
  readonly isDirectionUnknown?: boolean | undefined;
  /** True for notes about calls. Only a request about mail counts in them: `wrong number` says nothing about mail. */
  readonly isAboutCalls?: true;
  /** True for a column of tags or groups, in which a word about mail can be the name of a group. */
  readonly holdsGroups?: true;
}

/** How svc reads the cells of a column. */
export interface CellReading extends HeaderReading {
  /** True if a yes to mail, or a no to an opt-out, means `subscribed`. */
  readonly mayMeanSubscribed: boolean;
  /**
   * True if a person with a blank may have opted out. The column then has remarks, as under `Cancellation reason`, or
   * its header does not show what a yes means.
   */
  readonly mayMissOptOuts?: boolean;
  /** True for a column that the platform keeps as proof of a sign-up. */
  readonly isSignUpProof?: boolean;
  /** The header without case, accents and blanks. Some exports write this text into the cell for a ticked box. */
  readonly headerKey?: string;
  /** The header as plain words. Some exports repeat its verb in the cells. */
  readonly headerWords?: string;
  /** True if some cells are a plus. A minus is then a no, not a blank. */
  readonly minusMeansNo?: boolean;
  /** True if some cells are `I` for in. `O` then means out. */
  readonly oMeansOut?: boolean;
  /** True if an `x` may mean no: some cells are a yes such as `ja`. False for opt-outs if some cells are a no. */
  readonly xMayMeanNo?: boolean;
  /**
   * True if some cells are a yes other than an `x`. A `✗` is then a plain no. Without such a yes, a `✗` under `Opted
   * out` may be a tick.
   */
  readonly hasYes?: boolean;
  /** The ticks of one character that occur at least twice in the first rows. `1` is left out beside other numbers. */
  readonly ownTicks?: ReadonlySet<string>;
  /** True if the first rows have boxes with a tick: `[x]`. Then `[ ]` is a box without a tick, not a blank. */
  readonly holdsBoxes?: boolean;
  /**
   * True for a status column in which some cells are states of orders, such as `paid`. `cancelled` may then be an order
   * too.
   */
  readonly holdsOrders?: boolean;
  /** True if an empty circle may be an empty box, because the column has another symbol or word for yes. */
  readonly circleMayMeanNo?: boolean;
  /** True if all cells are bytes of a BIT column: control characters for yes and no. */
  readonly holdsBits?: boolean;
  /** True if some cells are dates. */
  readonly holdsDates?: boolean;
  /**
   * True for a header such as `Consent valid until`. Its dates and blanks give no state, because a check reads them
   * (C10).
   */
  readonly endsConsent?: boolean;
  /**
   * True for a column of preferred channels in which some cells are `Email` and none names post. `Mail` in another cell
   * then means a letter.
   */
  readonly mailMeansLetter?: boolean;
  /** The words that the platform writes, and their meanings. */
  readonly words?: ReadonlyMap<string, StatusReading> | undefined;
}

export const NOTE_READING: HeaderReading = { meaning: 'text', asksAboutUnknown: false, filledMeansHappened: false };

/** The meanings of a header under which a yes or `active` can sign a person up. */
export const MEANINGS_THAT_SIGN_UP: ReadonlySet<Meaning> = new Set(['agreed', 'active', 'confirmed', 'status']);

/** The meanings of a header about an agreement. `channel` is one: its cells say how the person wants to be reached. */
export const MEANINGS_OF_AGREEMENT: ReadonlySet<Meaning> = new Set([...MEANINGS_THAT_SIGN_UP, 'channel']);

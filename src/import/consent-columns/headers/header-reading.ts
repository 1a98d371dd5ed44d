import type { StatusReading } from '../../../platforms/lib/states.ts';

/**
 * What a column is about. `left`: the person opted out. `agreed`: the person agreed to mail. `suppressed`: the address
 * is blocked for the whole account. `unconfirmed`: the address is not confirmed yet. `invalid`: the address is wrong.
 * `withheld` and `active`: the record is out of use, and in use. `either`: a yes or a no may mean an opt-out. `reason`:
 * why an address is suppressed. `bounces`: a number of bounces, or a rate. `channel`: the preferred channel. `text`:
 * notes and tags.
 */
export type Meaning =
  | 'left'
  | 'agreed'
  | 'either'
  | 'status'
  | 'suppressed'
  | 'bounced'
  | 'invalid'
  | 'complained'
  | 'confirmed'
  | 'unconfirmed'
  | 'withheld'
  | 'active'
  | 'reason'
  | 'bounces'
  | 'channel'
  | 'text';

export interface HeaderReading {
  readonly meaning: Meaning;
  /**
   * True if svc must understand every filled cell, and asks about the others. If false, only understood cells count.
   */
  readonly asksAboutUnknown: boolean;
  /** True if the cells are dates, reasons or causes. Then a filled cell means that the event happened. */
  readonly filledMeansHappened: boolean;
  /** True for the status of an order, a deal or an account. Only words about mail count there. */
  readonly statusOfOtherThing?: true;
  /** True for the status of a consent, under which `given` and `denied` are answers. */
  readonly isConsentStatus?: true;
  /** True for a status that the person had before. svc asks whether it keeps mail away. */
  readonly isPreviousStatus?: true;
  /**
   * True for a header that may be about something else than mail, or whose typing error may hide another word. It keeps
   * mail away only if the user says so.
   */
  readonly needsConfirmation?: true | undefined;
  /** True for a list of tags or groups, where a word about mail may be the name of a group. */
  readonly holdsGroups?: true;
}

/** How the cells of a column are read. */
export interface CellReading extends HeaderReading {
  /** True if a yes to mail, or a no to an opt-out, means `subscribed`. */
  readonly mayMeanSubscribed: boolean;
  /** True for a status column that only --map names. svc can't know whether a yes means mail or an opt-out. */
  readonly directionUnknown?: boolean;
  /** True for a column that the platform keeps as proof of a sign-up. */
  readonly isSignUpProof?: boolean;
  /** The header without case, accents and blanks. Exports write it into the cell of a ticked checkbox. */
  readonly bareHeader?: string;
  /** True if some cells are a plus. Then a minus is a no, and not a blank. */
  readonly minusMeansNo?: boolean;
  /** True if some cells are `I` for in. Then `O` means out. */
  readonly oMeansOut?: boolean;
  /** True if some cells are a yes or a circle. Then an x may be a no, and not a tick. */
  readonly xMayMeanNo?: boolean;
  /** True if some cells are dates. */
  readonly dates?: boolean;
  /** True for a header such as `Consent valid until`. Its dates and blanks give no state: a check reads them (C10). */
  readonly endsConsent?: boolean;
  /** True for preferred channels if some cells are `Email`. Then `Mail` means a letter. */
  readonly mailMeansLetter?: boolean;
  /** Words that the platform is known to write. */
  readonly words?: ReadonlyMap<string, StatusReading> | undefined;
}

/** The reading of a column of notes. */
export const TEXT: HeaderReading = { meaning: 'text', asksAboutUnknown: false, filledMeansHappened: false };

import type { Finding } from '../../base/finding.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';
import { compareOptOutDate } from './compare-contact.ts';

/**
 * The part of the journal that records lost opt-out dates. The service document promises to keep these dates for new
 * contacts only (C2). The run writes lost dates to consent.csv, because they prove when people opted out.
 */
type Notes = Pick<Journal, 'readNote' | 'writeNote'>;

const LOST_DATES_NOTE = 'lost_dates';

/** The name of the check in the verification and in the report. */
export const OPT_OUT_DATES_CHECK = 'opt_out_dates';

/** Records that the service has, or may have, other opt-out dates than the list. */
export function noteLostDates(journal: Notes): void {
  journal.writeNote(LOST_DATES_NOTE, true);
}

/** Records that svc read back each opt-out of the list, and found each date. */
export function noteKeptDates(journal: Notes): void {
  journal.writeNote(LOST_DATES_NOTE, undefined);
}

/** True if the service has, or may have, other opt-out dates than the list. */
export function mayHaveLostDates(journal: Pick<Notes, 'readNote'>): boolean {
  return journal.readNote(LOST_DATES_NOTE) === true;
}

/** What the response to a batch of contacts says about opt-out dates. */
interface ResponseToDates {
  /** True if people of the batch were in the audience before, or if the response is a replay of an earlier import. */
  readonly mayHaveUpdated: boolean;
  /** The number of people whom the service refused because they are suppressed. */
  readonly suppressed: number;
  /** True if the service refused the person at this index because of a suppression. */
  isSuppressed(index: number): boolean;
}

/**
 * Records that opt-out dates of a batch may be lost. A response does not say which people were in the audience before,
 * so svc does not trust the date of any person in such a batch. Called before the journal has the response, so that a
 * kill loses nothing (D1).
 */
export function noteDatesAtRisk(
  journal: Notes,
  batch: { readonly items: readonly ContactItem[]; readonly body: Buffer },
  { mayHaveUpdated, suppressed, isSuppressed }: ResponseToDates,
): void {
  // The body is searched first, because `items` parses it.
  if ((!mayHaveUpdated && suppressed === 0) || mayHaveLostDates(journal) || !batch.body.includes(OPT_OUT_DATE)) {
    return;
  }
  const isAtRisk = ({ contact }: ContactItem, index: number) =>
    contact.unsubscribed_at !== undefined && (mayHaveUpdated || isSuppressed(index));
  if (batch.items.some(isAtRisk)) {
    noteLostDates(journal);
  }
}

const OPT_OUT_DATE = Buffer.from('"unsubscribed_at"');

/** True if the list opts the person out, and the service shows that, with the date that was sent. */
export function showsOptOut(sent: BatchContact, got: Contact): boolean {
  const isOptOut = sent.status === 'unsubscribed' && got.status !== 'subscribed';
  const showsDate = sent.unsubscribed_at === undefined || got.unsubscribed_at !== undefined;
  return isOptOut && showsDate && compareOptOutDate(sent, got).length === 0;
}

/** What svc says if the dates may be lost, and no person who was read back shows that they are. */
export const DATES_AT_RISK =
  'the service may not have kept the opt-out dates of people who were in the audience before, or who are suppressed; consent.csv has the dates of the list';

/**
 * The finding that opt-out dates may be lost, for a report whose verification does not say so: the run ended before it,
 * or --no-verify was given.
 */
export function lostDatesFinding(
  journal: Pick<Notes, 'readNote'>,
  checks: readonly { readonly check: string }[],
): Finding | undefined {
  const isReported = checks.some(({ check }) => check === OPT_OUT_DATES_CHECK);
  return isReported || !mayHaveLostDates(journal)
    ? undefined
    : { check: OPT_OUT_DATES_CHECK, level: 'warn', message: DATES_AT_RISK };
}

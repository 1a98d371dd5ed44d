import { ApiError } from '../../api/http/api-error.ts';
import { getAudience } from '../../api/resources/audiences.ts';
import { firstSuppression } from '../../api/resources/suppressions.ts';
import { mapConcurrently } from '../../base/lib/concurrency.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { countFailedRows } from '../../run-lifecycle/data/row-counts.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { Verification, VerificationCheck } from '../../run-lifecycle/data/run-report.ts';
import { compareContact, compareOptOutDate, describeDifference } from '../compare/compare-contact.ts';
import { lookUpContact, refusedRows } from '../compare/look-up.ts';
import {
  DATES_AT_RISK,
  mayHaveLostDates,
  noteKeptDates,
  noteLostDates,
  OPT_OUT_DATES_CHECK,
  showsOptOut,
} from '../compare/lost-dates.ts';
import { compareOptOuts } from '../compare/opt-out-count.ts';
import { readCanaryRecord } from '../opt-outs/canary-record.ts';
import { isKept } from '../opt-outs/proofs.ts';
import { readSuppressedTotal } from '../write/apply-suppressions.ts';
import { type CountedAudience, checkContactCounts } from './contact-counts.ts';

interface Expectation extends Pick<CountedAudience, 'totalBefore' | 'contacts'> {
  readonly audienceId: string | undefined;
  /** The number of people whom the list opts out. */
  readonly unsubscribed: number;
  /** The number of addresses that were sent as suppressions. */
  readonly suppressed: number;
  /** Returns how many of the sent addresses the service may count together with an earlier one (F8). */
  readonly suppressedLookAlikes: () => number;
  readonly sample: readonly ContactItem[];
}

/** Checks what the run wrote. It reads the service for this and never trusts the journal alone (L4). */
export async function verifyWrites(context: WriteContext, expected: Expectation): Promise<Verification> {
  const checks: VerificationCheck[] = [];
  if (expected.audienceId !== undefined) {
    const audienceId = expected.audienceId;
    context.emit({ type: 'phase', phase: 'verify', total: expected.sample.length, unit: 'rows' });
    const after = (await getAudience(context.client, audienceId, context)).contact_counts;
    checks.push(await checkContactCounts(context, { ...expected, audienceId, after }));
    // If it is proven that unsubscribed people stay unsubscribed, svc does not compare their numbers.
    const isProven = isKept(readCanaryRecord(context.journal) ?? {}, 'unsubscribed');
    const optOuts = isProven ? undefined : compareOptOuts(context, after);
    // If the list has opt-outs, each of them may hide a sign-up in the counts, so only a failure says something.
    if (optOuts && (optOuts.status === 'failed' || expected.unsubscribed === 0)) {
      checks.push(optOuts);
    }
    (await sampleChecks(context, { ...expected, audienceId })).forEach((check) => checks.push(check));
  }
  if (expected.suppressed > 0) {
    if (expected.audienceId === undefined) {
      // The phase `verify` records that everything was sent. From then on a difference ends the run for good (S3).
      context.emit({ type: 'phase', phase: 'verify', total: 1, unit: 'rows' });
    }
    const sent = expected.suppressed - countFailedRows(context.journal.counts('suppressions'));
    checks.push(await suppressionTotalCheck(context, { ...expected, suppressed: sent }));
    if (expected.audienceId === undefined) {
      context.emit({ type: 'progress', phase: 'verify', done: 1 });
    }
  }
  const hasFailed = checks.some((check) => check.status === 'failed');
  return { status: hasFailed ? 'failed' : checks.length === 0 ? 'skipped' : 'passed', checks };
}

async function sampleChecks(
  context: WriteContext,
  { audienceId, sample: items, unsubscribed }: Sample,
): Promise<VerificationCheck[]> {
  const refused = refusedRows(context.journal);
  // If the run updated no contact and got no replay, all its people are new. Then the service must have kept their
  // opt-out dates (C2).
  const { freshUpdated, replayed } = context.journal.counts();
  const areAllNew = freshUpdated + replayed === 0;
  const written = items.filter((item) => !refused.has(rowKey(item)));
  let doneCount = items.length - written.length;
  context.emit({ type: 'progress', phase: 'verify', done: doneCount });
  const found = await mapConcurrently(written, context.options.concurrency, async (item) => {
    const person = await comparePerson(context, { audienceId, areAllNew }, item);
    doneCount += 1;
    context.emit({ type: 'progress', phase: 'verify', done: doneCount });
    return person;
  });
  const problems = found.flatMap((person) => person.problems);
  const check: VerificationCheck =
    problems.length === 0
      ? { check: 'sample', status: 'passed', message: `${plural(written.length, 'contact')} read back as sent` }
      : { check: 'sample', status: 'failed', message: problems.slice(0, 5).join('; ') };
  const dates = optOutDatesCheck(context, found, unsubscribed);
  return dates === undefined ? [check] : [check, dates];
}

/**
 * The check for opt-out dates that are, or may be, lost. It never fails: the service promises dates for new contacts
 * only (C2). The sample proves only the dates of its own people.
 */
function optOutDatesCheck(
  { journal }: WriteContext,
  found: readonly FoundPerson[],
  optOuts: number,
): VerificationCheck | undefined {
  const lost = found.filter(({ isDateLost }) => isDateLost).length;
  if (lost === 0 && found.filter(({ isOptOutKept }) => isOptOutKept).length === optOuts) {
    noteKeptDates(journal);
  }
  if (lost === 0) {
    return mayHaveLostDates(journal)
      ? { check: OPT_OUT_DATES_CHECK, status: 'skipped', message: DATES_AT_RISK }
      : undefined;
  }
  noteLostDates(journal);
  const people = lost === 1 ? '1 person who was' : `${lost} people who were`;
  const message = `the service has another opt-out date than the list for ${people} in the audience before; consent.csv has the dates of the list`;
  return { check: OPT_OUT_DATES_CHECK, status: 'skipped', message };
}

type Sample = Pick<Expectation, 'sample' | 'unsubscribed'> & { readonly audienceId: string };

interface FoundPerson {
  readonly problems: readonly string[];
  /** True if the service has another opt-out date than the list, for a person who may not be new in the audience. */
  readonly isDateLost: boolean;
  /** True if the list opts the person out, and the service shows the opt-out with the date that was sent, if any. */
  readonly isOptOutKept: boolean;
}

async function comparePerson(
  context: WriteContext,
  { audienceId, areAllNew }: { readonly audienceId: string; readonly areAllNew: boolean },
  { contact }: ContactItem,
): Promise<FoundPerson> {
  const got = await lookUpContact(context, audienceId, contact);
  const who = terminalSafe(contact.email);
  if (got === undefined) {
    return { problems: [`${who} is not there`], isDateLost: false, isOptOutKept: false };
  }
  const signedUp =
    contact.status === 'unsubscribed' && got.status === 'subscribed' ? [`${who} opted out, but is subscribed`] : [];
  const dates = compareOptOutDate(contact, got);
  const differences = [...compareContact(contact, got), ...(areAllNew ? dates : [])];
  const fields = differences.map((difference) => `${who}: ${describeDifference(contact, difference)}`);
  return {
    problems: [...signedUp, ...fields],
    isDateLost: !areAllNew && dates.length > 0 && signedUp.length === 0,
    isOptOutKept: showsOptOut(contact, got),
  };
}

/** True if the service lists at least one suppression. Undefined if the list of suppressions can't be read. */
async function listsAnySuppression(context: WriteContext): Promise<boolean | undefined> {
  try {
    return (await firstSuppression(context.client, context)) !== undefined;
  } catch (error) {
    const isUnreadable = error instanceof SvcError && (error instanceof ApiError || error.code === 'unexpected_answer');
    if (!isUnreadable || context.signal.aborted) {
      throw error;
    }
    return undefined;
  }
}

/** Fails if the account has fewer suppressions than svc sent. More are fine, because bounces add some (S3). */
async function suppressionTotalCheck(context: WriteContext, expected: Expectation): Promise<VerificationCheck> {
  const { suppressed: sent, suppressedLookAlikes } = expected;
  const check = 'suppressions';
  const seen = readSuppressedTotal(context.journal);
  const hasSuppressions = await listsAnySuppression(context);
  if (sent > 0 && hasSuppressions === false) {
    return {
      check,
      status: 'failed',
      message: `${plural(sent, 'address was', 'addresses were')} suppressed, but the service lists none`,
    };
  }
  if (seen === undefined) {
    const replayed = 'the service only replayed stored responses to suppressions';
    return hasSuppressions === undefined
      ? { check, status: 'skipped', message: `${replayed}, and the list of suppressions cannot be read` }
      : { check, status: 'passed', message: `${replayed}; the service lists suppressions` };
  }
  const minTotal = seen.total >= seen.sent ? seen.sent : seen.sent - suppressedLookAlikes();
  return seen.total >= minTotal
    ? {
        check,
        status: 'passed',
        message: `${plural(seen.total, 'address', 'addresses')} suppressed in the account, ${formatNumber(minTotal)} of them sent`,
      }
    : {
        check,
        status: 'failed',
        message: `${plural(seen.sent, 'address was', 'addresses were')} sent, but only ${formatNumber(seen.total)} are suppressed`,
      };
}

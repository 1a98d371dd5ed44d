import { reserveOf, type WindowLimits } from '../../api/rate-limit/sliding-window.ts';
import { sumOf } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { MAX_RESPELLED_ITEMS } from '../../import/batch/suppression-batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { type ImportOptions, writeKindsOf } from '../../run-lifecycle/data/run-options.ts';
import type { Plan } from '../../run-lifecycle/data/run-report.ts';
import { LIMITS } from '../../wire/limits.ts';
import { SUPPRESSION_REASONS } from '../../wire/service-words.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import { CANARY_SIZE } from '../opt-outs/canary-record.ts';

interface PlanParts {
  readonly survey: Survey;
  readonly snapshot: AccountSnapshot | undefined;
  readonly options: ImportOptions;
  readonly rateLimits: WindowLimits;
  /** The number of missing people to unsubscribe. Some of them may have opted out already. */
  readonly optOuts: number;
  /** The number of additional suppressions, for other spellings of the suppressed addresses. */
  readonly respelled: number;
}

/** Computes what a run will write, how many requests it needs, and how long it takes. */
export function assemblePlan({ survey, snapshot, options, rateLimits, optOuts, respelled }: PlanParts): Plan {
  const writes = writeKindsOf(options.command);
  const suppressions = writes.writesSuppressions ? survey.suppressions : {};
  const contacts = writes.writesContacts ? survey.contacts : 0;
  const batches = writes.writesContacts ? survey.batches : 0;
  const requests =
    countRequests({ suppressions, batches, contacts }, snapshot, options) +
    LOOK_UPS_PER_OPT_OUT * optOuts +
    Math.ceil(optOuts / LIMITS.batchItems) +
    Math.ceil(respelled / MAX_RESPELLED_ITEMS);
  return {
    suppressions,
    ...(respelled > 0 && { respelled }),
    contacts,
    unsubscribed: writes.writesContacts ? survey.unsubscribed : 0,
    batches,
    requests,
    estimated_seconds: estimateSeconds(requests, rateLimits),
    keys: survey.keys,
    new_fields: writes.writesContacts ? newFieldsOf(survey, snapshot) : [],
    ...(optOuts > 0 && { opt_outs: optOuts }),
  };
}

/**
 * Attribute keys of the list that no contact on the first page of the audience has. All keys if svc read no audience.
 * The service creates at most this many custom fields (F6).
 */
export function newFieldsOf(survey: Survey, snapshot: AccountSnapshot | undefined): string[] {
  return survey.usedKeys.filter((key) => !snapshot?.shownKeys.has(key));
}

// svc looks a missing person up twice: before and after the opt-out.
const LOOK_UPS_PER_OPT_OUT = 2;

function countRequests(
  work: Pick<Plan, 'suppressions' | 'batches' | 'contacts'>,
  snapshot: AccountSnapshot | undefined,
  options: ImportOptions,
): number {
  const suppressed = SUPPRESSION_REASONS.map((reason) => work.suppressions[reason] ?? 0);
  const calls = sumOf(suppressed.map((count) => Math.ceil(count / LIMITS.batchItems)));
  const canary = work.contacts === 0 ? 0 : 2 * Math.min(CANARY_SIZE, work.contacts) + 1;
  const sample = options.verify ? Math.min(options.verifySample, work.contacts) + 2 : 0;
  const requestsBefore = snapshot ? 3 : 0;
  return calls + work.batches + canary + sample + requestsBefore;
}

// The seconds that a request takes if it does not wait for the rate limit.
const SECONDS_A_REQUEST = 0.1;

/**
 * Estimates the seconds for a number of requests. All minutes but the last are full: they send as many requests as the
 * rate limit allows. The requests of the last minute take only their own time.
 */
export function estimateSeconds(requests: number, limits: WindowLimits): number {
  // The reserve is subtracted from the limit of the service, not from --rate.
  const free = LIMITS.requestsPerMinute - reserveOf(limits, LIMITS.requestsPerMinute);
  const perWindow = Math.max(1, Math.min(limits.rate, free));
  const fullWindows = Math.max(0, Math.ceil(requests / perWindow) - 1);
  const requestsLeft = requests - fullWindows * perWindow;
  return Math.round(fullWindows * (LIMITS.rateWindowMs / 1000) + requestsLeft * SECONDS_A_REQUEST);
}

/** Counts the people of the list who are not in the audience yet. Undefined if svc did not read the whole audience. */
export async function countNewPeople(
  snapshot: AccountSnapshot | undefined,
  survey: Survey,
  contacts: () => AsyncIterable<ContactItem>,
): Promise<number | undefined> {
  if (!snapshot?.isInAudience) {
    return undefined;
  }
  let knownCount = 0;
  for await (const { contact } of contacts()) {
    knownCount += (await snapshot.isInAudience(contact)) ? 1 : 0;
  }
  return survey.contacts - knownCount;
}

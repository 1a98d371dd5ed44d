import type { Finding } from '../../base/finding.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural } from '../../base/lib/text.ts';
import type { Survey, UnreadInput } from '../../import/survey/survey-types.ts';
import { countFailedRows } from '../../run-lifecycle/data/row-counts.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { FailureLimit } from '../../run-lifecycle/data/run-options.ts';
import { MAX_FAILURES_CODE } from '../../run-lifecycle/end/next-steps.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Stops if svc rejects more rows than --max-failures allows, because it probably misread the list. Fewer rejected rows
 * are a warning.
 */
export function failuresFinding({ survey, options }: ListContext): Finding {
  const unread = unreadStop({ survey, options });
  if (unread) {
    return unread;
  }
  const { rejected, read } = survey.rows;
  const message =
    rejected === 0
      ? 'no row is rejected'
      : `${formatNumber(rejected)} of ${plural(read, 'row')} rejected: ${rejectionReasons(survey)}`;
  const examples = (survey.rejections ?? []).flatMap((rejection) => rejection.examples).slice(0, MAX_EXAMPLES);
  if (isWithin(options.maxFailures, rejected, read)) {
    return { check: 'failures', level: rejected === 0 ? 'pass' : 'warn', message, examples, total: rejected };
  }
  return {
    check: 'failures',
    level: 'stop',
    message: `${message}; the limit is ${failureLimitText(options.maxFailures)}`,
    hint: `--max-failures ${rejected}`,
    when: 'To continue without these rows',
    examples,
    total: rejected,
  };
}

/**
 * Stops if at least half of the rows of an opt-out list have no readable address (C9), and the run writes people who
 * get mail. The people of these rows may occur in other rows too, and would then get mail. So the first hint is to
 * correct the rows, not a command. A list without a subscribed row counts as an opt-out list. --max-failures removes
 * the stop if it gives a number that allows all these rows. A percentage does not.
 */
function unreadStop({ survey, options }: ListContext): Finding | undefined {
  const inputs = (survey.unread ?? []).filter(({ few }) => !few);
  const answer = `If these rows name no person of the list: --max-failures ${mostFailures(survey)}`;
  return inputs.length === 0 || isAcceptedByFlag({ survey, options }) || !mailsPeople(survey)
    ? undefined
    : {
        ...unreadFinding(inputs),
        level: 'stop',
        hint: `Correct these rows: each needs a valid address. ${answer}`,
      };
}

/**
 * Warns about opt-out rows whose address svc can't read, except in lists for which `unreadStop` stops the run. The
 * people of these rows may occur in other rows too, and would then get mail (C9).
 */
export function unreadOptOutFindings({ survey, options }: ListContext): readonly Finding[] {
  const isAcceptedByLimit = isAcceptedByFlag({ survey, options });
  const inputs = (survey.unread ?? []).filter(({ few }) => few || isAcceptedByLimit);
  const hint = 'First correct these rows: each needs a valid address';
  return inputs.length === 0 || !mailsPeople(survey) ? [] : [{ ...unreadFinding(inputs), level: 'warn', hint }];
}

function isAcceptedByFlag({ survey, options: { maxFailures: limit } }: ListContext): boolean {
  return limit.kind === 'rows' && mostFailures(survey) <= limit.rows;
}

// The largest number of rows that can fail because of their address: rows that svc rejects, and rows that the service
// will refuse.
function mostFailures({ rows, unread = [] }: CheckContext['survey']): number {
  return rows.rejected + sumOf(unread.map(({ sent }) => sent));
}

function mailsPeople({ contacts, unsubscribed }: CheckContext['survey']): boolean {
  return contacts !== unsubscribed;
}

function unreadFinding(inputs: readonly UnreadInput[]): Pick<Finding, 'check' | 'message' | 'examples' | 'total'> {
  const which = inputs.map(({ name, rows, unread }) => `${formatNumber(unread)} of ${plural(rows, 'row')} of ${name}`);
  const total = sumOf(inputs.map(({ unread }) => unread));
  return {
    check: 'failures',
    message: `${joinAtMost(which, 5)} ${total === 1 ? 'is' : 'are'} about people who opted out and cannot be read. Other rows of the list may name these people, who then get mail`,
    examples: inputs.flatMap(({ examples }) => examples).slice(0, MAX_EXAMPLES),
    total,
  };
}

/** The part of the check context that these checks use. */
interface ListContext extends Pick<CheckContext, 'survey'> {
  readonly options: Pick<CheckContext['options'], 'maxFailures'>;
}

const MAX_EXAMPLES = 5;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['missing_email', 'without an address'],
  ['invalid_email', 'with an invalid address'],
  ['two_addresses_in_cell', 'with two addresses in one cell'],
  ['duplicate_email', 'with an address of an earlier row'],
  ['too_many_fields', 'with more cells than the header'],
  ['text_after_closing_quote', 'with text after a closing quote'],
  ['backslash_before_quote', 'with a backslash before a quote'],
  ['rows_in_quotes', 'with other rows inside quotes'],
  ['below_other_header', 'below a second header'],
  ['cut_off_row', 'in which the file ends too early'],
]);

/** Why rows were rejected: `1 without an address, 2 with an invalid address`. */
function rejectionReasons(survey: CheckContext['survey']): string {
  return (survey.rejections ?? [])
    .map(({ reason, total }) => `${formatNumber(total)} ${REASONS.get(reason) ?? reason.replaceAll('_', ' ')}`)
    .join(', ');
}

// A limit in percent does not apply to lists with fewer rows than this.
const PERCENT_FROM_ROW = 1_000;

/** Throws if more rows were rejected or failed than --max-failures allows. */
export function refuseTooManyFailures(limit: FailureLimit, bad: number, read: number): void {
  if (!isWithin(limit, bad, read)) {
    const message = `${plural(bad, 'row')} rejected or failed; the limit is ${failureLimitText(limit)}`;
    throw new SvcError(EXIT.stopped, MAX_FAILURES_CODE, message, {
      hint: 'See the rejects file for the reasons. To allow more: --max-failures',
    });
  }
}

/** Throws if the rows that svc rejected and those that failed so far are more than --max-failures allows. */
export function refuseFailedRows({ options, journal }: WriteContext, rows: Pick<Survey['rows'], 'rejected' | 'read'>) {
  refuseTooManyFailures(options.maxFailures, rows.rejected + countFailedRows(journal.counts()), rows.read);
}

function isWithin(limit: FailureLimit, bad: number, read: number): boolean {
  return (limit.kind === 'percent' && read < PERCENT_FROM_ROW) || isWithinLimit(limit, bad, read);
}

/** True if a limit allows `count` rows or people of `total`. */
export function isWithinLimit(limit: FailureLimit, count: number, total: number): boolean {
  return limit.kind === 'rows' ? count <= limit.rows : count * 100 <= limit.percent * total;
}

/** The limit for a message: `5 rows`, `2 %`, or `5 people` for `--max-gone`. */
export function failureLimitText(limit: FailureLimit, one = 'row', many = 'rows'): string {
  return limit.kind === 'rows' ? plural(limit.rows, one, many) : `${limit.percent} %`;
}

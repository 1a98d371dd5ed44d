import type { RunReport } from '../../run-lifecycle/data/run-report.ts';
import { skippedWords } from '../plan/plan.ts';
import { countLines } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { displayWidth } from '../text/width.ts';
import { fillLines, HANGING } from '../text/wrap.ts';
import { rowSum } from './row-sum.ts';
import type { ShownReport } from './shown-report.ts';

/** The rows as a sum (`12 rows read = 10 created + 2 merged`), and below it an explanation of some outcomes. */
export function rowLines(report: ShownReport, style: Style): string[] {
  return [...sumLines(report, style), ...countLines(rowEntries(report, style), style)];
}

/** The sum of the rows, on one line if it fits. A longer sum is broken before a plus or equals sign. */
export function sumLines(report: ShownReport, style: Style): string[] {
  const sum = rowSum(report.rows, { dryRun: report.dry_run, whySkipped: reasonInSum(report, style) });
  return fillLines(sum.split(/ (?=[+=] )/), ' ', style.columns, HANGING);
}

/**
 * The reason why rows were skipped. Undefined if there are several reasons, or if it does not fit on the line of the
 * sum.
 */
function reasonInSum({ rows, skipped, dry_run }: ShownReport, style: Style): string | undefined {
  const [only, ...others] = skippedWords(skipped);
  const whySkipped = others.length === 0 ? only?.[1] : undefined;
  const width = displayWidth(rowSum(rows, { dryRun: dry_run, whySkipped })) + HANGING.first.length;
  return width <= (style.columns ?? width) ? whySkipped : undefined;
}

/** The outcomes that need an explanation, with their counts. */
function rowEntries(report: ShownReport, style: Style): [number, string][] {
  const { rejected = 0, failed = 0, unknown = 0 }: Partial<RunReport['rows']> = report.rows;
  const skipped = reasonInSum(report, style) === undefined ? skippedWords(report.skipped) : [];
  return [
    ...skipped.map(([count, words]): [number, string] => [count, `skipped: ${words}`]),
    [rejected, 'rejected: left out; correct them in the rejects file'],
    [failed, 'failed: refused by the service; see the rejects file'],
    [unknown, 'unknown: no response is recorded, so svc cannot tell whether they arrived'],
    ...contactEntries(report),
    ...goneEntries(report),
    [report.rows_replayed, 'replayed: the service had accepted them before and wrote nothing new (counted above)'],
  ];
}

/** The people whom an enrollment wrote as contacts. The sum counts them by the outcome of their enrollment. */
function contactEntries({ contacts }: ShownReport): [number, string][] {
  return contacts === undefined
    ? []
    : [
        [contacts.created, `created as contacts ${COUNTED_ABOVE}`],
        [contacts.updated, `updated as contacts ${COUNTED_ABOVE}`],
        [contacts.unknown, `sent as contacts, but no response is recorded ${COUNTED_ABOVE}`],
      ];
}

const COUNTED_ABOVE = '(counted above by their enrollment)';

/** People of earlier lists who are missing in this list. They are not part of the sum of the rows. */
function goneEntries({ gone }: ShownReport): [number, string][] {
  return gone === undefined
    ? []
    : [
        [gone.unsubscribed, 'missing in this list: unsubscribed'],
        [gone.left_before, 'missing in this list: had opted out or was deleted before'],
        [gone.not_found ?? 0, 'missing in this list: not in the audience; the next import looks again'],
        [gone.reported, 'missing in this list: left as they are'],
      ];
}

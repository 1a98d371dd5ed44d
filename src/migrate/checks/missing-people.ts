import type { Finding } from '../../base/finding.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import type { ChangeCounts } from '../contact-ledger/change-counts.ts';
import type { FailureLimit, OnlyChangedOptions } from '../run-data/options.ts';
import { type CheckContext, skippedCheck } from './check-context.ts';
import { failureLimitText } from './failures.ts';
import { lostLedgerStop } from './lost-ledger.ts';

const CHECK = 'gone';

/**
 * Reports the people of earlier lists who are missing in this list. Stops if too many people are missing, or if the
 * list is empty or has other columns, because then the export probably failed (G7). With `--gone report`, other columns
 * are only a warning.
 */
export function missingPeopleFindings(context: CheckContext): readonly Finding[] {
  const { ledgerCounts, snapshot, survey } = context;
  const options = context.options.changes;
  if (!ledgerCounts || !options?.gone) {
    return [];
  }
  if (!snapshot) {
    return [skippedCheck(CHECK, context)];
  }
  if (ledgerCounts.lost) {
    return [lostLedgerStop(context, ledgerCounts.lost)];
  }
  if (ledgerCounts.listed > 0 && survey.rows.read === 0) {
    const message = `the list is empty, and the last one was not: ${plural(ledgerCounts.listed, 'person', 'people')} would be missing`;
    return [{ check: CHECK, level: 'stop', message, hint: 'Check how the list was exported.' }];
  }
  return [
    tooManyMissingFinding(ledgerCounts, options) ??
      sharedNameFinding(ledgerCounts, options) ??
      changedShapeFinding(ledgerCounts, options) ??
      missingFinding(ledgerCounts, options),
  ];
}

function tooManyMissingFinding(
  changes: ChangeCounts,
  { gone: action, maxGone }: OnlyChangedOptions,
): Finding | undefined {
  // `--gone unsubscribe` opts out all missing people, so all of them count. `--gone report` writes nothing, so only
  // people who were still in the last list count.
  const [count, base] =
    action === 'unsubscribe'
      ? [changes.missing, changes.listed]
      : [changes.newlyMissing, changes.listed - changes.missedBefore];
  if (isWithin(maxGone, count, base)) {
    return undefined;
  }
  const message = `${plural(count, 'person', 'people')} of ${formatNumber(base)} of earlier lists ${count === 1 ? 'is' : 'are'} missing in this one; the limit is ${failureLimitText(maxGone, 'person', 'people')}`;
  return {
    check: CHECK,
    level: 'stop',
    message,
    hint: `--max-gone ${count}`,
    when: 'If these people really left the list',
  };
}

/**
 * Stops before missing people are unsubscribed, if many people of this list were not in the last list of this name.
 * Then the two are probably different lists with one name, and the missing people belong to the other list (G7).
 */
function sharedNameFinding(
  { missing, back = 0, listed }: ChangeCounts,
  { gone: action, maxGone }: OnlyChangedOptions,
): Finding | undefined {
  if (action !== 'unsubscribe' || missing === 0 || isWithin(maxGone, back, listed)) {
    return undefined;
  }
  const message = `the last list of this name lacked ${plural(back, 'person', 'people')} whom this one has, so two lists may share the name, and ${plural(missing, 'person', 'people')} of the other one would be unsubscribed; digits in a file name do not count`;
  return {
    check: CHECK,
    level: 'stop',
    message,
    hint: `--max-gone ${Math.max(back, missing)}`,
    when: 'If it is one list, and the last one was not complete',
  };
}

function isWithin(limit: FailureLimit, count: number, base: number): boolean {
  return limit.kind === 'rows' ? count <= limit.rows : count * 100 <= limit.percent * base;
}

function changedShapeFinding({ otherShape }: ChangeCounts, { gone: action }: OnlyChangedOptions): Finding | undefined {
  if (otherShape === undefined) {
    return undefined;
  }
  if (action === 'report') {
    return { check: CHECK, level: 'warn', message: `${otherShape}: the people of gone.csv may still be on the list` };
  }
  return {
    check: CHECK,
    level: 'stop',
    message: `${otherShape}: svc does not unsubscribe people if the shape of the list changed`,
    hint: '--gone report',
    when: 'If the list is right, report once, so that svc knows its new shape',
  };
}

function missingFinding(
  { missing, unnamedRows, held: inOtherLists = 0 }: ChangeCounts,
  { gone: action }: OnlyChangedOptions,
): Finding {
  const message = `${plural(missing, 'person', 'people')} of earlier lists ${missing === 1 ? 'is' : 'are'} missing in this one`;
  const otherListsNote =
    inOtherLists === 0
      ? ''
      : `; ${plural(inOtherLists, 'more stays', 'more stay')}, because another list of this audience names them`;
  if (missing === 0) {
    return {
      check: CHECK,
      level: 'pass',
      message: `no person of earlier lists is missing in this one${otherListsNote}`,
    };
  }
  if (action === 'report') {
    return { check: CHECK, level: 'pass', message: `${message}: gone.csv names them${otherListsNote}` };
  }
  if (unnamedRows > 0) {
    const reported = `${message}; they are only reported, because ${plural(unnamedRows, 'row')} without a whole address may be about one of them${otherListsNote}`;
    return { check: CHECK, level: 'warn', message: reported };
  }
  return { check: CHECK, level: 'warn', message: `${message}, and will be unsubscribed${otherListsNote}` };
}

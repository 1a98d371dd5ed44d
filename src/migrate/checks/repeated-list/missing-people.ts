import type { Finding } from '../../../base/finding.ts';
import { formatNumber, plural, terminalSafe } from '../../../base/lib/text.ts';
import type { OnlyChangedOptions } from '../../../run-lifecycle/data/run-options.ts';
import type { ChangeCounts } from '../../contact-ledger/change-counts.ts';
import { countMissingOptOuts } from '../../contact-ledger/people/named-addresses.ts';
import { type CheckContext, skippedCheck } from '../check-context.ts';
import { failureLimitText, isWithinLimit } from '../failures.ts';
import { lostLedgerStop } from './lost-ledger.ts';

const CHECK = 'gone';

/**
 * Reports the people of earlier lists who are missing in this list. Stops if the ledger is lost, or if the export
 * probably failed: too many people are missing, or the list is empty or has other columns. Also stops before an opt-out
 * if this may be another list of the same name (G7). With `--gone report`, other columns are only a warning.
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
      otherFolderFinding(ledgerCounts, options) ??
      changedShapeFinding(ledgerCounts, options) ??
      missingFinding(ledgerCounts, options),
  ];
}

function tooManyMissingFinding(changes: ChangeCounts, options: OnlyChangedOptions): Finding | undefined {
  const { gone: action, maxGone } = options;
  // `--gone unsubscribe` opts out all missing people, so all of them count, except those whom the audience did not have
  // at an earlier look-up. `--gone report` opts out no person, so only people who were still in the last list count.
  const { notFound = 0 } = changes;
  const [count, base] =
    action === 'unsubscribe'
      ? [changes.missing - notFound, changes.listed - notFound]
      : [changes.newlyMissing, changes.listed - changes.missedBefore];
  if (isWithinLimit(maxGone, count, base)) {
    return undefined;
  }
  const limit = failureLimitText(maxGone, 'person', 'people');
  const message = `${plural(count, 'person', 'people')} of ${formatNumber(base)} of earlier lists ${count === 1 ? 'is' : 'are'} missing in this one; the limit is ${limit}`;
  // This may be another list of the same name. Then the missing people are the people of that list.
  const { back = 0, listed, lastPath, isPipe } = changes;
  const areBack = !isWithinLimit(maxGone, back, listed);
  const mayBeOther = 2 * count >= base || areBack || lastPath !== undefined || isPipe === true;
  return {
    check: CHECK,
    level: 'stop',
    message: mayBeOther ? `${message}. ${otherListText(changes)}` : message,
    ...(action === 'unsubscribe'
      ? harmlessFirst(changes, { limit: count, mayBeOther })
      : { hint: `--max-gone ${count}`, when: 'If these people really left the list' }),
  };
}

/**
 * Stops before missing people are unsubscribed, if many people of this list were missing in the last list of this name.
 * Then the two are probably different lists with one name, and the missing people belong to the other list (G7).
 */
function sharedNameFinding(changes: ChangeCounts, { gone: action, maxGone }: OnlyChangedOptions): Finding | undefined {
  const { missing, back = 0, listed } = changes;
  if (action !== 'unsubscribe' || missing === 0 || isWithinLimit(maxGone, back, listed)) {
    return undefined;
  }
  const message = `the last list of this name lacked ${plural(back, 'person', 'people')} whom this one has, so two lists may share the name, and ${plural(missing, 'person', 'people')} of the other one would be unsubscribed`;
  return {
    check: CHECK,
    level: 'stop',
    message: `${message}. ${otherListText(changes)}`,
    ...harmlessFirst(changes, { limit: Math.max(back, missing), mayBeOther: true }),
  };
}

/**
 * Stops before missing people are unsubscribed, if the last list of this name is still in another folder. Two lists
 * that differ by a few people are below every limit, and the missing people may belong to the other list (G7).
 */
function otherFolderFinding(changes: ChangeCounts, options: OnlyChangedOptions): Finding | undefined {
  const { missing, otherFolder } = changes;
  if (otherFolder === undefined || countMissingOptOuts(options, changes) === 0) {
    return undefined;
  }
  const last = terminalSafe(otherFolder);
  const people = `${plural(missing, 'person', 'people')} of that list would be unsubscribed`;
  return {
    check: CHECK,
    level: 'stop',
    message: `the last list of this name was ${last}, which is still there, and ${people}. Folders, and digits in a file name, do not count, so this may be another list`,
    when: 'If this is another list, give its file a name of its own. If it is the same list in a new folder, report once, so that svc knows the folder',
    hint: '--gone report',
  };
}

function otherListText({ lastPath, isPipe }: ChangeCounts): string {
  if (isPipe) {
    return 'This may be another list: all lists from standard input count as one list';
  }
  const path = lastPath === undefined ? '' : `: the last one was ${terminalSafe(lastPath)}`;
  return `This may be another list of the same name${path}. Folders, and digits in a file name, do not count`;
}

/**
 * The answers to a stop before many people are unsubscribed. The first one only reports, because a list that shares its
 * name with another one would unsubscribe all people of that list (G7).
 */
function harmlessFirst(
  { missing, isPipe }: ChangeCounts,
  { limit, mayBeOther }: { readonly limit: number; readonly mayBeOther: boolean },
): Pick<Finding, 'hint' | 'when' | 'otherwise'> {
  const rename = isPipe ? 'save it in a file with a name of its own' : 'give its file a name of its own';
  const people = missing === 1 ? 'this person' : `these ${formatNumber(missing)} people`;
  return {
    when: `${mayBeOther ? `If this is another list, ${rename}. ` : ''}If you are not sure, only report`,
    hint: `--gone report --max-gone ${limit}`,
    otherwise: [
      {
        when: `Only if ${people} really left: they are unsubscribed, and svc can't undo it`,
        flags: `--max-gone ${limit}`,
      },
    ],
  };
}

function changedShapeFinding(
  { otherShape, missing }: ChangeCounts,
  { gone: action }: OnlyChangedOptions,
): Finding | undefined {
  // `--gone report` writes gone.csv only if people are missing. Without this file there is nothing to warn about.
  if (otherShape === undefined || (action === 'report' && missing === 0)) {
    return undefined;
  }
  if (action === 'report') {
    return { check: CHECK, level: 'warn', message: `${otherShape}: the people of gone.csv may still be on the list` };
  }
  return {
    check: CHECK,
    level: 'stop',
    message: `${otherShape}: svc unsubscribes no person if the name or the columns of the list changed`,
    hint: '--gone report',
    when: 'If this is the right list: this run only reports, and svc then knows its new name and columns',
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

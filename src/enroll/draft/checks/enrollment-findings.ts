import type { Finding } from '../../../base/finding.ts';
import { offersColumn } from '../../../import/survey/checks/status-candidates.ts';
import { keyFinding } from '../../../migrate/checks/account.ts';
import type { CheckContext } from '../../../migrate/checks/check-context.ts';
import { failuresFinding } from '../../../migrate/checks/failures.ts';
import { runChecks, sortFindings, unwantedMailFindings } from '../../../migrate/checks/plan-checks.ts';
import { resentFindings, unprovenFindings } from '../../../migrate/checks/repeated-list/deleted-people.ts';
import type { Automation } from '../../../wire/shapes.ts';
import { automationFinding } from '../automation.ts';
import type { KnownPeople } from '../known-people.ts';
import { unknownBeforeFindings } from './unknown-before.ts';

/** What the checks of an enrollment may look at: the check context of an import, and the automation. */
interface EnrollCheckContext extends CheckContext {
  /** The automation to enroll in. Undefined if the account was not queried. */
  readonly automation: Automation | undefined;
  readonly createContacts: boolean;
  /** The number of people of the list who may be enrolled. */
  readonly enrollable: number;
  /** For each earlier run: the number of people whom this run leaves out, because their outcome there is unknown. */
  readonly unknownBefore: ReadonlyMap<string, number>;
  readonly stateFolderFindings: readonly Finding[];
  readonly knownPeople: Pick<KnownPeople, 'known' | 'unproven'>;
  /** The finding about people for whom an import started the automation. */
  readonly importedInto: readonly Finding[];
}

/** All findings, stops first. Checks of the audience run only if contacts are written (M7). */
export function enrollFindings(context: EnrollCheckContext): Finding[] {
  // An enrollment never enrolls people whom the list suppresses, so the checks leave them out.
  const adjusted = adjustForEnrolling(context);
  const survey = { ...context.survey, suppressions: {}, findings: adjusted };
  const findings = context.createContacts
    ? runChecks({ ...context, survey })
    : [...unwantedMailFindings(context), ...survey.findings, keyOf(context), failuresFinding(context)];
  const records = [
    ...context.stateFolderFindings,
    ...unknownBeforeFindings(context.unknownBefore),
    ...deletedSinceFindings(context.knownPeople),
  ];
  return sortFindings([automationFinding(context), ...context.importedInto, ...records, ...findings]);
}

const OF_EARLIER_LISTS = { many: 'are in this list', whose: 'of earlier lists' };

/**
 * Names people of earlier lists whom svc neither creates nor enrolls, because they were deleted in the app. Warns if
 * people are too many to look up first, or if svc does not know whether the audience ever had them (C1).
 */
function deletedSinceFindings({ known, unproven }: EnrollCheckContext['knownPeople']): readonly Finding[] {
  const hint = 'Only if all of them should get mail again: create them in the app, then give the same command';
  return [...resentFindings(known, OF_EARLIER_LISTS, hint), ...unprovenFindings(unproven)];
}

/**
 * Turns the stops `ambiguous_dates` and `no_status` of an import into warnings: an enrollment writes no dates, and
 * skips people without a status. `no_status` still stops if a column may say who opted out, or if another input may
 * subscribe people of this one, because then svc does not skip them (C4). It also stops if svc would skip all people.
 * For example, one note `do not email` makes svc skip all other people of a list without a status (M1).
 */
function adjustForEnrolling({ survey: { findings, rows }, enrollable }: EnrollCheckContext): readonly Finding[] {
  const enrollsNoPerson = enrollable === 0 && (rows.skipped.no_status ?? 0) > 0;
  const isWarning = (finding: Finding) =>
    finding.check === 'ambiguous_dates' ||
    (finding.check === 'no_status' && !enrollsNoPerson && !finding.hasStatesElsewhere);
  return findings.map((finding) =>
    finding.level === 'stop' && !offersColumn(finding) && isWarning(finding) ? { ...finding, level: 'warn' } : finding,
  );
}

function keyOf(context: EnrollCheckContext): Finding {
  return context.automation
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : keyFinding(context);
}

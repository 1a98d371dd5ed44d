import type { Finding } from '../../base/finding.ts';
import {
  accountPlanCapFinding,
  audienceFinding,
  importedBeforeFindings,
  keyFinding,
  newFieldsFinding,
  topicFindings,
  unfinishedListFindings,
} from './account.ts';
import { automationsFinding } from './automations.ts';
import type { CheckContext } from './check-context.ts';
import { consentEndFindings, futureOptOutFindings } from './consent-ends.ts';
import { failuresFinding, unreadOptOutFindings } from './failures.ts';
import { notSuppressedFindings, skippedPeopleFindings } from './held-back.ts';
import { deletedPeopleFindings } from './repeated-list/deleted-people.ts';
import { lostLedgerFindings } from './repeated-list/lost-ledger.ts';
import { manyOptOutsFindings } from './repeated-list/many-opt-outs.ts';
import { missingPeopleFindings } from './repeated-list/missing-people.ts';
import { movedPeopleFindings } from './repeated-list/moved-people.ts';
import { newerListFindings, onlyChangedFindings } from './repeated-list/only-changed.ts';
import { stayOptedOutFindings } from './repeated-list/stay-opted-out.ts';
import { replacedAudienceFindings } from './replaced-audience.ts';
import { forSuppressions, nothingSuppressedFindings } from './suppressions.ts';

/**
 * The checks that need the plan or the account. Checks that need only the list are made by the survey. Two further
 * checks of the plan are in `unwantedMailFindings`.
 */
const CHECKS: readonly ((context: CheckContext) => Finding | readonly Finding[])[] = [
  notSuppressedFindings,
  skippedPeopleFindings,
  nothingSuppressedFindings,
  keyFinding,
  audienceFinding,
  failuresFinding,
  newFieldsFinding,
  topicFindings,
  automationsFinding,
  accountPlanCapFinding,
  lostLedgerFindings,
  futureOptOutFindings,
  stayOptedOutFindings,
  deletedPeopleFindings,
  replacedAudienceFindings,
  importedBeforeFindings,
  unfinishedListFindings,
  onlyChangedFindings,
  newerListFindings,
  missingPeopleFindings,
  manyOptOutsFindings,
  movedPeopleFindings,
];

/** Runs all checks. Returns the findings of survey and plan: stops first, then warnings. */
export function runChecks(context: CheckContext): Finding[] {
  const ofList = context.survey.findings.map((finding) => forSuppressions(finding, context.options, context.survey));
  const [first, others] = [
    ofList.filter(isMissingStatusWarning),
    ofList.filter((finding) => !isMissingStatusWarning(finding)),
  ];
  return sortFindings([
    ...unwantedMailFindings(context),
    ...first,
    ...others,
    ...CHECKS.flatMap((check) => check(context)),
  ]);
}

// True for a warning about an input that states no status. These warnings come first, because a short plan shows only
// the first warnings.
function isMissingStatusWarning({ check, level }: Finding): boolean {
  return check === 'no_status' && level === 'warn';
}

/** Findings about people who would get mail although they opted out, or although their consent has ended. */
export function unwantedMailFindings(context: CheckContext): readonly Finding[] {
  return [...unreadOptOutFindings(context), ...consentEndFindings(context)];
}

/** Sorts findings by level: stops first, skipped checks last. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const order = ['stop', 'warn', 'pass', 'skipped'];
  return findings.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

import type { Finding } from '../../base/finding.ts';
import { addToCount, type RowPosition, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { AccountSnapshot } from '../../migrate/account/account-snapshot.ts';
import { refusalOutcomes } from '../../migrate/compare/look-up.ts';
import { countNewPeople, estimateSeconds, newFieldsOf } from '../../migrate/draft/plan.ts';
import { tryAccount } from '../../run-lifecycle/data/run-context.ts';
import type { Plan } from '../../run-lifecycle/data/run-report.ts';
import { withWholeCommands } from '../../run-lifecycle/stops/commands-for-stops.ts';
import { latestStart } from '../../runs/store/run-header.ts';
import { ENROLLED_BEFORE, type EnrollmentRecords, personOutcomeOf } from '../records/enrollment-records.ts';
import type { OpenEnrollment } from './automation.ts';
import { enrollFindings } from './checks/enrollment-findings.ts';
import { importedIntoFindings } from './checks/imported-into.ts';
import { relativeStateFolderFindings } from './checks/relative-state-folder.ts';
import { runOfUnknown } from './checks/unknown-before.ts';
import { contactItems, findReplaced, snapshotOf, surveyOfContacts } from './contacts-to-write.ts';
import { findEarlierWrite } from './earlier-write.ts';
import { contactOptions } from './enroll-options.ts';
import { type EnrollmentList, enrollablePeople, surveyEnrollmentList } from './enrollment-list.ts';
import { createRowSet } from './row-set.ts';
import { findUnwritten, type UnwrittenPeople } from './unwritten-people.ts';

/** The surveyed list, the account snapshot, the plan and its findings, before the first write. */
export interface EnrollDraft extends EnrollmentList {
  /** What svc read from the account. Undefined without --create-contacts, or if the account was not queried. */
  readonly snapshot: AccountSnapshot | undefined;
  /** The survey of the contacts to write. Here only these people count as contacts. */
  readonly contactSurvey: Survey;
  /** The number of people who are skipped, because another run enrolled them or may have enrolled them. */
  readonly enrolledBefore: number;
  /** True for the row of a person whom another run enrolled or may have enrolled. */
  readonly wasEnrolledBefore: (row: RowPosition) => boolean;
  /** The people whom svc does not write as contacts, and the people whom it looked up. */
  readonly unwritten: UnwrittenPeople;
  /** The number of people who are skipped, because they were deleted in the app since an earlier run wrote them. */
  readonly deletedSince: number;
  /** True for the row of a person who counts in `deletedSince`. */
  readonly wasDeleted: (row: RowPosition) => boolean;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list again, and yields the contacts to write. */
  readonly contactItems: () => AsyncIterable<ContactItem>;
}

/** Reads the list and the account, and makes the plan and its findings. Sends nothing. */
export async function draftEnrollment(run: OpenEnrollment): Promise<EnrollDraft> {
  const { options, automationTarget, records, signal } = run;
  const listed = await surveyEnrollmentList(run);
  run.emit({ type: 'phase', phase: 'plan' });
  const { notBefore, before, unknownBefore } = await countEnrollees(records, listed, signal);
  const unwritten = await findUnwritten(run, listed, before);
  // Another run may have enrolled a person since this run found that the person was deleted.
  const deleted = unwritten.deleted.filter((row) => !before.rows.has(row));
  const deletedRows = createRowSet();
  deleted.forEach(deletedRows.add);
  const toEnroll = notBefore - deleted.length;
  const items = () => contactItems(listed, unwritten, signal);
  const contactSurvey = await surveyOfContacts(listed, unwritten, items);
  const replacedAudience = findReplaced(run);
  const { snapshot, accountProblem } = await tryAccount(options, run, async ({ account, accountProblem }) => ({
    accountProblem,
    snapshot: await snapshotOf({ ...run, account }, contactSurvey, replacedAudience),
  }));
  const newFields = options.createContacts ? newFieldsOf(contactSurvey, snapshot) : [];
  const otherAutomations = snapshot?.joinAutomations.filter(({ id }) => id !== automationTarget?.automation.id) ?? [];
  const checked = enrollFindings({
    survey: contactSurvey,
    enrollable: listed.survey.enrollable,
    // The check of join automations is for other automations. The automation to enroll in has its own check,
    // `automationFinding`.
    snapshot: snapshot && { ...snapshot, joinAutomations: otherAutomations },
    accountProblem,
    earlierImport: findEarlierWrite(run),
    unfinishedLists: [],
    ledgerCounts: undefined,
    earlierAudience: undefined,
    replacedAudience,
    lostLedgerHints: undefined,
    checkCommand: undefined,
    fullCommand: undefined,
    options: contactOptions(options, automationTarget?.audience.id),
    knownPeople: unwritten,
    newPeople: await countNewPeople(snapshot, contactSurvey, items),
    newFields,
    createsAudience: false,
    startedAt: latestStart(run.journal.header),
    automation: automationTarget?.automation,
    createContacts: options.createContacts,
    unknownBefore,
    stateFolderFindings: relativeStateFolderFindings(run, automationTarget?.automation.id),
    importedInto: importedIntoFindings(run, automationTarget?.automation, toEnroll),
  });
  const plan = planOf(run, contactSurvey, toEnroll, newFields);
  const findings = withWholeCommands(checked, run.commandWith);
  return {
    ...{ ...listed, snapshot, contactSurvey, unwritten, plan, findings },
    enrolledBefore: before.count,
    wasEnrolledBefore: before.rows.has,
    deletedSince: deleted.length,
    wasDeleted: deletedRows.has,
    contactItems: items,
  };
}

/**
 * Corrects `enrolledBefore` after contacts were written. A person who was enrolled before, and is now refused as a
 * contact, counts only as refused. Does not read the list again, so that a Ctrl-C ends the run at once (D4).
 */
export function recountEnrolledBefore(drafted: EnrollDraft, records: EnrollmentRecords | undefined): EnrollDraft {
  if (!records || drafted.enrolledBefore === 0) {
    return drafted;
  }
  const refused = [...refusalOutcomes(records.journal).values()].filter(drafted.wasEnrolledBefore);
  return { ...drafted, enrolledBefore: drafted.enrolledBefore - refused.length };
}

/** Counts the people whom another run enrolled or may have enrolled, and the others. */
async function countEnrollees(records: EnrollmentRecords | undefined, listed: EnrollmentList, signal: AbortSignal) {
  const refused = records ? refusalOutcomes(records.journal) : new Map<string, never>();
  const rowsBefore = createRowSet();
  let notBefore = 0;
  let enrolledBefore = 0;
  const unknownBefore = new Map<string, number>();
  for await (const person of enrollablePeople(listed, signal)) {
    if (!records || personOutcomeOf(records, person).kind !== ENROLLED_BEFORE) {
      notBefore += 1;
    } else if (!refused.has(rowKey(person))) {
      rowsBefore.add(person);
      enrolledBefore += 1;
      const run = runOfUnknown(records, person);
      if (run !== undefined) {
        addToCount(unknownBefore, run, 1);
      }
    }
  }
  return { notBefore, before: { rows: rowsBefore, count: enrolledBefore }, unknownBefore };
}

// Requests in the plan, besides one for each person and each batch. `enroll`: reads of the automation and its audience.
// `contacts`: the canary, and the reads before and after the contacts.
const FURTHER_REQUESTS = { enroll: 3, contacts: 10 } as const;

/** The plan. `peopleCount` is the number of people to enroll. */
function planOf(run: OpenEnrollment, survey: Survey, peopleCount: number, newFields: readonly string[]): Plan {
  const { options, rateLimits } = run;
  const writesContacts = options.createContacts;
  const batches = writesContacts ? survey.batches : 0;
  const requests = peopleCount + batches + FURTHER_REQUESTS.enroll + (writesContacts ? FURTHER_REQUESTS.contacts : 0);
  return {
    suppressions: {},
    contacts: writesContacts ? survey.contacts : 0,
    unsubscribed: 0,
    batches,
    requests,
    estimated_seconds: estimateSeconds(requests, rateLimits),
    keys: writesContacts ? survey.keys : {},
    new_fields: newFields,
    enrollments: peopleCount,
  };
}

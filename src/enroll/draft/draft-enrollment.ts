import type { Finding } from '../../base/finding.ts';
import { type BitSet, createBitSet } from '../../base/lib/bit-set.ts';
import { addToCount, type RowPosition, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { rereadContacts } from '../../import/batch/reread-list.ts';
import { offersColumn } from '../../import/survey/checks/status-candidates.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { type AccountSnapshot, fetchSnapshot } from '../../migrate/account/account-snapshot.ts';
import { keyFinding } from '../../migrate/checks/account.ts';
import { runChecks, sortFindings, unwantedMailFindings } from '../../migrate/checks/all-checks.ts';
import type { CheckContext } from '../../migrate/checks/check-context.ts';
import { failuresFinding } from '../../migrate/checks/failures.ts';
import { refusalOutcomes } from '../../migrate/compare/look-up.ts';
import { withWholeCommands } from '../../migrate/plan/commands-for-stops.ts';
import { countNewPeople, estimateSeconds, newFieldsOf } from '../../migrate/plan/plan.ts';
import { type OpenRun, tryAccount } from '../../migrate/run-data/run-context.ts';
import type { Plan } from '../../migrate/run-data/run-report.ts';
import { audienceDeletedError } from '../../migrate/run-import.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { findLastWriteOfList } from '../../runs/find/matching-run.ts';
import { findReplacedAudience, type NamedAudience } from '../../runs/find/same-audience.ts';
import { findLedgerOfSameName } from '../../runs/open-contact-ledger.ts';
import { LIMITS } from '../../wire/limits.ts';
import { lookAlikeKeys, personKey } from '../../wire/person-key.ts';
import type { Automation } from '../../wire/shapes.ts';
import { type AutomationTarget, automationFinding } from './automation.ts';
import { type EnrollmentList, enrollablePeople, surveyEnrollmentList } from './enrollment-list.ts';
import { ENROLLED_BEFORE, type EnrollmentRecords, personOutcomeOf } from './enrollment-records.ts';
import { importedIntoFindings } from './imported-into.ts';
import { contactOptions, type EnrollOptions } from './options.ts';
import { relativeStateFolderFindings } from './relative-state-folder.ts';
import { runOfUnknown, unknownBeforeFindings } from './unknown-before.ts';

/** The surveyed list, the account snapshot, the plan and its findings, before the first write. */
export interface EnrollDraft extends EnrollmentList {
  /** What svc read from the account. Undefined without --create-contacts, or if the account was not queried. */
  readonly snapshot: AccountSnapshot | undefined;
  /** The survey of the same list as an import would make it. People to enroll count as contacts to write. */
  readonly contactSurvey: Survey;
  /** The number of people who are skipped, because another run enrolled them or may have enrolled them. */
  readonly enrolledBefore: number;
  /** True for the row of a person whom another run enrolled or may have enrolled. */
  readonly wasEnrolledBefore: (row: RowPosition) => boolean;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list again, and yields the people to enroll as contacts to write. */
  readonly contactItems: () => AsyncIterable<ContactItem>;
}

/** An open run of an enrollment. `automationTarget` and `records` are undefined if the account is not queried. */
export interface OpenEnrollment extends OpenRun<EnrollOptions> {
  readonly automationTarget: AutomationTarget | undefined;
  readonly records: EnrollmentRecords | undefined;
}

/** Reads the list and the account, and makes the plan and its findings. Sends nothing. */
export async function draftEnrollment(run: OpenEnrollment): Promise<EnrollDraft> {
  const { options, automationTarget, records, signal } = run;
  const listed = await surveyEnrollmentList(run);
  run.emit({ type: 'phase', phase: 'plan' });
  const { toEnroll, enrolledBefore, wasEnrolledBefore, unknownBefore } = await countEnrollees(records, listed, signal);
  const contactSurvey = surveyOfContacts(listed);
  const { snapshot, accountProblem } = await tryAccount(options, run, async ({ account, accountProblem }) => ({
    accountProblem,
    snapshot: await snapshotOf({ ...run, account }, contactSurvey),
  }));
  const items = () => contactItems(listed, signal);
  const newFields = options.createContacts ? newFieldsOf(contactSurvey, snapshot) : [];
  const otherAutomations = snapshot?.joinAutomations.filter(({ id }) => id !== automationTarget?.automation.id) ?? [];
  const checked = enrollFindings({
    survey: contactSurvey,
    // The check of join automations is for other automations. The automation to enroll in has its own check,
    // `automationFinding`.
    snapshot: snapshot && { ...snapshot, joinAutomations: otherAutomations },
    accountProblem,
    earlierFinishedRun: findEarlierWrite(run),
    unfinishedLists: [],
    ledgerCounts: undefined,
    earlierAudience: undefined,
    replacedAudience: findReplaced(run),
    lostLedgerHints: undefined,
    checkCommand: undefined,
    fullCommand: undefined,
    options: contactOptions(options, automationTarget?.audience.id),
    newPeople: await countNewPeople(snapshot, contactSurvey, items),
    newFields,
    createsAudience: false,
    startedAt: run.journal.header.startedAt,
    automation: automationTarget?.automation,
    createContacts: options.createContacts,
    unknownBefore,
    stateFolderFindings: relativeStateFolderFindings(run, automationTarget?.automation.id),
    importedInto: importedIntoFindings(run, automationTarget?.automation, toEnroll),
  });
  const plan = planOf(run, contactSurvey, toEnroll, newFields);
  const findings = withWholeCommands(checked, run.commandWith);
  return { ...listed, snapshot, contactSurvey, enrolledBefore, wasEnrolledBefore, plan, findings, contactItems: items };
}

/** The id of a finished run, or import, that wrote this list to the audience. */
function findEarlierWrite({ options, resumed, automationTarget, stateFolder, journal }: OpenEnrollment) {
  return resumed || !options.createContacts || !automationTarget
    ? undefined
    : findLastWriteOfList(listReadableRuns(stateFolder), journal.header, automationTarget.audience.id)?.run;
}

/** Another audience with the name of this automation's audience, to which a list was sent. */
function findReplaced({ stateFolder, journal, automationTarget }: OpenEnrollment) {
  const { run, origin } = journal.header;
  const audience = automationTarget && { ...automationTarget.audience, origin };
  const findByLedger = (named: NamedAudience) => findLedgerOfSameName(stateFolder, named);
  return audience && findReplacedAudience(stateFolder, run, audience, { findByLedger });
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

/** Counts the people to enroll, and the people whom another run enrolled or may have enrolled. */
async function countEnrollees(records: EnrollmentRecords | undefined, listed: EnrollmentList, signal: AbortSignal) {
  const refused = records ? refusalOutcomes(records.journal) : new Map<string, never>();
  const linesBefore = new Map<number, BitSet>();
  let toEnroll = 0;
  let enrolledBefore = 0;
  const unknownBefore = new Map<string, number>();
  for await (const person of enrollablePeople(listed, signal)) {
    if (!records || personOutcomeOf(records, person).kind !== ENROLLED_BEFORE) {
      toEnroll += 1;
    } else if (!refused.has(rowKey(person))) {
      const { source, line } = person;
      const enrolledLines = linesBefore.get(source) ?? createBitSet();
      enrolledLines.add(line);
      linesBefore.set(source, enrolledLines);
      enrolledBefore += 1;
      const run = runOfUnknown(records, person);
      if (run !== undefined) {
        addToCount(unknownBefore, run, 1);
      }
    }
  }
  const wasEnrolledBefore = ({ source, line }: RowPosition) => linesBefore.get(source)?.has(line) === true;
  return { toEnroll, enrolledBefore, wasEnrolledBefore, unknownBefore };
}

/** The survey of the contacts to write. It knows the people of --email too, so svc finds their opt-outs (C1). */
function surveyOfContacts({ survey, emailFlag }: EnrollmentList): Survey {
  const emails = emailFlag.people.map(({ email }) => email);
  const keys = new Set(emails.map(personKey));
  const count = survey.enrollable + emails.length;
  return {
    ...survey,
    ...{ contacts: count, unsubscribed: 0, batches: Math.ceil(count / LIMITS.batchItems) },
    mayContain: (email) => survey.mayContain(email) || keys.has(personKey(email)),
    ambiguousAddresses: survey.ambiguousAddresses + lookAlikeKeys(emails).size,
  };
}

function snapshotOf(run: OpenEnrollment, survey: Survey): Promise<AccountSnapshot | undefined> {
  const { options, automationTarget, account, signal, clock } = run;
  if (!options.createContacts || !account || !automationTarget) {
    return Promise.resolve(undefined);
  }
  const { audience } = automationTarget;
  const question = { target: audience, survey, options: contactOptions(options, audience.id) };
  return fetchSnapshot({ client: account.client, signal, clock }, question).catch((error: unknown) => {
    throw audienceDeletedError(error);
  });
}

/** The contacts to write: only the people to enroll, and without a status (C1). */
async function* contactItems(
  { survey, people, emailFlag }: EnrollmentList,
  signal: AbortSignal,
): AsyncGenerator<ContactItem> {
  for await (const item of rereadContacts({ survey, people }, { signal })) {
    if (item.contact.status === undefined) {
      yield item;
    }
  }
  for (const { source, line, email } of emailFlag.people) {
    yield { source, line, contact: { email } };
  }
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

/** What the checks of an enrollment may look at: the check context of an import, and the automation. */
interface EnrollCheckContext extends CheckContext {
  /** The automation to enroll in. Undefined if the account was not queried. */
  readonly automation: Automation | undefined;
  readonly createContacts: boolean;
  /** For each earlier run: the people who are left out, because their outcome there is unknown. */
  readonly unknownBefore: ReadonlyMap<string, number>;
  readonly stateFolderFindings: readonly Finding[];
  /** The finding about people for whom an import started the automation. */
  readonly importedInto: readonly Finding[];
}

/** All findings, stops first. Checks of the audience run only if contacts are written (M7). */
function enrollFindings(context: EnrollCheckContext): Finding[] {
  // An enrollment never enrolls people whom the list suppresses, so the checks leave them out.
  const survey = { ...context.survey, suppressions: {}, findings: context.survey.findings.map(adjustForEnrolling) };
  const findings = context.createContacts
    ? runChecks({ ...context, survey })
    : [...unwantedMailFindings(context), ...survey.findings, keyOf(context), failuresFinding(context)];
  const records = [...context.stateFolderFindings, ...unknownBeforeFindings(context.unknownBefore)];
  return sortFindings([automationFinding(context), ...context.importedInto, ...records, ...findings]);
}

/**
 * Turns two stops of an import into warnings, because an enrollment skips people without a status and writes no dates.
 * If a column may say who opted out, the stop stays: without an answer, no person would be enrolled.
 */
function adjustForEnrolling(finding: Finding): Finding {
  const stops = finding.level === 'stop' && !offersColumn(finding);
  return stops && ['no_status', 'ambiguous_dates'].includes(finding.check) ? { ...finding, level: 'warn' } : finding;
}

function keyOf(context: EnrollCheckContext): Finding {
  return context.automation
    ? { check: 'key', level: 'pass', message: 'the key reads this account' }
    : keyFinding(context);
}

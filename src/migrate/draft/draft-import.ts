import type { Finding } from '../../base/finding.ts';
import type { PositionSet } from '../../base/lib/bit-set.ts';
import { type Batches, type BatchSource, batchesOf } from '../../import/batch/batches.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { type ListThread, withListThread } from '../../import/batch/list-thread.ts';
import { finalizedTablesOf, rereadContacts } from '../../import/batch/reread-list.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import { openInputs } from '../../import/source/open-inputs.ts';
import { surveySources } from '../../import/survey/survey.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import { findLedgerOfSameName } from '../../ledgers/open-contact-ledger.ts';
import { type OpenRun, recordedRandomHex, tryAccount } from '../../run-lifecycle/data/run-context.ts';
import { type AudienceTarget, type RunOptions, writeKindsOf } from '../../run-lifecycle/data/run-options.ts';
import type { Plan } from '../../run-lifecycle/data/run-report.ts';
import type { RunLocks } from '../../run-lifecycle/open/locks.ts';
import { withWholeCommands } from '../../run-lifecycle/stops/commands-for-stops.ts';
import { findUnfinishedLists } from '../../runs/find/overtaken.ts';
import { findEarlierAudience, findReplacedAudience, type NamedAudience } from '../../runs/find/same-audience.ts';
import { openPeopleTables, type People } from '../../runs/people/people.ts';
import { latestStart } from '../../runs/store/run-header.ts';
import { type AccountSnapshot, fetchSnapshot } from '../account/account-snapshot.ts';
import { writingRunOf } from '../audience/target.ts';
import type { CheckContext } from '../checks/check-context.ts';
import { runChecks } from '../checks/plan-checks.ts';
import { checkCommandOf, goOnHint, leaversHint } from '../checks/repeated-list/lost-ledger.ts';
import type { LedgerComparison } from '../contact-ledger/compare-ledger.ts';
import { countMissingOptOuts } from '../contact-ledger/people/named-addresses.ts';
import { findLedgerComparison, withoutUnchanged } from './find-ledger-comparison.ts';
import { assemblePlan, countNewPeople, newFieldsOf } from './plan.ts';

export interface OpenImport extends OpenRun {
  /** The audience to write to. Undefined if the account was not queried, or no contacts are written. */
  readonly target: AudienceTarget | undefined;
  readonly locks: RunLocks;
  readonly listThread: ListThread;
}

/** The survey, the account snapshot, the plan and its findings, before the first write. */
export interface ImportDraft {
  readonly survey: RereadableSurvey;
  readonly people: People;
  /** What svc read from the account. Undefined if the account was not queried. */
  readonly snapshot: AccountSnapshot | undefined;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list again, and yields each person to write as a contact. */
  readonly contactItems: () => AsyncIterable<ContactItem>;
  /** The people of `contactItems` in batches, as they are sent. */
  readonly batches: Batches;
  readonly ledgerComparison: LedgerComparison | undefined;
}

/** Reads the list, then the account, and makes the plan and its findings from both. Writes nothing to the service. */
export async function draftImport(run: OpenImport): Promise<ImportDraft> {
  const { options, target, signal } = run;
  const surveyed = await surveyInputs(run, options.reading);
  const { people } = surveyed;
  const ledgerComparison = await findLedgerComparison({ ...run, seed: seedOf(run) }, surveyed);
  const survey = withoutUnchanged(surveyed.survey, ledgerComparison);
  run.emit({ type: 'phase', phase: 'plan' });
  const unchanged = ledgerComparison?.unchanged;
  const batches = batchesOf(batchSource(run, surveyed, unchanged));
  if (!options.dryRun) {
    batches.prepare();
  }
  const audience = target?.kind === 'found' ? target.audience : undefined;
  const writesContacts = writeKindsOf(options.command).writesContacts;
  const { journal } = run;
  const { destination, origin } = journal.header;
  const findByLedger = (named: NamedAudience) => findLedgerOfSameName(run.stateFolder, named);
  const replaced =
    writesContacts && destination
      ? findReplacedAudience(run.stateFolder, journal.run, { ...destination, origin }, { findByLedger })
      : undefined;
  const { snapshot, accountProblem } = await tryAccount(options, run, async ({ account, clock, accountProblem }) => ({
    accountProblem,
    snapshot:
      account &&
      (await fetchSnapshot({ client: account.client, signal, clock }, { target: audience, replaced, survey, options })),
  }));
  const contactItems = () => rereadContacts({ survey, people }, { signal, unchanged });
  const checked = runChecks({
    survey: writesContacts ? survey : { ...survey, contacts: 0 },
    snapshot,
    accountProblem,
    earlierImport: run.findEarlierRun(),
    unfinishedLists: audience
      ? findUnfinishedLists(run.stateFolder, writingRunOf(run.journal.header, audience.id))
      : [],
    options,
    startedAt: latestStart(run.journal.header),
    newPeople: writesContacts ? await countNewPeople(snapshot, survey, contactItems) : 0,
    newFields: writesContacts ? newFieldsOf(survey, snapshot) : [],
    createsAudience: target?.kind === 'create',
    ledgerCounts: ledgerComparison?.counts,
    earlierAudience: findEarlierAudience(run.stateFolder, run.journal, findByLedger),
    replacedAudience: replaced,
    lostLedgerHints: lostLedgerHintsOf(run, ledgerComparison),
    checkCommand: audience && checkCommandOf(run, audience.id),
    fullCommand: run.commandWith?.('--full', ['--full']),
  });
  return {
    survey,
    people,
    snapshot,
    contactItems,
    ledgerComparison,
    batches,
    plan: assemblePlan({
      survey,
      snapshot,
      options,
      rateLimits: run.rateLimits,
      optOuts: countMissingOptOuts(options.changes, ledgerComparison?.counts),
      respelled: writeKindsOf(options.command).writesSuppressions ? people.otherSpellingCount() : 0,
    }),
    findings: withWholeCommands(checked, run.commandWith),
  };
}

function lostLedgerHintsOf(run: OpenImport, comparison: LedgerComparison | undefined): CheckContext['lostLedgerHints'] {
  const lost = comparison?.counts.lost;
  return lost && run.target?.kind === 'found'
    ? {
        goOn: goOnHint(run, lost, run.target.audience.id),
        leavers: leaversHint(run, lost, run.target.audience.id),
      }
    : undefined;
}

/**
 * Surveys the list. If an address occurs in several rows, stores these rows in run.db and merges them into one person.
 */
async function surveyInputs(
  run: OpenRun<RunOptions> & { readonly listThread: ListThread },
  reading: ReadingOptions,
): Promise<Pick<ImportDraft, 'survey' | 'people'>> {
  const { journal, inputCopies, emit, signal, typedAnswers, listThread } = run;
  const people = openPeopleTables(journal.db);
  const sources = await openInputs(inputCopies.files);
  const context = { people, emit, signal, seed: seedOf(run), listThread };
  const survey = await surveySources(sources, reading, context, typedAnswers);
  run.noteOtherRejects(survey.tables);
  if (run.options.dryRun) {
    // A dry run makes no copies of its files, so it knows their hashes only after the survey.
    journal.amendHeader({ inputs: await inputCopies.record(survey.inputs) });
  }
  return { people, survey };
}

/** Surveys the list of a run that makes no batches, so the thread is closed after the survey. */
export function surveyWithoutBatches(
  run: OpenRun<RunOptions>,
  reading: ReadingOptions,
): Promise<Pick<ImportDraft, 'survey' | 'people'>> {
  return withListThread(run.signal, (listThread) => surveyInputs({ ...run, listThread }, reading));
}

function batchSource(
  run: OpenImport,
  { survey, people }: Pick<ImportDraft, 'survey' | 'people'>,
  unchanged: PositionSet | undefined,
): BatchSource {
  const { options, journal, signal, listThread: thread } = run;
  const location = {
    files: run.inputCopies.files,
    people: journal.files.db,
    options: options.reading,
    finalized: finalizedTablesOf(survey),
    seed: seedOf(run),
  };
  return { survey, people, location, contacts: survey.contacts, unchanged, size: options.batchSize, signal, thread };
}

/**
 * The key of the address hashes. It is random, so that no attacker can choose addresses with the same hash. A resume
 * uses the key of its run.
 */
function seedOf(run: Pick<OpenRun, 'journal' | 'randomHex'>): string {
  return recordedRandomHex(run, 'seed', 16);
}

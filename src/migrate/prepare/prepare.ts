import { type Batches, type BatchSource, batchesOf } from '../../import/batch/batches.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { contacts } from '../../import/batch/list-readers.ts';
import { finalizedOf } from '../../import/batch/reopen-list.ts';
import type { ReadingOptions } from '../../import/mapping/answers.ts';
import { openInputs } from '../../import/source/open.ts';
import type { Finding } from '../../import/survey/finding.ts';
import { survey } from '../../import/survey/survey.ts';
import type { Reading } from '../../import/survey/survey-types.ts';
import { createPeople, type People } from '../../runs/store/people.ts';
import type { Changes } from '../changes/compare-ledger.ts';
import { findChanges, withoutUnchanged } from '../changes/find-changes.ts';
import { optOutsOf } from '../changes/missing-people.ts';
import { runChecks } from '../checks/all-checks.ts';
import type { OpenRun } from '../context.ts';
import { type RunOptions, writesOf } from '../options.ts';
import { countNewPeople } from '../plan/new-people.ts';
import { assemblePlan, newFieldsOf } from '../plan/plan.ts';
import { withWholeCommands } from '../plan/whole-commands.ts';
import type { Plan } from '../types.ts';
import { recordedHex } from '../write-context.ts';
import { type AccountSnapshot, fetchSnapshot } from './account-snapshot.ts';
import { askAccount } from './ask-account.ts';
import type { RunLocks } from './locks.ts';
import type { Target } from './target.ts';

/** An open run of an import, with its audience. */
export interface OpenImport extends OpenRun {
  /** Undefined if the account was not asked, or no contacts are written. */
  readonly target: Target | undefined;
  readonly locks: RunLocks;
}

/** The surveyed list, the account snapshot, the plan and its findings, before the first write. */
export interface ImportDraft {
  readonly survey: Reading;
  readonly people: People;
  /** Undefined if the account was not asked. */
  readonly snapshot: AccountSnapshot | undefined;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list again and yields every person to write as a contact. */
  readonly items: () => AsyncIterable<ContactItem>;
  /** The people to write in batches, as they are sent. */
  readonly batches: Batches;
  /** Undefined without --only-changed. */
  readonly changes: Changes | undefined;
}

/** Reads the list, then the account, and makes the plan and its findings from both. Writes nothing to the service. */
export async function draftRun(run: OpenImport): Promise<ImportDraft> {
  const { options, target, signal } = run;
  const { survey: reading, people } = await readList(run, options.reading);
  const surveyed = { reading, people };
  const changes = await findChanges({ ...run, seed: seedOf(run) }, surveyed);
  const survey = withoutUnchanged(reading, changes);
  run.emit({ type: 'phase', phase: 'plan' });
  const audience = target?.kind === 'found' ? target.audience : undefined;
  const { snapshot, notAskedBecause } = await askAccount(options, run, async ({ account, clock, notAskedBecause }) => ({
    notAskedBecause,
    snapshot:
      account &&
      (await fetchSnapshot({ client: account.client, signal, clock }, { target: audience, survey, options })),
  }));
  const unchanged = changes?.unchanged;
  const items = () => contacts(survey, people, { signal, unchanged });
  const writesContacts = writesOf(options.command).contacts;
  const checked = runChecks({
    survey: writesContacts ? survey : { ...survey, contacts: 0 },
    snapshot,
    notAskedBecause,
    finishedBefore: run.finishedBefore,
    options,
    newPeople: writesContacts ? await countNewPeople(snapshot, survey, items) : 0,
    newFields: writesContacts ? newFieldsOf(survey, snapshot) : [],
    creates: target?.kind === 'create',
    changes: changes?.counts,
  });
  return {
    survey,
    people,
    snapshot,
    items,
    changes,
    batches: batchesOf({ ...batchSource(run, surveyed), unchanged }),
    plan: assemblePlan({
      survey,
      snapshot,
      options,
      budget: run.budget,
      optOuts: optOutsOf(options.changes, changes?.counts),
      respelled: writesOf(options.command).suppressions ? people.respelledCount() : 0,
    }),
    findings: withWholeCommands(checked, run.retype),
  };
}

/** Surveys the inputs of a run. Its journal stores the people who must be read a second time. */
export async function readList(
  run: OpenRun<RunOptions>,
  reading: ReadingOptions,
): Promise<Pick<ImportDraft, 'survey' | 'people'>> {
  const { journal, held, emit, signal } = run;
  const people = createPeople(journal.db);
  const sources = await openInputs(held.files);
  return { people, survey: await survey(sources, reading, { people, emit, signal, seed: seedOf(run) }) };
}

function batchSource(
  run: OpenImport,
  { reading, people }: { readonly reading: Reading; readonly people: People },
): BatchSource {
  const { options, journal, signal } = run;
  const place = {
    files: run.held.files,
    people: journal.files.db,
    options: options.reading,
    finalized: finalizedOf(reading),
    seed: seedOf(run),
  };
  return { reading, people, place, contacts: reading.contacts, size: options.batchSize, signal };
}

/** Address hashes have a seed, so that collisions cannot be made on purpose. A resume uses the seed of its run. */
function seedOf(run: Pick<OpenRun, 'journal' | 'randomHex'>): string {
  return recordedHex(run, 'seed', 16);
}

import type { Emit } from '../../base/events.ts';
import { type Batches, type BatchSource, batchesOf } from '../../import/batch/batches.ts';
import { contacts } from '../../import/batch/last-read.ts';
import { settledOf } from '../../import/batch/reopen-list.ts';
import { openInputs } from '../../import/source/open.ts';
import type { Reading } from '../../import/survey/reading.ts';
import { survey } from '../../import/survey/survey.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import type { ContactItem } from '../../import/types.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { createPeople, type People } from '../../runs/store/people.ts';
import { type Changes, findChanges, narrowed } from '../changes/find-changes.ts';
import { runChecks } from '../checks/list.ts';
import type { RunContext } from '../context.ts';
import { type ImportOptions, writesOf } from '../options.ts';
import { countNewPeople } from '../plan/new-people.ts';
import { assemblePlan, newFieldsOf } from '../plan/plan.ts';
import { withWholeCommands } from '../plan/whole-commands.ts';
import type { Plan } from '../types.ts';
import { type AccountSnapshot, fetchSnapshot } from './account-snapshot.ts';
import { askAccount } from './ask-account.ts';
import type { OpenedRun } from './open-run.ts';
import type { Target } from './target.ts';

/** Everything that svc knows before the first write. */
export interface Drafted {
  readonly survey: Reading;
  readonly people: People;
  /** Undefined if the account was not asked. */
  readonly facts: AccountSnapshot | undefined;
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Reads the list again and yields every person to write as a contact. */
  readonly items: () => AsyncIterable<ContactItem>;
  /** The same people in batches, as they are sent. */
  readonly batches: Batches;
  /** Undefined without --only-changed. */
  readonly changes: Changes | undefined;
}

interface Drafting {
  readonly options: ImportOptions;
  readonly outside: RunContext;
  readonly target: Target | undefined;
  readonly journal: Journal;
  readonly held: OpenedRun['held'];
  readonly emit: Emit;
  /** A finished run of the same list to the same place. */
  readonly finishedBefore?: string | undefined;
}

/** Reads the list, then the account, and makes the plan and its findings from both. Writes nothing to the service. */
export async function draftRun(run: Drafting): Promise<Drafted> {
  const { options, outside, target, emit } = run;
  const { signal } = outside.context;
  const { survey: whole, people } = await readList(run);
  const surveyed = { reading: whole, people };
  const changes = await findChanges({ ...run, seed: seedOf(run) }, surveyed);
  const read = narrowed(whole, changes);
  emit({ type: 'phase', phase: 'plan' });
  const found = target?.kind === 'found' ? target.audience : undefined;
  const { facts, unasked } = await askAccount(options, outside, async ({ account, unasked }) => ({
    unasked,
    facts:
      account &&
      (await fetchSnapshot({ client: account.client, ...outside.context }, { target: found, survey: read, options })),
  }));
  const unchanged = changes?.unchanged;
  const items = () => contacts(read, people, { signal, unchanged });
  const writesContacts = writesOf(options.command).contacts;
  const checked = runChecks({
    survey: writesContacts ? read : { ...read, contacts: 0 },
    facts,
    unasked,
    finishedBefore: run.finishedBefore,
    options,
    newPeople: writesContacts ? await countNewPeople(facts, read, items) : 0,
    newFields: writesContacts ? newFieldsOf(read, facts) : [],
    creates: target?.kind === 'create',
    changes: changes?.counts,
  });
  return {
    survey: read,
    people,
    facts,
    items,
    changes,
    batches: batchesOf({ ...batchSource(run, surveyed), unchanged }),
    plan: assemblePlan({ survey: read, facts, options, budget: outside.budget }),
    findings: withWholeCommands(checked, outside.retype),
  };
}

/** What reading a list needs. */
export interface ListReading {
  readonly options: Pick<ImportOptions, 'reading'>;
  readonly outside: RunContext;
  readonly journal: Journal;
  readonly held: OpenedRun['held'];
  readonly emit: Emit;
}

/** Surveys the inputs of a run. Its journal stores the people who must be read a second time. */
export async function readList(run: ListReading): Promise<Pick<Drafted, 'survey' | 'people'>> {
  const { options, outside, journal, held, emit } = run;
  const { signal } = outside.context;
  const people = createPeople(journal.db);
  const sources = await openInputs(held.files);
  return { people, survey: await survey(sources, options.reading, { people, emit, signal, seed: seedOf(run) }) };
}

function batchSource(
  run: Drafting,
  { reading, people }: { readonly reading: Reading; readonly people: People },
): BatchSource {
  const { options, outside, journal } = run;
  const place = {
    files: run.held.files,
    people: journal.files.db,
    options: options.reading,
    settled: settledOf(reading),
    seed: seedOf(run),
  };
  const { signal } = outside.context;
  return { reading, people, place, contacts: reading.contacts, size: options.batchSize, signal };
}

/** Address hashes have a seed, so that collisions cannot be made on purpose. A resume uses the seed of its run. */
function seedOf({ journal, outside }: ListReading): string {
  const recorded = journal.read('seed');
  if (typeof recorded === 'string') {
    return recorded;
  }
  const seed = outside.context.randomHex(32);
  journal.note('seed', seed);
  return seed;
}

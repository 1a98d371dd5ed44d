import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellArgument, terminalSafe } from '../../base/lib/text.ts';
import { describeChanges } from '../../import/source/input-changes.ts';
import { findLedgersOfName } from '../../ledgers/open-contact-ledger.ts';
import type { RunContext } from '../../run-lifecycle/data/run-context.ts';
import type { ImportOptions } from '../../run-lifecycle/data/run-options.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { commandToDelete } from '../../runs/find/run-status.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import { readRun } from '../../runs/store/open-journal.ts';
import type { Audience } from '../../wire/shapes.ts';
import { audienceIdLines } from './audience-lines.ts';

/** The audience that a run is about to create. */
interface NewAudience {
  readonly name: string;
  /** The run to resume. Undefined for a new run. */
  readonly resume: string | undefined;
}

/**
 * Throws if this machine sent a list to an audience of this name, and the account has that audience under another name
 * now. A second audience would not know who left the first one, so these people would be signed up again (C1).
 */
export async function refuseSecondAudience(
  { account, stateFolder, signal }: Pick<RunContext, 'account' | 'stateFolder' | 'signal'>,
  { name, resume }: NewAudience,
): Promise<void> {
  const writers = account && findWriters({ stateFolder, origin: account.origin }, name);
  if (!writers || writers.size === 0) {
    return;
  }
  const all = await Array.fromAsync(listAudiences(account.client, { signal }));
  const isRenamed = (other: Audience) => looseNameKey(other.name) !== looseNameKey(name);
  // The audience of the newest run comes first.
  const renamed = [...writers.keys()].flatMap((id) => all.filter((other) => other.id === id && isRenamed(other)));
  const [newest] = renamed;
  if (newest) {
    const writer = writers.get(newest.id) ?? 'this machine';
    const message = `no audience is named "${terminalSafe(name)}", but ${writer} sent a list to one of this name, which is now named "${terminalSafe(newest.name)}"`;
    const steps =
      resume === undefined ? stepsOf(renamed, name) : await stepsOfResume(renamed, name, { stateFolder, run: resume });
    throw new SvcError(EXIT.usage, 'audience', message, { hint: steps.join('\n') });
  }
}

/**
 * The ids of the audiences to which this machine sent a list under this name, each with its newest run. The run is
 * undefined if only a ledger shows the audience.
 */
function findWriters(
  { stateFolder, origin }: Pick<RunContext, 'stateFolder'> & { readonly origin: string },
  name: string,
): ReadonlyMap<string, string | undefined> {
  const writers = new Map<string, string | undefined>();
  for (const { run, destinationId = '', hasSent, header } of listReadableRuns(stateFolder)) {
    const isWriter = /^aud_/.test(destinationId) && hasSent === true && namesOf(header).includes(looseNameKey(name));
    if (isWriter && !writers.has(destinationId)) {
      writers.set(destinationId, run);
    }
  }
  for (const id of findLedgersOfName(stateFolder, { origin, name })) {
    writers.set(id, writers.get(id));
  }
  return writers;
}

/** The names of a run's audience, as keys: the name that the service showed, and the one that the user gave. */
function namesOf(header: RunSummary['header']): string[] {
  const { target } = (header?.options ?? {}) as unknown as Partial<ImportOptions>;
  return [header?.destination?.name, target?.name].flatMap((name) => (name === undefined ? [] : looseNameKey(name)));
}

function stepsOf(renamed: readonly Audience[], name: string): string[] {
  return [
    `To write to ${renamed.length === 1 ? 'it' : 'one of them'}:`,
    audienceIdLines(renamed),
    ...creationSteps(name),
    'Then run the same command again.',
  ];
}

interface StoredRun extends Pick<RunContext, 'stateFolder'> {
  readonly run: string;
}

/** The steps for a run to resume, which created no audience. If its list has changed, a new run sends the list (D5). */
async function stepsOfResume(
  renamed: readonly Audience[],
  name: string,
  { stateFolder, run }: StoredRun,
): Promise<string[]> {
  const [inputs, deletion] = readRun(stateFolder, run, (journal) => [journal.header.inputs, commandToDelete(journal)]);
  const changes = await describeChanges(inputs);
  const which = renamed.length === 1 ? 'it' : 'one of them';
  return [
    changes.length === 0
      ? `To write to ${which}:`
      : `${changes.join(' ')} To write the list as it is now to ${which}, give it to a new run with:`,
    audienceIdLines(renamed),
    `Then: ${deletion}`,
    ...creationSteps(name),
    `Then: svc runs resume ${run}`,
  ];
}

function creationSteps(name: string): string[] {
  return [
    'To create a second audience, which does not know who left the first one:',
    `svc audiences create ${shellArgument(name)}`,
  ];
}

import { listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { looseNameKey, shellArgument, terminalSafe } from '../../base/lib/text.ts';
import { findLedgersOfName } from '../../ledgers/open-contact-ledger.ts';
import type { RunContext } from '../../run-lifecycle/data/run-context.ts';
import type { ImportOptions } from '../../run-lifecycle/data/run-options.ts';
import { listReadableRuns, type RunSummary } from '../../runs/find/list-runs.ts';
import type { Audience } from '../../wire/shapes.ts';
import { audienceIdLines } from './audience-lines.ts';

/** The audience that a run is about to create. */
interface NewAudience {
  readonly name: string;
  /** The run to resume. Undefined for a new run. */
  readonly resume: string | undefined;
}

/**
 * Throws if this machine wrote to an audience under this name, and the account has that audience under another name
 * now. A second audience would not know who left the first one, so these people would be signed up again (C1).
 */
export async function refuseSecondAudience(
  { account, stateFolder, signal }: Pick<RunContext, 'account' | 'stateFolder' | 'signal'>,
  audience: NewAudience,
): Promise<void> {
  const { name } = audience;
  const writers = account && findWriters({ stateFolder, origin: account.origin }, name);
  if (!writers || writers.size === 0) {
    return;
  }
  const all = await Array.fromAsync(listAudiences(account.client, { signal }));
  const isRenamed = (other: Audience) => looseNameKey(other.name) !== looseNameKey(name);
  // The audience to which the newest run wrote comes first.
  const renamed = [...writers.keys()].flatMap((id) => all.filter((other) => other.id === id && isRenamed(other)));
  const [newest] = renamed;
  if (newest) {
    throw renamedError(audience, renamed, `${writers.get(newest.id) ?? 'this machine'} wrote to`);
  }
}

/**
 * The ids of the audiences to which this machine wrote under this name, each with its newest run. The run is undefined
 * if only a ledger shows the audience.
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

/** The error about audiences that were renamed. `wrote` begins the part about the first one: `run_… wrote to`. */
function renamedError({ name, resume }: NewAudience, renamed: readonly Audience[], wrote: string): SvcError {
  const now = terminalSafe(renamed[0]?.name ?? '');
  const message = `no audience is named "${terminalSafe(name)}", but ${wrote} one of this name, which is now named "${now}"`;
  const hint = [
    `To write to ${renamed.length === 1 ? 'it' : 'one of them'}:\n${audienceIdLines(renamed)}`,
    ...(resume === undefined ? [] : [`Then: svc runs delete ${resume} --confirm ${resume}`]),
    'To create a second audience, which does not know who left the first one:',
    `svc audiences create ${shellArgument(name)}`,
    resume === undefined ? 'Then run the same command again.' : `Then: svc runs resume ${resume}`,
  ];
  return new SvcError(EXIT.usage, 'audience', message, { hint: hint.join('\n') });
}

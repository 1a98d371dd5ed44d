import type { Client } from '../../api/client.ts';
import { isNotFound } from '../../api/http/api-error.ts';
import { checkNewAudienceName, createAudience, getAudience, renameAudience } from '../../api/resources/audiences.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { toSvcError } from '../../base/os/storage-error.ts';
import { type NewAudienceRecord, refuseOpenCreation } from '../../migrate/audience/create-audience.ts';
import { findOthersOfName } from '../../migrate/audience/same-name.ts';
import { objectText } from '../../render/text/object.ts';
import { newAudienceLockName } from '../../run-lifecycle/open/locks.ts';
import { lockDestination } from '../../runs/store/lock.ts';
import { type CreationResult, createIdempotently } from '../../sending/create-idempotently.ts';
import type { CreationRun } from '../../sending/creation-record.ts';
import { readBackResource } from '../../sending/read-created.ts';
import type { Audience } from '../../wire/shapes.ts';
import { withCreationRun } from '../framework/creation-run.ts';
import { findId, noteChangedName, noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { commandToPaste } from '../framework/output/command-to-paste.ts';
import { print, writeNote } from '../framework/output/print.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';

/** The audience to create. The run stores it, so that a resume creates the same audience. */
export interface AudiencePlan {
  readonly name: string;
}

/** `svc audiences create`: creates the audience once, even if responses are lost, and reads it back (I4). */
export function createAudienceOnce(invocation: Invocation<unknown>): Promise<ExitCode> {
  return createOrResumeAudience(invocation, { name: checkNewAudienceName(invocation.args[0] ?? '') });
}

/** Creates the audience of `audiences create`. `resume` is the run to continue, if an earlier command began it. */
export async function createOrResumeAudience(
  invocation: Invocation<unknown>,
  { name }: AudiencePlan,
  resume?: string,
): Promise<ExitCode> {
  const creation = {
    command: 'audiences create',
    op: 'audience',
    options: { name },
    whereToCheck: 'svc audiences ls',
    resume,
  };
  const stateFolder = resolveStateFolder(invocation.context, invocation.settings);
  const { audience, kind } = await withAccount(invocation, (account) =>
    withCreationRun(creation, account, invocation, (run) =>
      whileNameLocked({ ...run, stateFolder, name, run: run.journal.run }, () =>
        createAndShow(run, invocation, { stateFolder, name }),
      ),
    ),
  );
  if (kind === 'created') {
    // Not after a replay, and not if an earlier process got the response, because the audience may have been renamed
    // since.
    requireWrittenAsAsked({ name }, audience, `svc audiences get ${shellWord(audience.id)}`);
  }
  return EXIT.ok;
}

interface NewAudience extends AudiencePlan {
  readonly stateFolder: string;
}

async function createAndShow(
  run: CreationRun,
  invocation: Invocation<unknown>,
  { stateFolder, name }: NewAudience,
): Promise<{ readonly audience: Audience; readonly kind: CreationResult<unknown, unknown>['kind'] }> {
  const { client, signal } = run;
  const { recorded, kind, response } = await createIdempotently<Audience, NewAudienceRecord>(run, {
    post: (sendOptions) => createAudience(client, name, sendOptions),
    record: ({ id, created_at }) => ({ id, created_at }),
    refuseOpen: () => refuseOpenCreation({ client, stateFolder, name, own: run.journal.run }),
  });
  const { id, created_at: createdAt } = recorded;
  const read = () => getAudience(client, id, { signal });
  const audience =
    kind === 'created'
      ? await readNew(read, response)
      : await readBackResource(run, { what: `audience ${id}`, read, createdAt });
  print(invocation, audience, objectText);
  if (kind !== 'created') {
    noteChangedName(name, audience, invocation);
  }
  await noteOthersOfName(audience, client, invocation);
  return { audience, kind };
}

/**
 * Reads the new audience. A service may show a new object seconds late, so a 404 does not prove that it was deleted. An
 * error about a deleted audience would make the user create a second one.
 */
async function readNew(read: () => Promise<Audience>, created: Audience): Promise<Audience> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) {
      return created;
    }
    throw error;
  }
}

/**
 * Writes a note if other audiences have this name. Reads the audiences after the creation, because another machine may
 * have used the name at the same time (L3). If the read fails, the note says so: the audience exists, so this is no
 * error. Ctrl-C still ends the command.
 */
async function noteOthersOfName({ id, name }: Audience, client: Client, invocation: Invocation<unknown>) {
  const { context } = invocation;
  try {
    noteSameName('audience', await findOthersToNote({ id, name }, client, invocation), invocation);
  } catch (error) {
    context.signal.throwIfAborted();
    const { message } = toSvcError(error);
    const list = commandToPaste(['audiences', 'ls'], invocation);
    const note = `svc could not read whether another audience has this name. See: ${list}. Cause: ${message}`;
    writeNote(context, note);
  }
}

/** Other audiences of this name, for a note. Empty with -q: it prints no notes, so svc saves the request. */
async function findOthersToNote(
  audience: Pick<Audience, 'id' | 'name'>,
  client: Client,
  { context, settings }: Invocation<unknown>,
): Promise<readonly Audience[]> {
  return settings.output.quiet ? [] : findOthersOfName({ client, signal: context.signal }, audience);
}

interface NameUser {
  readonly client: Client;
  readonly clock: Clock;
  readonly stateFolder: string;
  /** The name that the command gives to an audience. */
  readonly name: string;
  /** How the errors of other commands name this command: by the id of its run, or by its command line. */
  readonly run: string;
}

/**
 * Does `work` while no other command can give this name to an audience. Otherwise the account could get two audiences
 * with the name (I11).
 */
async function whileNameLocked<T>(
  { client, clock, stateFolder, name, run }: NameUser,
  work: () => Promise<T>,
): Promise<T> {
  const destination = `${client.origin}/${newAudienceLockName(name)}`;
  const hint = 'Wait until it ends. See: svc runs ls';
  const lock = await lockDestination(stateFolder, destination, { run, waitMs: 0, clock, hint });
  const unguard = client.addStateCheck(lock.problemIfLost);
  try {
    return await work();
  } finally {
    unguard();
    lock.release();
  }
}

/** `svc audiences rename`. Throws while another command may still create an audience with the new name (I11). */
export async function renameOneAudience(invocation: Invocation<unknown>): Promise<ExitCode> {
  const [given = '', name = ''] = invocation.args;
  checkNewAudienceName(name);
  const { signal, clock } = invocation.context;
  const stateFolder = resolveStateFolder(invocation.context, invocation.settings);
  const { audience, others } = await withAccount(invocation, async (account) => {
    const { client } = account;
    return whileNameLocked({ client, clock, stateFolder, name, run: 'svc audiences rename' }, async () => {
      const id = await findId('audience', given, account, invocation);
      const others = await findOthersToNote({ id, name }, client, invocation);
      // Called after the reads: it counts the age of a creation by the service's time, which only a response shows.
      refuseOpenCreation({ client, stateFolder, name });
      return { audience: await renameAudience(client, id, { name, signal }), others };
    });
  });
  print(invocation, audience, objectText);
  noteSameName('audience', others, invocation);
  requireWrittenAsAsked({ name }, audience, `svc audiences get ${shellWord(audience.id)}`);
  return EXIT.ok;
}

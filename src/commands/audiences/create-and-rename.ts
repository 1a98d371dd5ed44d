import { isNotFound } from '../../api/api-error.ts';
import type { Client } from '../../api/client.ts';
import { checkNewAudienceName, createAudience, getAudience, renameAudience } from '../../api/resources/audiences.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { toSvcError } from '../../base/os/storage-error.ts';
import { newAudienceLockName } from '../../migrate/prepare/locks.ts';
import { type NewAudienceRecord, refuseOpenCreation } from '../../migrate/write/create-audience.ts';
import { findOthersOfName } from '../../migrate/write/same-name.ts';
import { objectText } from '../../render/text/object.ts';
import { lockDestination } from '../../runs/lock.ts';
import { type CreationResult, createIdempotently } from '../../sending/create-idempotently.ts';
import type { CreationRun } from '../../sending/creation-record.ts';
import { readBackResource } from '../../sending/read-created.ts';
import type { Audience } from '../../wire/shapes.ts';
import { findId, noteChangedName, noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { commandToPaste } from '../framework/output/command-to-paste.ts';
import { print, writeNote } from '../framework/output/print.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { withCreationRun } from '../resumable-run/creation-run.ts';

/** The audience to create. The run stores it, so that a resume creates the same audience. */
export interface AudiencePlan {
  readonly name: string;
}

/** `svc audiences create`: creates the audience once, even if responses are lost, and reads it back (I4). */
export function createAudienceOnce(invocation: Invocation<unknown>): Promise<ExitCode> {
  return createOrResumeAudience(invocation, { name: checkNewAudienceName(invocation.args[0] ?? '') });
}

/** The body of `audiences create`. `resume` is the id of the run to resume. */
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
    // Skipped after a replay, because another person may have renamed the audience since.
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
 * Reads the new audience. A service may take seconds to show a new object, so a 404 does not mean that the audience was
 * deleted. The user would create a second one.
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
 * Writes a note about other audiences of this name. Reads them only after the creation, because another machine may
 * have used the name at the same time (L3). The audience exists, so a failed read is only a note. An interruption still
 * ends the command.
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

/**
 * Other audiences of this name. svc only writes a note about them. So with -q the result is empty, which saves the
 * request.
 */
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
  /** The name that an audience gets. */
  readonly name: string;
  /** The name of this command in the errors of other commands: the id of its run, or the command line. */
  readonly run: string;
}

/**
 * Does `work` while no other command can give an audience this name. Otherwise the account could have two audiences of
 * that name (I11).
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

/** `svc audiences rename`: refused while another command may create an audience of the new name (I11). */
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
      // Called after the reads, because the age of a creation is measured by the service's time.
      refuseOpenCreation({ client, stateFolder, name });
      return { audience: await renameAudience(client, id, { name, signal }), others };
    });
  });
  print(invocation, audience, objectText);
  noteSameName('audience', others, invocation);
  requireWrittenAsAsked({ name }, audience, `svc audiences get ${shellWord(audience.id)}`);
  return EXIT.ok;
}

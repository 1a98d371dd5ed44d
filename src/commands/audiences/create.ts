import { checkNewAudienceName, createAudience, getAudience } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { shellWord } from '../../base/lib/text.ts';
import { refuseOpenCreation } from '../../migrate/creation/create-audience.ts';
import { type CreationResult, createIdempotently } from '../../migrate/creation/create-idempotently.ts';
import type { CreationRun } from '../../migrate/creation/creation-record.ts';
import { readBackResource } from '../../migrate/creation/read-created.ts';
import { objectText } from '../../render/text/object.ts';
import type { Audience } from '../../wire/shapes.ts';
import { namedAlready, noteOtherName, noteSameName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { requireWrittenAsAsked } from '../framework/output/written-as-asked.ts';
import { withAccount } from '../framework/settings/account.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { withCreationRun } from '../resumable-run/creation-run.ts';
import { whileNameLocked } from './name-lock.ts';

/** The audience to create. The run stores it, so that a resume creates the same. */
export interface AudiencePlan {
  readonly name: string;
}

/** `svc audiences create`: creates the audience once, even if responses are lost, and reads it back (I4). */
export function createOne(invocation: Invocation<unknown>): Promise<ExitCode> {
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
    checkAt: 'svc audiences ls',
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
    // Not after a replay: another person may have renamed the audience since.
    requireWrittenAsAsked({ name }, audience, `svc audiences get ${shellWord(audience.id)}`);
  }
  return EXIT.ok;
}

interface Place extends AudiencePlan {
  readonly stateFolder: string;
}

async function createAndShow(
  run: CreationRun,
  invocation: Invocation<unknown>,
  { stateFolder, name }: Place,
): Promise<{ readonly audience: Audience; readonly kind: CreationResult<unknown, unknown>['kind'] }> {
  const { client, signal } = run;
  const same = await namedAlready('audience', name, client, invocation);
  const { recorded, kind } = await createIdempotently<Audience, Pick<Audience, 'id'>>(run, {
    post: (sendOptions) => createAudience(client, name, sendOptions),
    record: ({ id }) => ({ id }),
    refuseOpen: () => refuseOpenCreation({ client, stateFolder, name, own: run.journal.run }),
  });
  const { id } = recorded;
  const audience = await readBackResource(run, {
    what: `audience ${id}`,
    read: () => getAudience(client, id, { signal }),
  });
  print(invocation, audience, objectText);
  if (kind !== 'created') {
    noteOtherName(name, audience, invocation);
  }
  // After a lost response, the list of audiences already has the new one, so it is left out.
  noteSameName(
    'audience',
    same.filter((other) => other.id !== id),
    invocation,
  );
  return { audience, kind };
}

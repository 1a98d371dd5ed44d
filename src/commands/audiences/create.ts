import { checkAudienceName, createAudience, getAudience } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { createIdempotently, deletedSince, readBack } from '../../migrate/create-idempotently.ts';
import { objectText } from '../../render/text/object.ts';
import type { Audience } from '../../wire/shapes.ts';
import { requireCreated, withCreationRun } from '../creation-run.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { withAccount } from '../framework/settings/with-account.ts';

/** What an audience is made of, as its run keeps it. */
export interface AudiencePlan {
  readonly name: string;
}

/** `audiences create`: once, whatever happens to the answer, and read back before it counts (rule I4). */
export function createOne(invocation: Invocation<unknown>): Promise<ExitCode> {
  return makeAudience(invocation, { name: checkAudienceName(invocation.args[0] ?? '') });
}

/** Makes the audience of a plan, or goes on with a run that was to make it. */
export async function makeAudience(
  invocation: Invocation<unknown>,
  { name }: AudiencePlan,
  resume?: string,
): Promise<ExitCode> {
  const creation = { command: 'audiences create', op: 'audience', options: { name }, look: 'svc audiences ls', resume };
  await withAccount(invocation, (account) =>
    withCreationRun(creation, account, invocation, async (run) => {
      const { client, signal } = run;
      const result = await createIdempotently<Audience, Pick<Audience, 'id'>>(run, {
        post: (calling) => createAudience(client, name, calling),
        record: ({ id }) => ({ id }),
      });
      const { id } = requireCreated(result, { signal }).recorded;
      const audience = await readBack(run, () => getAudience(client, id, { signal }));
      if (!audience) {
        throw deletedSince(`audience ${id}`);
      }
      print(invocation, audience, objectText);
    }),
  );
  return EXIT.ok;
}

import { checkAudienceName, createAudience, getAudience } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { objectText } from '../../render/text/object.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print } from '../framework/output/print.ts';
import { stateOf } from '../framework/settings/state.ts';
import { withAccount } from '../framework/settings/with-account.ts';
import { readBack, writeOnce } from '../once.ts';

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
  const { context, settings } = invocation;
  const { signal } = context;
  const note = (message: string) => {
    context.stderr.write(settings.output.quiet ? '' : `note: ${message}\n`);
  };
  await withAccount(invocation, (account) => {
    const { client } = account;
    return writeOnce<Audience, Pick<Audience, 'id'>, void>(
      {
        command: 'audiences create',
        op: 'audience',
        options: { name },
        look: 'svc audiences ls',
        post: (keyed) => createAudience(client, name, { keyed, signal }),
        know: ({ id }) => ({ id }),
        keep: async ({ id }) => {
          print(invocation, await readBack(`audience ${id}`, () => getAudience(client, id, { signal })), objectText);
        },
      },
      { account, context, state: stateOf(context, settings), resume, note },
    );
  });
  return EXIT.ok;
}

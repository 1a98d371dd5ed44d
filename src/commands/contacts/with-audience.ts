import { SvcError } from '../../base/errors.ts';
import { EXIT } from '../../base/exit.ts';
import { checkTarget, findTarget } from '../../migrate/target.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Account } from '../account.ts';
import type { Invocation } from '../invocation.ts';
import { withAccount } from '../with-account.ts';

/** Which audience a command reads. */
export interface AudienceFlags {
  readonly audience?: string;
  readonly audienceName?: string;
}

/** Opens the account and finds the audience: by flag, profile, the only one there is, or by asking. */
export function withAudience<T>(
  invocation: Invocation<AudienceFlags>,
  use: (account: Account, audience: Audience) => Promise<T>,
): Promise<T> {
  const { flags, settings, context } = invocation;
  const id = flags.audience ?? (flags.audienceName === undefined ? settings.audience : undefined);
  const target = { id, name: flags.audienceName, create: false };
  checkTarget(target);
  const { prompter, signal } = context;
  const ask = prompter && context.stderr.isTTY ? (question: string) => prompter.ask(question) : undefined;
  return withAccount(invocation, async (account) => {
    const found = await findTarget({ client: account.client, signal, ask }, target);
    if (found.kind !== 'found') {
      throw new SvcError(EXIT.usage, 'audience', 'there is no such audience', { hint: 'See: svc audiences ls' });
    }
    return use(account, found.audience);
  });
}

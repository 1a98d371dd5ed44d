import type { Emit } from '../base/events.ts';
import { createPlainProgress } from '../render/plain-progress.ts';
import { type Account, openAccount } from './account.ts';
import type { Invocation } from './invocation.ts';

/** Opens the account for a short command, with `-v` lines on stderr, and closes it whatever happens. `watch` sees every event too. */
export async function withAccount<T>(
  invocation: Invocation<unknown>,
  use: (account: Account) => Promise<T>,
  watch?: Emit,
): Promise<T> {
  const { context, settings } = invocation;
  const { json, quiet, verbose } = settings.output;
  const { stderr, clock } = context;
  const progress = createPlainProgress({ stderr, clock, verbose, silent: quiet || json });
  const emit: Emit = (event) => {
    progress.emit(event);
    watch?.(event);
  };
  const account = await openAccount({ settings, context, emit });
  try {
    return await use(account);
  } finally {
    await account.close();
    progress.stop();
  }
}

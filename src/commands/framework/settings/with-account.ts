import type { Emit } from '../../../base/events.ts';
import { createProgress } from '../../../render/progress/progress.ts';
import type { Invocation } from '../invocation.ts';
import { type Account, openAccount } from './account.ts';

/**
 * What a short command shows besides its `-v` lines. `onEvent` gets every event. `bars` is for commands that may take
 * long.
 */
export interface Showing {
  readonly onEvent?: Emit;
  readonly bars?: boolean;
}

/** Opens the account for a short command, and closes it in every case. */
export async function withAccount<T>(
  invocation: Invocation<unknown>,
  use: (account: Account, emit: Emit) => Promise<T>,
  { onEvent, bars = false }: Showing = {},
): Promise<T> {
  const { context, settings } = invocation;
  const { stderr, clock, onEvent: alive } = context;
  const { output } = settings;
  const shown = { ...output, progress: bars && output.progress, color: output.color.stderr };
  const progress = createProgress({ ...shown, stderr, clock, onEvent: alive });
  const emit: Emit = (event) => {
    progress.emit(event);
    onEvent?.(event);
  };
  let account: Account | undefined;
  try {
    account = await openAccount({ settings, context, emit });
    return await use(account, emit);
  } finally {
    await account?.close();
    progress.stop();
  }
}

import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { RunContext } from '../context.ts';

/**
 * Runs `work` with the account. In a dry run, an account that does not answer, or refuses the key, is no problem: a dry
 * run ends with 0, 5 or 2. Then `work` runs without the account, and `unasked` gives the reason for the skipped checks.
 */
export async function askAccount<T>(
  { dryRun }: { readonly dryRun: boolean },
  context: RunContext,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  try {
    return await work(context);
  } catch (error) {
    if (!dryRun || !context.account || !isOfAccount(error) || context.signal.aborted) {
      throw error;
    }
    return work({ ...context, account: undefined, unasked: error.message });
  }
}

/** True if the key, the network or the service is the cause, not a flag. */
export function isOfAccount(error: unknown): error is SvcError {
  return error instanceof SvcError && CAUSES.includes(error.exit);
}

const CAUSES: readonly number[] = [EXIT.auth, EXIT.failed, EXIT.stopped, EXIT.later];

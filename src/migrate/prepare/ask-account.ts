import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { RunContext } from '../context.ts';

/**
 * Does what asks the account. In a dry run an account that doesn't answer, or not to this key, is no problem (cli: a dry run
 * ends 0, 5 or 2): the same is done without it, and `unasked` says why, for the checks that are skipped.
 */
export async function askAccount<T>(
  { dryRun }: { readonly dryRun: boolean },
  outside: RunContext,
  work: (outside: RunContext) => Promise<T>,
): Promise<T> {
  try {
    return await work(outside);
  } catch (error) {
    if (!dryRun || !outside.account || !isOfAccount(error) || outside.context.signal.aborted) {
      throw error;
    }
    return work({ ...outside, account: undefined, unasked: error.message });
  }
}

/** True where the key, the network or the service is the cause, and no flag. */
export function isOfAccount(error: unknown): error is SvcError {
  return error instanceof SvcError && CAUSES.includes(error.exit);
}

const CAUSES: readonly number[] = [EXIT.auth, EXIT.failed, EXIT.stopped, EXIT.later];

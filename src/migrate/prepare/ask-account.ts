import { listAutomations } from '../../api/resources/automations.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { plural } from '../../base/lib/text.ts';
import type { RunContext } from '../context.ts';
import type { ImportOptions } from '../options.ts';

/**
 * Runs `work` with the account. A dry run accepts an account that does not respond or refuses the key, because it ends
 * with 0, 5 or 2. Then `work` runs without the account, and `notAskedBecause` gives the reason for the skipped checks.
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
    return work({ ...context, account: undefined, notAskedBecause: error.message });
  }
}

/** True if the key, the network or the service is the cause, and not a flag. */
export function isOfAccount(error: unknown): error is SvcError {
  return error instanceof SvcError && CAUSES.includes(error.exit);
}

const CAUSES: readonly number[] = [EXIT.auth, EXIT.failed, EXIT.stopped, EXIT.later];

/**
 * Refuses an --allow-automation that names no automation of the account, archived ones included (O8). A typing mistake
 * must not count as an answer.
 */
export async function checkAllowedFlows(
  { allowAutomations }: Pick<ImportOptions, 'allowAutomations'>,
  { account, signal }: Pick<RunContext, 'account' | 'signal'>,
): Promise<void> {
  const missing = new Set(allowAutomations);
  for (const status of account ? [undefined, 'archived'] : []) {
    if (account && missing.size > 0) {
      for await (const { id } of listAutomations(account.client, { status, signal })) {
        missing.delete(id);
      }
    }
  }
  if (account && missing.size > 0) {
    throw new SvcError(
      EXIT.usage,
      'not_found',
      `--allow-automation: ${plural(missing.size, 'id')} not found with this key: ${[...missing].join(', ')}`,
      { hint: 'A wrong id, or the wrong key. See: svc automations ls' },
    );
  }
}

import { listAutomations } from '../../api/resources/automations.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { plural } from '../../base/lib/text.ts';
import type { RunContext } from '../context.ts';
import type { ImportOptions } from '../options.ts';

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

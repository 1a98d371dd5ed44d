import { listAutomations } from '../../api/resources/automations.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { automationsTable } from '../../render/lists/resources.ts';
import { AUTOMATION_STATUSES } from '../../wire/service-words.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkLsFlags, checkStatusWord, type LsFlags, pageSizeOf } from '../framework/output/ls-flags.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';

interface AutomationLsFlags extends LsFlags {
  readonly status?: string;
}

export async function printAutomations(invocation: Invocation<AutomationLsFlags>): Promise<ExitCode> {
  const { status } = invocation.flags;
  checkLsFlags(invocation);
  checkStatusWord(status, AUTOMATION_STATUSES, 'automations');
  const options = { status, limit: pageSizeOf(invocation), signal: invocation.context.signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAutomations(client, options), automationsTable),
  );
  return EXIT.ok;
}

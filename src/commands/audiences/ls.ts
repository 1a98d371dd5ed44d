import { getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { audiencesTable } from '../../render/lists/resources.ts';
import { objectText } from '../../render/text/object.ts';
import { findId } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { checkLsFlags, type LsFlags, pageSizeOf } from '../framework/output/ls-flags.ts';
import { print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';

export async function printAudiences(invocation: Invocation<LsFlags>): Promise<ExitCode> {
  checkLsFlags(invocation);
  const { clock, signal } = invocation.context;
  const options = { limit: pageSizeOf(invocation), signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAudiences(client, options), (shown, style) => audiencesTable(shown, clock.now(), style)),
  );
  return EXIT.ok;
}

export async function printAudience(invocation: Invocation<unknown>): Promise<ExitCode> {
  const audience = await withAccount(invocation, async (account) => {
    const id = await findId('audience', invocation.args[0] ?? '', account, invocation);
    return getAudience(account.client, id, invocation.context);
  });
  print(invocation, audience, objectText);
  return EXIT.ok;
}

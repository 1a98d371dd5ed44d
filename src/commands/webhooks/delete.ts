import { checkId } from '../../api/resources/ids.ts';
import { deleteWebhook, getWebhook } from '../../api/resources/webhooks.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { shellWord } from '../../base/lib/text.ts';
import { objectText } from '../../render/text/object.ts';
import type { Invocation } from '../framework/invocation.ts';
import { confirmName } from '../framework/output/confirm-name.ts';
import { print } from '../framework/output/print.ts';
import { withAccount } from '../framework/settings/with-account.ts';

/** `webhooks delete`: the endpoint and its delivery history, after its id was typed once more. */
export async function deleteEndpoint(invocation: Invocation<{ readonly confirm?: string }>): Promise<ExitCode> {
  const { signal } = invocation.context;
  const id = checkId('webhook', invocation.args[0] ?? '');
  const answer = await withAccount(invocation, async ({ client }) => {
    const { url, status } = await getWebhook(client, id, { signal });
    await confirmName(invocation, {
      word: 'its id',
      expected: id,
      losses: [`${url} (${status}) and its delivery history will be gone, and no more events sent there.`],
      command: `svc webhooks delete ${shellWord(id)} --confirm ${shellWord(id)}`,
    });
    return deleteWebhook(client, id, { signal });
  });
  print(invocation, answer, objectText);
  return EXIT.ok;
}

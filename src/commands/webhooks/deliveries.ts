import { checkId } from '../../api/resources/ids.ts';
import { listDeliveries } from '../../api/resources/webhooks.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { deliveriesTable } from '../../render/lists/webhooks.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { WebhookDelivery } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';
import { print, take } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import type { Account } from '../framework/settings/account.ts';
import { withAccount } from '../framework/settings/with-account.ts';
import { createDeliverySums, summaryText } from './summary.ts';

/** Flags of `webhooks deliveries`. */
export interface DeliveriesFlags {
  readonly status?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly summary?: boolean;
}

/** `webhooks deliveries`: lists the newest deliveries, or summarizes all of them. */
export async function showDeliveries(invocation: Invocation<DeliveriesFlags>): Promise<ExitCode> {
  const { flags } = invocation;
  const id = checkId('webhook', invocation.args[0] ?? '');
  if (flags.all && flags.limit !== undefined) {
    throw new SvcError(EXIT.usage, 'usage', '--all and --limit exclude each other', { hint: 'Leave one of them out.' });
  }
  return flags.summary ? summarize(invocation, id) : list(invocation, id);
}

async function list(invocation: Invocation<DeliveriesFlags>, id: string): Promise<ExitCode> {
  const { all, limit = LIMITS.pageSizeDefault } = invocation.flags;
  await withAccount(invocation, (account) => {
    const found = read(account, invocation, { id, most: all ? undefined : limit });
    return printList(invocation, found, (shown, style) => deliveriesTable(shown, account.client.serverNow(), style));
  });
  return EXIT.ok;
}

async function summarize(invocation: Invocation<DeliveriesFlags>, id: string): Promise<ExitCode> {
  const { summary, now } = await withAccount(invocation, async (account) => {
    const found = read(account, invocation, { id, most: invocation.flags.limit });
    // The first page tells the service's time.
    const first = await found.next();
    const now = account.client.serverNow();
    const sums = createDeliverySums(id, now);
    for (let next = first; !next.done; next = await found.next()) {
      sums.add(next.value);
    }
    return { summary: sums.end(), now };
  });
  print(invocation, summary, (shown, style) => summaryText(shown, now, style));
  return EXIT.ok;
}

interface Wanted {
  readonly id: string;
  readonly most: number | undefined;
}

function read(
  { client }: Account,
  { flags, context }: Invocation<DeliveriesFlags>,
  { id, most }: Wanted,
): AsyncGenerator<WebhookDelivery> {
  const limit = Math.min(most ?? LIMITS.pageSizeMax, LIMITS.pageSizeMax);
  return take(listDeliveries(client, id, { status: flags.status, limit, signal: context.signal }), most);
}

import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/http/api-error.ts';
import { listDeliveries } from '../../api/resources/webhooks.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { deliveriesTable } from '../../render/lists/deliveries.ts';
import { DELIVERY_STATUSES } from '../../wire/service-words.ts';
import type { WebhookDelivery } from '../../wire/shapes.ts';
import { findId } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { commandToPaste } from '../framework/output/command-to-paste.ts';
import { checkLsFlags, type LsCommand, type LsFlags, pageSizeOf, statusError } from '../framework/output/ls-flags.ts';
import { print, tableStyle, takeFirst, writeNote } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';
import { createDeliverySums, summaryText } from './delivery-summary.ts';

interface DeliveriesFlags extends LsFlags {
  readonly status?: string;
  readonly summary?: boolean;
}

export async function showDeliveries(invocation: Invocation<DeliveriesFlags>): Promise<ExitCode> {
  checkLsFlags(invocation);
  await withAccount(invocation, async (account) => {
    const id = await findId('webhook', invocation.args[0] ?? '', account, invocation);
    return invocation.flags.summary
      ? summarize(invocation, { client: account.client, id })
      : list(invocation, { client: account.client, id });
  });
  return EXIT.ok;
}

interface Endpoint {
  readonly client: Client;
  readonly id: string;
}

/** Prints the deliveries. Even --json prints only the newest 50 by default, because there may be very many. */
async function list(invocation: Invocation<DeliveriesFlags>, endpoint: Endpoint): Promise<void> {
  const { clock } = invocation.context;
  const listing = { ...invocation, limitsJson: true };
  await printList(listing, read(listing, endpoint), (shown, style) => deliveriesTable(shown, clock.now(), style));
}

async function summarize(invocation: Invocation<DeliveriesFlags>, endpoint: Endpoint): Promise<void> {
  const { flags, context, isTyped } = invocation;
  const now = context.clock.now();
  const sums = createDeliverySums(endpoint.id, now);
  const everything = { ...invocation, flags: { ...flags, all: flags.limit === undefined } };
  for await (const delivery of takeFirst(read(everything, endpoint), flags.limit)) {
    sums.add(delivery);
  }
  const status = isTyped('status') ? ['--status', flags.status ?? ''] : [];
  const allIds = commandToPaste(['webhooks', 'deliveries', endpoint.id, '--summary', '--json', ...status], invocation);
  print(invocation, sums.end(), (shown) => summaryText(shown, { now, allIds }, tableStyle(invocation)));
}

/**
 * Reads the deliveries. Sends the word of --status unchanged, because the service may know words that svc does not. If
 * the service refuses an unknown word, throws a usage error that lists the known words. If the service accepts the
 * word, but no delivery has this status, writes a note.
 */
async function* read(
  invocation: Pick<Invocation<DeliveriesFlags>, 'flags' | 'settings' | 'context'> & Pick<LsCommand, 'limitsJson'>,
  { client, id }: Endpoint,
): AsyncGenerator<WebhookDelivery> {
  const { status } = invocation.flags;
  const isUnknown = status !== undefined && !DELIVERY_STATUSES.includes(status);
  const options = { status, limit: pageSizeOf(invocation), signal: invocation.context.signal };
  let count = 0;
  try {
    for await (const delivery of listDeliveries(client, id, options)) {
      count += 1;
      yield delivery;
    }
  } catch (error) {
    throw isUnknown && error instanceof ApiError && error.status === 400
      ? statusError(status, DELIVERY_STATUSES, 'deliveries')
      : error;
  }
  if (isUnknown && count === 0 && !invocation.settings.output.quiet) {
    const words = `${terminalSafe(status)}, which svc does not know. It knows ${DELIVERY_STATUSES.join(', ')}`;
    writeNote(invocation.context, `No delivery has the status ${words}.`);
  }
}

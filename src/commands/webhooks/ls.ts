import type { Client } from '../../api/client.ts';
import { checkId } from '../../api/resources/ids.ts';
import { getWebhook, listWebhooks } from '../../api/resources/webhooks.ts';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { webhooksTable } from '../../render/lists/webhooks.ts';
import { objectText } from '../../render/text/object.ts';
import { styleOf } from '../../render/text/style.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { type Invocation, wholeNumber } from '../framework/invocation.ts';
import { gather, print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/with-account.ts';

/** Flags of `webhooks ls`. `failing` is true where no number was given. */
export interface WebhookListFlags {
  readonly failing?: string | true;
  readonly watch?: boolean;
  readonly every: number;
}

/** `webhooks ls`: the health board. With `--failing` it exits 3 where an endpoint fails, for cron. */
export async function listEndpoints(invocation: Invocation<WebhookListFlags>): Promise<ExitCode> {
  const { context, flags, settings } = invocation;
  const least = leastStreak(flags.failing);
  if (flags.watch && (settings.output.json || !context.stdout.isTTY)) {
    throw new SvcError(EXIT.usage, 'usage', '--watch needs a terminal', { hint: 'Leave it out.' });
  }
  if (flags.watch) {
    return withAccount(invocation, ({ client }) =>
      watchEndpoints(invocation, async () => {
        const endpoints = await gather(listFrom(least, client, context));
        return { endpoints, now: client.serverNow() };
      }),
    );
  }
  const found = await withAccount(invocation, ({ client }) =>
    printList(invocation, listFrom(least, client, context), (shown, style) =>
      webhooksTable(shown, client.serverNow(), style),
    ),
  );
  return flags.failing !== undefined && found > 0 ? EXIT.partial : EXIT.ok;
}

async function* listFrom(least: number, client: Client, { signal }: Context): AsyncGenerator<WebhookEndpoint> {
  for await (const endpoint of listWebhooks(client, { signal })) {
    if (streakOf(endpoint) >= least) {
      yield endpoint;
    }
  }
}

/** `webhooks get`: shows one endpoint with all its fields. */
export async function getEndpoint(invocation: Invocation<unknown>): Promise<ExitCode> {
  const { signal } = invocation.context;
  const id = checkId('webhook', invocation.args[0] ?? '');
  const endpoint = await withAccount(invocation, ({ client }) => getWebhook(client, id, { signal }));
  print(invocation, endpoint, objectText);
  return EXIT.ok;
}

/** The failure streak of an endpoint; 0 where the service gives none. */
export function streakOf({ consecutive_failures }: Partial<WebhookEndpoint>): number {
  return consecutive_failures ?? 0;
}

function leastStreak(failing: WebhookListFlags['failing']): number {
  if (failing === undefined) {
    return 0;
  }
  return failing === true ? 1 : wholeNumber('--failing', 1)(failing);
}

/** The endpoints at one time of the service's clock. */
interface Board {
  readonly endpoints: readonly WebhookEndpoint[];
  readonly now: number;
}

const HOME_AND_CLEAR = '\x1b[H\x1b[2J';

/** Redraws the board every few seconds until a signal rejects the wait. */
async function watchEndpoints(
  { context, settings, flags }: Invocation<{ readonly every: number }>,
  read: () => Promise<Board>,
): Promise<ExitCode> {
  for (;;) {
    const { endpoints, now } = await read();
    const style = styleOf(context.stdout, settings.output.color.stdout);
    const at = new Date(now).toISOString().slice(11, 19);
    const foot = style.dim(`${at} UTC, every ${flags.every} s; Ctrl-C stops`);
    const board = webhooksTable(endpoints, now, style) || 'No endpoint to show.\n';
    context.stdout.write(`${HOME_AND_CLEAR}${board}${foot}\n`);
    await context.clock.sleep(flags.every * 1_000, context.signal);
  }
}

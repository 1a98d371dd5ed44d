import type { ExitCode } from '../../base/lib/exit.ts';
import { webhooksTable } from '../../render/lists/webhooks.ts';
import { styleOf } from '../../render/text/style.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { Invocation } from '../framework/invocation.ts';

/** The endpoints at one moment, by the service's clock. */
export interface Board {
  readonly endpoints: readonly WebhookEndpoint[];
  readonly now: number;
}

const HOME_AND_CLEAR = '\x1b[H\x1b[2J';

/** Draws the board anew every few seconds until a signal comes, which it rejects with. */
export async function watchEndpoints(
  { context, settings, flags }: Invocation<{ readonly every: number }>,
  read: () => Promise<Board>,
): Promise<ExitCode> {
  for (;;) {
    const { endpoints, now } = await read();
    const style = styleOf(context.stdout, settings.output.color.stdout);
    const at = new Date(now).toISOString().slice(11, 19);
    const foot = style.dim(`${at} UTC, every ${flags.every} s; Ctrl-C ends`);
    const board = webhooksTable(endpoints, now, style) || 'No endpoint to show.\n';
    context.stdout.write(`${HOME_AND_CLEAR}${board}${foot}\n`);
    await context.clock.sleep(flags.every * 1_000, context.signal);
  }
}

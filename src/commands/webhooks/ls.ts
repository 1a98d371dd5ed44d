import type { Client } from '../../api/client.ts';
import { getWebhookEndpoint, listWebhookEndpoints } from '../../api/resources/webhooks.ts';
import type { Context } from '../../base/context.ts';
import { formatUtcTimeOfDay } from '../../base/lib/duration.ts';
import { badUsage, EXIT, type ExitCode, withoutFlags } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import {
  endpointsTable,
  endpointText,
  failingSentence,
  healthSentence,
  shortUrl,
  sortByHealth,
} from '../../render/lists/webhooks.ts';
import { type Style, styleOf } from '../../render/text/style.ts';
import { shortenMiddle } from '../../render/text/width.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { findId } from '../framework/find-id.ts';
import { type Invocation, wholeNumberParser } from '../framework/invocation.ts';
import { commandToPaste, programName } from '../framework/output/command-to-paste.ts';
import { checkLsFlags, type LsFlags, noteMoreEntries, pageSizeOf, printLimitOf } from '../framework/output/ls-flags.ts';
import { noteEmptyList, print, writeSentence } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';

/** The flags of `webhooks ls`. `failing` is true if --failing has no number. `every` is in seconds. */
interface WebhookLsFlags extends LsFlags {
  readonly failing?: string | true;
  readonly watch?: boolean;
  readonly every: number;
}

export async function listEndpoints(invocation: Invocation<WebhookLsFlags>): Promise<ExitCode> {
  const { context, flags, settings } = invocation;
  checkLsFlags(invocation);
  const minStreak = minFailureStreak(flags.failing);
  const filter = { minStreak, limit: pageSizeOf(invocation) };
  const isBoard = context.stdout.isTTY && !settings.output.json && flags.output === undefined;
  if (flags.watch && !isBoard) {
    throw badUsage('--watch needs a terminal', withoutFlags(['--watch']));
  }
  const shownCount = await withAccount(invocation, async ({ client }) => {
    if (flags.watch) {
      return watchEndpoints(invocation, () => readBoard(client, filter, context));
    }
    return isBoard
      ? printHealth(invocation, await readBoard(client, filter, context))
      : printList(invocation, listFrom(client, filter, context), (shown, style) =>
          endpointsTable(shown, context.clock.now(), style),
        );
  });
  return flags.failing !== undefined && shownCount > 0 ? EXIT.partial : EXIT.ok;
}

/**
 * Which endpoints to list: those with at least `minStreak` failures one after the other. `limit` is the number of
 * endpoints on one page of the API.
 */
interface Filter {
  readonly minStreak: number;
  readonly limit: number;
}

/** The endpoints to print, and the numbers in the sentence above them. */
interface Board {
  /** The endpoints that --failing selects. Without --failing they are all endpoints. */
  readonly endpoints: readonly WebhookEndpoint[];
  readonly minStreak: number;
  readonly total: number;
}

async function readBoard(client: Client, { minStreak, limit }: Filter, context: Context): Promise<Board> {
  const all = await Array.fromAsync(listFrom(client, { minStreak: 0, limit }, context));
  return {
    endpoints: all.filter((endpoint) => failureStreakOf(endpoint) >= minStreak),
    minStreak,
    total: all.length,
  };
}

async function* listFrom(
  client: Client,
  { minStreak, limit }: Filter,
  { signal }: Context,
): AsyncGenerator<WebhookEndpoint> {
  for await (const endpoint of listWebhookEndpoints(client, { limit, signal })) {
    if (failureStreakOf(endpoint) >= minStreak) {
      yield endpoint;
    }
  }
}

/**
 * Prints the endpoints, those with the most failures first. The sentence above them counts all endpoints, even those
 * that --limit leaves out.
 */
function printHealth(invocation: Invocation<WebhookLsFlags>, board: Board): number {
  const { context, settings, flags } = invocation;
  const { endpoints } = board;
  const { maxItems = endpoints.length, isDefault } = printLimitOf(invocation);
  context.stdout.write(healthText(invocation, board, maxItems));
  if (endpoints.length === 0 && flags.failing !== undefined) {
    noteEmptyList(invocation);
  } else if (endpoints.length === 0 && !settings.output.quiet) {
    writeSentence(context, `No endpoints. Create one: ${programName(context)} webhooks create --help`);
  }
  if (isDefault && endpoints.length > maxItems) {
    noteMoreEntries(invocation);
  }
  return endpoints.length;
}

// The maximum number of commands that show why an endpoint fails. With more of them, the table would leave the screen.
const MAX_COMMANDS = 3;

function healthText(
  invocation: Invocation<unknown>,
  { endpoints, minStreak, total }: Board,
  maxEndpoints: number,
): string {
  const { context, settings } = invocation;
  if (endpoints.length === 0) {
    return '';
  }
  const style: Style = styleOf(context.stdout, settings.output.color.stdout);
  const sorted = sortByHealth(endpoints);
  const failing = sorted.filter((endpoint) => failureStreakOf(endpoint) > 0).slice(0, MAX_COMMANDS);
  // With several commands, each has the URL of its endpoint on a line above. An id would not help, because a narrow
  // table shows no ids. The URL has its own line, so that a long URL does not break the command.
  const room = (style.columns ?? 80) - 'Why :'.length;
  const nameOf = ({ url }: WebhookEndpoint) =>
    failing.length > 1 ? ` ${shortenMiddle(terminalSafe(shortUrl(url)), room)}:\n  ` : ': ';
  const why = failing.map(
    (one) => `Why${nameOf(one)}${commandToPaste(['webhooks', 'deliveries', one.id, '--summary'], invocation)}\n`,
  );
  const sentence = minStreak > 0 ? failingSentence(sorted.length, { minStreak, total }) : healthSentence(sorted);
  const rows = endpointsTable(sorted.slice(0, maxEndpoints), context.clock.now(), style);
  return [`${sentence}\n`, rows, ...why].join('');
}

export async function getEndpoint(invocation: Invocation<unknown>): Promise<ExitCode> {
  const { context } = invocation;
  const endpoint = await withAccount(invocation, async (account) => {
    const id = await findId('webhook', invocation.args[0] ?? '', account, invocation);
    return getWebhookEndpoint(account.client, id, { signal: context.signal });
  });
  const why = commandToPaste(['webhooks', 'deliveries', endpoint.id, '--summary'], invocation);
  print(invocation, endpoint, (shown, style) =>
    [
      endpointText(shown, context.clock.now(), style),
      style.columns !== undefined && failureStreakOf(shown) > 0 ? `Why: ${why}\n` : '',
    ].join(''),
  );
  return EXIT.ok;
}

/** The number of failures one after the other. 0 if the service does not show it. */
export function failureStreakOf({ consecutive_failures }: Partial<WebhookEndpoint>): number {
  return consecutive_failures ?? 0;
}

function minFailureStreak(failing: WebhookLsFlags['failing']): number {
  if (failing === undefined) {
    return 0;
  }
  return failing === true ? 1 : wholeNumberParser('--failing', 1)(failing);
}

const HOME_AND_CLEAR = '\x1b[H\x1b[2J';

/** Prints the endpoints again every few seconds, until Ctrl-C. */
async function watchEndpoints(invocation: Invocation<WebhookLsFlags>, read: () => Promise<Board>): Promise<number> {
  const { context, settings, flags } = invocation;
  for (;;) {
    const board = await read();
    const style = styleOf(context.stdout, settings.output.color.stdout);
    const foot = style.dim(`${formatUtcTimeOfDay(context.clock.now())}, every ${flags.every} s; Ctrl-C stops`);
    const { maxItems = board.total } = printLimitOf(invocation);
    const text = healthText(invocation, board, maxItems) || 'No endpoint to show.\n';
    context.stdout.write(`${HOME_AND_CLEAR}${text}${foot}\n`);
    await context.clock.sleep(flags.every * 1_000, context.signal);
  }
}

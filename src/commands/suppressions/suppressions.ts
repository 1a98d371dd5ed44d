import type { Command } from 'commander';
import type { Client } from '../../api/client.ts';
import { listSuppressionPages, listSuppressions } from '../../api/resources/suppressions.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { addToCount } from '../../base/lib/rows.ts';
import { formatNumber, terminalSafe } from '../../base/lib/text.ts';
import { suppressionsTable } from '../../render/lists/resources.ts';
import type { Style } from '../../render/text/style.ts';
import { type CommandHost, type Invocation, setAction } from '../framework/invocation.ts';
import { checkLsFlags, type LsFlags, pageSizeOf, withLsFlags } from '../framework/output/ls-flags.ts';
import { print, writeNote } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';
import { withImportFlags } from '../mailing-list-commands/flags/import-flags.ts';

export function addSuppressionsCommands(suppressions: Command, host: CommandHost): void {
  const command = suppressions
    .command('import')
    .summary('Import suppressions only.')
    .description('Imports suppressions only: other rows are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  setAction(withImportFlags(command, 'suppressions'), host, async () =>
    (await import('../mailing-list-commands/mailing-list-command.ts')).importCommand('suppressions import'),
  );
  const ls = suppressions.command('ls').description('List the suppressed addresses, newest first.');
  setAction(withLsFlags(ls), host, async () => printSuppressions);
  const counting = suppressions
    .command('count')
    .description('Count the suppressions. The service has no count, so the whole list is read.');
  setAction(counting, host, async () => countAll);
}

async function printSuppressions(invocation: Invocation<LsFlags>): Promise<ExitCode> {
  checkLsFlags(invocation);
  const { context, flags } = invocation;
  const options = { limit: pageSizeOf(invocation), signal: context.signal };
  let mayHaveMore = false;
  const onMayHaveMore = () => {
    mayHaveMore = true;
  };
  const printed = await withAccount(invocation, ({ client }) =>
    printList(invocation, listSuppressions(client, options, onMayHaveMore), suppressionsTable),
  );
  if (mayHaveMore && printed < (flags.limit ?? Number.POSITIVE_INFINITY)) {
    noteOnePage(invocation);
  }
  return EXIT.ok;
}

/** Says on stderr that the list may not be complete, also after `ls --json`, whose array can't say so. */
function noteOnePage({ context, settings }: Invocation<unknown>): void {
  if (!settings.output.quiet && !context.stdout.closed) {
    writeNote(context, `${ONE_PAGE}.`);
  }
}

const ONE_PAGE = 'The service lists one page and does not say whether there are more';

/** The number of suppressions. `exact` is false if the service may have more suppressions than it lists. */
interface SuppressionCount {
  readonly object: 'suppression_count';
  readonly count: number;
  readonly exact: boolean;
  /**
   * The number of suppressions for each reason. Empty if the service shows no reasons. The service document does not
   * promise that it shows them.
   */
  readonly by_reason: Readonly<Record<string, number>>;
}

async function countAll(invocation: Invocation<unknown>): Promise<ExitCode> {
  const counted = await withAccount(invocation, ({ client }) => countFrom(client, invocation.context.signal));
  print(invocation, counted, countText);
  // The document and the text at a terminal say themselves that the number is not exact.
  if (!counted.exact && !invocation.settings.output.json && !invocation.context.stdout.isTTY) {
    noteOnePage(invocation);
  }
  return EXIT.ok;
}

async function countFrom(client: Client, signal: AbortSignal): Promise<SuppressionCount> {
  const reasons = new Map<string, number>();
  let count = 0;
  let isExact = true;
  for await (const { items, mayHaveMore } of listSuppressionPages(client, { signal })) {
    count += items.length;
    isExact = !mayHaveMore;
    for (const { reason } of items) {
      if (reason !== undefined) {
        addToCount(reasons, reason, 1);
      }
    }
  }
  return { object: 'suppression_count', count, exact: isExact, by_reason: Object.fromEntries(reasons) };
}

function countText({ count, exact, by_reason }: SuppressionCount, style: Style): string {
  if (style.columns === undefined) {
    return `${count}\n`;
  }
  const reasons = Object.entries(by_reason).map(
    ([reason, some]) => `  ${formatNumber(some)} ${terminalSafe(reason)}\n`,
  );
  const least = exact ? '' : 'at least ';
  const why = exact ? '' : `  ${ONE_PAGE}.\n`;
  return [`${least}${formatNumber(count)}\n`, ...reasons, why].join('');
}

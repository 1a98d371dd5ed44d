import type { Command } from 'commander';
import { EXIT } from '../../base/lib/exit.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, type Run, wholeNumber } from '../framework/invocation.ts';
import { importRun } from '../migrate.ts';
import { withImportFlags } from '../run/import-flags.ts';

/** `svc suppressions …` */
export function addSuppressions(program: Command, host: Host): void {
  const suppressions = withGlobals(program.command('suppressions').description("The account's suppression list."));
  const command = suppressions
    .command('import')
    .summary('Import suppressions only.')
    .description('Imports suppressions only: people who are not to be suppressed are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  action(withGlobals(withImportFlags(command, 'suppressions')), host, importRun('suppressions import'));
  const ls = suppressions
    .command('ls')
    .description('List the addresses that are never mailed, newest first.')
    .option('--limit <n>', 'at most so many', wholeNumber('--limit', 1));
  action(withGlobals(ls), host, list);
  const counting = suppressions
    .command('count')
    .description('Count them. The service has no count of its own, so the whole list is read.');
  action(withGlobals(counting), host, count);
}

const list: Run<{ readonly limit?: number }> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { listSuppressions } = await import('../../api/resources/suppressions.ts');
  const { suppressionsTable } = await import('../../render/lists/contacts.ts');
  const { printList } = await import('../framework/output/print-list.ts');
  const { take } = await import('../framework/output/print.ts');
  const { flags, context } = invocation;
  const options = { limit: Math.min(flags.limit ?? 100, 100), signal: context.signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, take(listSuppressions(client, options), flags.limit), suppressionsTable),
  );
  return EXIT.ok;
};

const count: Run<unknown> = async (invocation) => (await import('./count.ts')).countAll(invocation);

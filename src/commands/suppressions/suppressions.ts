import type { Command } from 'commander';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host } from '../framework/invocation.ts';
import { type ListFlags, withListFlags } from '../framework/output/list-flags.ts';
import { type ImportFlags, withImportFlags } from '../long-run/import-flags.ts';

export function addSuppressions(program: Command, host: Host): void {
  const suppressions = withGlobals(program.command('suppressions').description("The account's suppression list."));
  const command = suppressions
    .command('import')
    .summary('Import suppressions only.')
    .description('Imports suppressions only: other rows are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  action<ImportFlags>(withImportFlags(command, 'suppressions'), host, async (invocation) =>
    (await import('../long-run/list-command.ts')).runImportCommand('suppressions import', invocation),
  );
  const ls = suppressions.command('ls').description('List the suppressed addresses, newest first.');
  action<ListFlags>(withListFlags(ls), host, async (invocation) =>
    (await import('./read.ts')).printSuppressions(invocation),
  );
  const counting = suppressions
    .command('count')
    .description('Count the suppressions. The service has no count, so the whole list is read.');
  action(counting, host, async (invocation) => (await import('./read.ts')).countAll(invocation));
}

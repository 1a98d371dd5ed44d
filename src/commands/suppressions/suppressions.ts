import type { Command } from 'commander';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host } from '../framework/invocation.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';
import { withImportFlags } from '../resumable-run/import-flags.ts';

export function addSuppressions(program: Command, host: Host): void {
  const suppressions = withGlobals(program.command('suppressions').description("The account's suppression list."));
  const command = suppressions
    .command('import')
    .summary('Import suppressions only.')
    .description('Imports suppressions only: other rows are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  action(withImportFlags(command, 'suppressions'), host, async () =>
    (await import('../resumable-run/mailing-list-command.ts')).importCommand('suppressions import'),
  );
  const ls = suppressions.command('ls').description('List the suppressed addresses, newest first.');
  action(withLsFlags(ls), host, async () => (await import('./ls.ts')).printSuppressions);
  const counting = suppressions
    .command('count')
    .description('Count the suppressions. The service has no count, so the whole list is read.');
  action(counting, host, async () => (await import('./ls.ts')).countAll);
}

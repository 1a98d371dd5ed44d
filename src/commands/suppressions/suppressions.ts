import type { Command } from 'commander';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, wholeNumber } from '../framework/invocation.ts';
import { importRun } from '../migrate.ts';
import { withImportFlags } from '../run/import-flags.ts';
import type { ListFlags } from './read.ts';

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
  action<ListFlags>(withGlobals(ls), host, async (invocation) => (await import('./read.ts')).listAll(invocation));
  const counting = suppressions
    .command('count')
    .description('Count them. The service has no count of its own, so the whole list is read.');
  action(withGlobals(counting), host, async (invocation) => (await import('./read.ts')).countAll(invocation));
}

import type { Command } from 'commander';
import { withGlobals } from './globals.ts';
import { withImportFlags } from './import-flags.ts';
import { action, type Host } from './invocation.ts';
import { importRun } from './migrate.ts';

/** `svc suppressions …` */
export function addSuppressions(program: Command, host: Host): void {
  const suppressions = withGlobals(program.command('suppressions').description("The account's suppression list."));
  const command = suppressions
    .command('import')
    .summary('import suppressions only')
    .description('Imports suppressions only: people who are not to be suppressed are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  action(withGlobals(withImportFlags(command, 'suppressions')), host, importRun('suppressions import'));
}

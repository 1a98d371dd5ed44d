import type { Command } from 'commander';
import { withGlobals } from './globals.ts';
import { withImportFlags } from './import-flags.ts';
import { action, type Host } from './invocation.ts';
import { importRun } from './migrate.ts';

/** `svc contacts …` */
export function addContacts(program: Command, host: Host): void {
  const contacts = withGlobals(program.command('contacts').description('Contacts of an audience.'));
  const command = contacts
    .command('import')
    .summary('import contacts only')
    .description('Imports contacts only: people to be suppressed are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  action(withGlobals(withImportFlags(command, 'contacts')), host, importRun('contacts import'));
}

import { type Command, Option } from 'commander';
import { type CommandHost, setAction } from '../framework/invocation.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';
import {
  DEFAULT_MAX_FAILURES,
  withImportFlags,
  withPaceFlags,
  withReadingFlags,
} from '../mailing-list-commands/flags/import-flags.ts';

export function addContactsCommands(contacts: Command, host: CommandHost): void {
  const command = contacts
    .command('import')
    .summary('Import contacts only.')
    .description('Imports contacts only: rows to be suppressed are skipped.')
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"');
  setAction(withImportFlags(command, 'contacts'), host, async () =>
    (await import('../mailing-list-commands/mailing-list-command.ts')).importCommand('contacts import'),
  );
  addReads(contacts, host);
  addCheck(contacts, host);
  addExport(contacts, host);
}

const CONTACT_STATUS = 'only contacts of this status: subscribed, unsubscribed, pending or bounced';

function addReads(contacts: Command, host: CommandHost): void {
  const ls = contacts
    .command('ls')
    .description('List the contacts of an audience, newest first. For long lists: contacts export.')
    .option('--status <status>', CONTACT_STATUS);
  setAction(withAudienceFlags(withLsFlags(ls)), host, async () => (await import('./ls.ts')).printContacts);
  const get = contacts
    .command('get')
    .description('Show a contact with all its fields.')
    .argument('<contact>', 'address or id')
    .option('--topics', 'with its topics');
  setAction(withAudienceFlags(get), host, async () => (await import('./ls.ts')).printContact);
}

function addCheck(contacts: Command, host: CommandHost): void {
  const command = contacts
    .command('check')
    .summary('Compare a list with an audience; writes nothing.')
    .description(
      'Compares a list with an audience, person by person and field by field, and writes nothing. The list is read as ' +
        'an import reads it. Exit 3 if they differ. The same command resumes an interrupted check.',
    )
    .argument('<input...>', 'CSV or TSV files, .gz, .zip, or "-"')
    .option('--output <file>', 'CSV file of all people, with what differs; it appears once it is complete')
    .option('--force', 'replace the file of --output if it exists')
    .addOption(
      new Option('--max-failures <n|n%>', 'stop if more rows than this are rejected').default(DEFAULT_MAX_FAILURES),
    );
  const flags = withPaceFlags(withReadingFlags(withAudienceFlags(command)));
  setAction(flags, host, async () => (await import('./check.ts')).checkList);
}

function addExport(contacts: Command, host: CommandHost): void {
  const command = contacts
    .command('export')
    .description(
      'Write all contacts of an audience as CSV or NDJSON. The same command resumes an interrupted export within ' +
        'an hour, and later starts over. A file holds values unchanged; on stdout control characters in CSV are ' +
        'escaped. Topics are not in it, because the list of contacts does not show them; for one person: ' +
        'svc contacts get <address> --topics',
    )
    .option('--output <file>', 'file to write; it appears once it is complete (default: stdout, also as "-")')
    .option('--force', 'replace the file of --output if it exists')
    .addOption(new Option('--format <format>', 'default: by the name of the file, else csv').choices(['csv', 'ndjson']))
    .option('--status <status>', CONTACT_STATUS)
    .option('--cursor-file <file>', 'file that records the progress (default beside --output: <file>.cursor)')
    .option('--spreadsheet', 'change cells of the CSV that a spreadsheet would run as formulas');
  setAction(withAudienceFlags(command), host, async () => (await import('./export.ts')).exportContacts);
}

function withAudienceFlags(command: Command): Command {
  return command
    .option('--audience <id>', 'audience to read, by id or exact name; default: the only one')
    .option('--audience-name <name>', 'audience to read, by name');
}

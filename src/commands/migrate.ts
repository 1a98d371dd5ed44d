import type { Command } from 'commander';
import { type CommandHost, setAction } from './framework/invocation.ts';
import { withImportFlags } from './mailing-list-commands/flags/import-flags.ts';

/** `svc migrate`: survey → plan → suppressions → canary → contacts → verify → report. */
export function addMigrateCommand(command: Command, host: CommandHost): void {
  command
    .description(
      'Moves a mailing list from another platform: reads everything, shows a plan, then writes suppressions and contacts.',
    )
    .argument('<input...>', 'CSV or TSV files, .gz, a platform\'s .zip archive, or "-"');
  setAction(withImportFlags(command, 'migrate'), host, async () =>
    (await import('./mailing-list-commands/mailing-list-command.ts')).importCommand('migrate'),
  );
}

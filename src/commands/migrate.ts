import type { Command } from 'commander';
import type { ImportCommand } from '../migrate/options.ts';
import { withGlobals } from './framework/globals.ts';
import { action, type Host, type Run } from './framework/invocation.ts';
import type { Settings } from './framework/settings/settings.ts';
import { type ImportFlags, limitsOf, withImportFlags } from './run/import-flags.ts';

/** `svc migrate`: survey → plan → suppressions → contacts → verify → report. */
export function addMigrate(program: Command, host: Host): void {
  const command = program
    .command('migrate')
    .summary('Move a list: survey, plan, suppressions, contacts, verification.')
    .description(
      'Moves a mailing list from another platform: reads everything, shows a plan, then writes suppressions and contacts.',
    )
    .argument('<input...>', 'CSV or TSV files, .gz, a platform\'s .zip archive, or "-"');
  action(withGlobals(withImportFlags(command, 'migrate')), host, importRun('migrate'));
}

/** The body of the three import commands. They differ in what they write. */
export function importRun(command: ImportCommand): Run<ImportFlags> {
  return async (invocation) => {
    const { args, flags: typed, isTyped, settings, context, line } = invocation;
    const { withMapping } = await import('./run/answers/mapping.ts');
    const { createAnswering } = await import('./run/answers/questioner.ts');
    const { checkRunFiles, keepMapping } = await import('./run/run-files.ts');
    const { importOptions } = await import('./run/import-options.ts');
    const { executeImport } = await import('./run/execute.ts');
    const { requireYes } = await import('./framework/output/confirmation.ts');
    if (!typed.dryRun) {
      requireYes(invocation);
    }
    checkRunFiles(context, { ...typed, inputs: args });
    const { sayWhoIsWaitedFor } = await import('./framework/stdin.ts');
    const flags = withMapping(typed, context.cwd, isTyped);
    const optionsOf = (answered: ImportFlags, known: Settings) =>
      importOptions({ command, inputs: args, flags: answered, settings: known });
    const answering = createAnswering({ ...invocation, inputs: args, flags }, optionsOf);
    sayWhoIsWaitedFor(args, context);
    const exit = await executeImport({
      options: optionsOf(flags, settings),
      answering,
      limits: limitsOf(flags),
      waitMs: flags.wait,
      settings,
      context,
      line,
      copies: flags,
      details: flags.details,
      logFile: flags.logFile,
    });
    keepMapping(context, answering.flags());
    return exit;
  };
}

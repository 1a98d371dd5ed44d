import type { Command } from 'commander';
import type { ImportCommand } from '../migrate/options.ts';
import { withGlobals } from './framework/globals.ts';
import { action, type Host, type Run } from './framework/invocation.ts';
import { type ImportFlags, limitsOf, withImportFlags } from './run/import-flags.ts';
import type { AnswerFlags } from './run/questioner.ts';

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
    const { withMapping, withAnswers } = await import('./run/mapping.ts');
    const { checkRunFiles, keepMapping } = await import('./run/run-files.ts');
    const { importOptions } = await import('./run/import-options.ts');
    const { executeImport } = await import('./run/execute.ts');
    const { requireYes } = await import('./framework/output/confirmation.ts');
    if (!typed.dryRun) {
      requireYes(invocation);
    }
    checkRunFiles(context, { ...typed, inputs: args });
    const { sayWhoIsWaitedFor } = await import('./framework/stdin.ts');
    let flags = withMapping(typed, context.cwd, isTyped);
    const given = flags;
    const answering = {
      inputs: args,
      optionsWith: ({ plan, ...answers }: AnswerFlags) => {
        flags = withAnswers(given, answers, isTyped);
        const known = plan ? { ...settings, plan: { value: plan, source: 'flag' as const } } : settings;
        return importOptions({ command, inputs: args, flags, settings: known });
      },
      flags: () => flags,
    };
    sayWhoIsWaitedFor(args, context);
    const exit = await executeImport({
      options: importOptions({ command, inputs: args, flags, settings }),
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
    keepMapping(context, flags);
    return exit;
  };
}

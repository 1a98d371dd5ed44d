import { type Command, Option } from 'commander';
import { parseDuration } from '../../base/lib/duration.ts';
import { badUsage, EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { plural, shellWord, terminalSafe } from '../../base/lib/text.ts';
import { jsonText } from '../../render/text/object.ts';
import { deleteRun, type PruneResult, pruneRuns } from '../../runs/delete-run.ts';
import { stepForUnknown } from '../../runs/find/next-commands.ts';
import { summarizeRun } from '../../runs/find/summarize-run.ts';
import {
  type CommandHost,
  collectValues,
  type Invocation,
  setAction,
  wholeNumberParser,
} from '../framework/invocation.ts';
import { withPasteableCommands } from '../framework/output/command-to-paste.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { withPaceFlags } from '../mailing-list-commands/flags/import-flags.ts';

export function addRunsCommands(runs: Command, host: CommandHost): void {
  const ls = runs.command('ls').description('List the runs, newest first.');
  setAction(withLsFlags(ls), host, async () => (await import('./show.ts')).printRuns);
  const shown = runs
    .command('show')
    .description('Show the report of a run.')
    .argument('<run>', 'its id, or "latest"')
    .option('--details', 'its plan too')
    .option('--html <file>', 'write the report as a web page instead');
  setAction(shown, host, async () => (await import('./show.ts')).showRun);
  const resume = runs
    .command('resume')
    .description('Continue a run that did not finish.')
    .argument('[run]', 'its id, or "latest"; default: the only unfinished one');
  setAction(withPaceFlags(resume), host, async () => (await import('./resume.ts')).resumeNamedRun);
  const verify = runs
    .command('verify')
    .description('Compare what a finished run wrote with what is there now; writes nothing. Exit 3 if they differ.')
    .argument('[run]', 'its id, or "latest"; default: the latest finished import')
    .option('--output <file>', 'CSV file of all people, with what differs; it appears once it is complete')
    .option('--force', 'replace the file of --output if it exists');
  setAction(withPaceFlags(verify), host, async () => (await import('./verify.ts')).verifyRun);
  const resolve = runs
    .command('resolve')
    .description(
      'Record who was enrolled, if svc could not find out. Look in the app first. svc asks about each person, or ' +
        '--all answers for all of them.',
    )
    .argument('<run>', 'its id, or "latest"')
    .addOption(new Option('--all <decision>', 'one decision for all of them').choices(['enrolled', 'not-enrolled']))
    .option('--enrolled <address>', 'this person was enrolled; can be given several times', collectValues)
    .option('--not-enrolled <address>', 'this person was not; can be given several times', collectValues);
  setAction(resolve, host, async () => (await import('./resolve.ts')).resolveEnrollments);
  const remove = runs
    .command('delete')
    .description("Remove a run's files.")
    .argument('<run>', 'its id')
    .option('--confirm <run>', 'its id again; needed when the run is the only record of something');
  setAction(remove, host, async () => removeRun);
  const prune = runs
    .command('prune')
    .description('Remove old finished runs. svc keeps runs that can continue, and runs with unknown outcomes.')
    .option('--older-than <duration>', 'remove only runs that ended longer ago than this, for example 90d', (text) =>
      parseDuration(text, '--older-than', '90d'),
    )
    .option('--keep <n>', 'keep the newest n finished runs', wholeNumberParser('--keep', 0));
  setAction(prune, host, async () => pruneOld);
}

interface RunDeleteFlags {
  readonly confirm?: string;
}

async function removeRun({ args, flags, settings, context }: Invocation<RunDeleteFlags>): Promise<ExitCode> {
  const run = args[0] ?? '';
  if (run === 'latest') {
    throw badUsage('deleting a run needs its whole id', 'See: svc runs ls');
  }
  if (flags.confirm !== undefined && flags.confirm !== run) {
    throw badUsage(
      `--confirm ${terminalSafe(flags.confirm)} names another run than ${terminalSafe(run)}`,
      `--confirm ${shellWord(run)}`,
    );
  }
  deleteRun(resolveStateFolder(context, settings), run, { confirm: flags.confirm });
  context.stdout.write(settings.output.json ? jsonText({ run, deleted: true }) : `Deleted ${run}.\n`);
  return EXIT.ok;
}

interface PruneFlags {
  readonly olderThan?: number;
  readonly keep?: number;
}

async function pruneOld({ flags, settings, context, argv }: Invocation<PruneFlags>): Promise<ExitCode> {
  const { olderThan, keep } = flags;
  if (olderThan === undefined && keep === undefined) {
    throw badUsage('neither --keep nor --older-than is given', 'For example:\n--older-than 90d\n--keep 30');
  }
  const limit = olderThan === undefined ? undefined : { ms: olderThan, now: context.clock.now() };
  const stateFolder = resolveStateFolder(context, settings);
  const pruned = pruneRuns(stateFolder, { olderThan: limit, keep });
  if (settings.output.json) {
    context.stdout.write(jsonText(pruned));
  } else if (!settings.output.quiet) {
    const keptLines = pruned.kept.map((kept) => keptLine(kept, stateFolder));
    const text = [...pruned.deleted.map((run) => `Deleted ${run}.\n`), ...keptLines].join('');
    context.stdout.write(withPasteableCommands(text, argv, context));
  }
  return EXIT.ok;
}

function keptLine({ run, why }: PruneResult['kept'][number], stateFolder: string): string {
  if (why === 'maybe_young') {
    return `Kept ${run}: it may be too young. Only the clock of this machine says how old it is. If the clock is right: svc runs delete ${run}\n`;
  }
  if (why === 'unknown') {
    const summary = summarizeRun(stateFolder, run);
    const step = stepForUnknown(summary) ?? `See: svc runs show ${run}`;
    return `Kept ${run}: ${plural(summary.unknown, 'row')} with an unknown outcome. ${step}\n`;
  }
  return `Kept ${run}: ${why}.\n`;
}

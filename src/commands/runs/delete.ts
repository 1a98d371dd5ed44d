import { badUsage } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { jsonText } from '../../render/text/object.ts';
import { deleteRun, pruneRuns } from '../../runs/delete-run.ts';
import type { Invocation } from '../framework/invocation.ts';
import { stateOf } from '../framework/settings/settings.ts';

interface RunDeleteFlags {
  readonly confirm?: string;
}

export async function removeRun({ args, flags, settings, context }: Invocation<RunDeleteFlags>): Promise<ExitCode> {
  const run = args[0] ?? '';
  if (run === 'latest') {
    throw badUsage('deleting a run needs its whole id', 'See: svc runs ls');
  }
  deleteRun(stateOf(context, settings), run, { confirm: flags.confirm });
  context.stdout.write(settings.output.json ? jsonText({ run, deleted: true }) : `Deleted ${run}.\n`);
  return EXIT.ok;
}

interface PruneFlags {
  readonly olderThan?: number;
  readonly keep?: number;
}

export async function pruneOld({ flags, settings, context }: Invocation<PruneFlags>): Promise<ExitCode> {
  const { olderThan, keep } = flags;
  if (olderThan === undefined && keep === undefined) {
    throw badUsage('neither --keep nor --older-than is given', 'For example: --keep 30, or --older-than 90d');
  }
  const before = olderThan === undefined ? undefined : context.clock.now() - olderThan;
  const pruned = pruneRuns(stateOf(context, settings), { before, keep });
  if (settings.output.json) {
    context.stdout.write(jsonText(pruned));
  } else if (!settings.output.quiet) {
    const kept = pruned.kept.map(({ run, why }) => `Kept ${run}: ${why}.\n`);
    context.stdout.write([...pruned.deleted.map((run) => `Deleted ${run}.\n`), ...kept].join(''));
  }
  return EXIT.ok;
}

import { type Command, Option } from 'commander';
import { parseDuration } from '../../base/lib/duration.ts';
import { badUsage, SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import type { CheckReport } from '../../check/report.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, collect, type Host, type Run, wholeNumber } from '../framework/invocation.ts';
import { type ListFlags, withListFlags } from '../framework/output/list-flags.ts';
import { withPaceFlags } from '../long-run/import-flags.ts';
import type { ResolveFlags } from './resolve.ts';
import type { RunVerifyFlags } from './verify.ts';

/** `svc runs …` */
export function addRuns(program: Command, host: Host): void {
  const runs = withGlobals(
    program.command('runs').description('List, show, resume, verify and delete the runs on this machine.'),
  );
  action(withListFlags(runs.command('ls').description('List the runs, newest first.')), host, list);
  const shown = runs
    .command('show')
    .description('Show the report of a run.')
    .argument('<run>', 'its id, or "latest"')
    .option('--details', 'its plan too')
    .option('--html <file>', 'write the report as a web page instead');
  action(shown, host, show);
  const resume = runs
    .command('resume')
    .description('Continue a run that did not finish.')
    .argument('[run]', 'its id, or "latest"; default: the only unfinished one');
  action(withPaceFlags(resume), host, resumeRun);
  const verify = runs
    .command('verify')
    .description('Compare what a finished run wrote with what is there now; writes nothing. Exit 3 if they differ.')
    .argument('[run]', 'its id, or "latest"; default: the latest finished import')
    .option('--output <file>', 'CSV file of all people, with what differs; it appears once it is complete')
    .option('--force', 'replace an existing file');
  action(withPaceFlags(verify), host, verifyFinished);
  const resolve = runs
    .command('resolve')
    .description(
      'Say what became of people whose enrollment is unknown: each is asked about, or all at once with --all.',
    )
    .argument('<run>', 'its id, or "latest"')
    .addOption(new Option('--all <decision>', 'the same for all of them').choices(['enrolled', 'not-enrolled']))
    .option('--enrolled <address>', 'this person was enrolled; can be given several times', collect)
    .option('--not-enrolled <address>', 'this person was not; can be given several times', collect);
  action(resolve, host, resolveUnknown);
  const remove = runs
    .command('delete')
    .description("Remove a run's files.")
    .argument('<run>', 'its id')
    .option('--confirm <run>', 'also when it is the only record of rows whose outcome is unknown');
  action(remove, host, removeRun);
  const prune = runs
    .command('prune')
    .description('Remove old finished runs. Runs that can continue, or that have unknown outcomes, stay.')
    .option('--older-than <duration>', 'runs that ended longer ago, for example 90d', (text) =>
      parseDuration(text, '--older-than'),
    )
    .option('--keep <n>', 'all but the newest n finished runs', wholeNumber('--keep', 0));
  action(prune, host, pruneOld);
}

const list: Run<ListFlags> = async (invocation) => {
  const { listRuns } = await import('../../runs/find/list.ts');
  const { runsTable } = await import('../../render/lists/runs.ts');
  const { printList } = await import('../framework/output/print-list.ts');
  const { stateOf } = await import('../framework/settings/settings.ts');
  const { runJson } = await import('../../render/lists/runs.ts');
  const { context, settings } = invocation;
  const runs = listRuns(stateOf(context, settings));
  await printList(invocation, runs, (shown, style) => runsTable(shown, context.clock.now(), style), runJson);
  return EXIT.ok;
};

const show: Run<{ readonly html?: string; readonly details?: boolean }> = async (invocation) => {
  const { viewRun } = await import('../../runs/store/journal.ts');
  const { namedRun, summarize } = await import('../../runs/find/list.ts');
  const { detailedReportText, reportText } = await import('../../render/report/report.ts');
  const { checkText } = await import('../../render/report/check.ts');
  const { isCheck } = await import('../../runs/find/run-status.ts');
  const { afterOvertaken } = await import('../../runs/find/overtaken.ts');
  const { objectText } = await import('../../render/text/object.ts');
  const { unreportedRunJson } = await import('../../render/lists/runs.ts');
  const { print } = await import('../framework/output/print.ts');
  const { stateOf } = await import('../framework/settings/settings.ts');
  const state = stateOf(invocation.context, invocation.settings);
  const run = namedRun(state, invocation.args[0] ?? '');
  const journal = viewRun(state, run);
  try {
    if (isCheck(journal.header.command) && journal.readReport() !== undefined) {
      print(invocation, journal.readReport() as CheckReport, checkText);
      return EXIT.ok;
    }
    const report = journal.readReport() as Parameters<typeof reportText>[0] | undefined;
    const summary = summarize(state, run);
    // A killed run has no report yet. The data of the journal is better than nothing.
    if (invocation.flags.html !== undefined) {
      if (!report) {
        throw new SvcError(EXIT.usage, 'no_report', `${safe(run)} has no report yet`, { hint: `svc runs show ${run}` });
      }
      const { writeReportPage } = await import('../long-run/output/report-files.ts');
      await writeReportPage(report, invocation.flags.html, invocation.context);
    } else if (report) {
      const text = invocation.flags.details ? detailedReportText : reportText;
      const next = summary.overtakenBy === undefined ? report.next : [afterOvertaken(journal)];
      print(invocation, { ...report, next, input_copy_bytes: summary.copiedBytes }, (shown, style) =>
        text(shown, style, invocation.context.platform.home),
      );
    } else {
      print(invocation, unreportedRunJson(summary, journal.counts()), objectText);
    }
  } finally {
    journal.close();
  }
  return EXIT.ok;
};

const resumeRun: Run<Parameters<typeof import('./resume.ts').resume>[0]['flags']> = async (invocation) => {
  const { resume } = await import('./resume.ts');
  return resume(invocation);
};

const verifyFinished: Run<RunVerifyFlags> = async (invocation) => {
  const { verifyRun } = await import('./verify.ts');
  return verifyRun(invocation);
};

const resolveUnknown: Run<ResolveFlags> = async (invocation) => {
  const { resolve } = await import('./resolve.ts');
  return resolve(invocation);
};

const removeRun: Run<{ readonly confirm?: string }> = async ({ args, flags, settings, context }) => {
  const { deleteRun } = await import('../../runs/find/delete-run.ts');
  const { jsonText } = await import('../../render/text/object.ts');
  const { stateOf } = await import('../framework/settings/settings.ts');
  const run = args[0] ?? '';
  deleteRun(stateOf(context, settings), run, { confirm: flags.confirm });
  context.stdout.write(settings.output.json ? jsonText({ run, deleted: true }) : `Deleted ${run}.\n`);
  return EXIT.ok;
};

const pruneOld: Run<{ readonly olderThan?: number; readonly keep?: number }> = async ({
  flags: { olderThan, keep },
  settings,
  context,
}) => {
  const { pruneRuns } = await import('../../runs/find/delete-run.ts');
  const { jsonText } = await import('../../render/text/object.ts');
  const { stateOf } = await import('../framework/settings/settings.ts');
  if (olderThan === undefined && keep === undefined) {
    throw badUsage('nothing says which runs are old', 'For example: --keep 30, or --older-than 90d');
  }
  const before = olderThan === undefined ? undefined : context.clock.now() - olderThan;
  const pruned = pruneRuns(stateOf(context, settings), { before, keep });
  if (settings.output.json) {
    context.stdout.write(jsonText(pruned));
    return EXIT.ok;
  }
  if (settings.output.quiet) {
    return EXIT.ok;
  }
  const kept = pruned.kept.map(({ run, why }) => `Kept ${run}: ${why}.\n`);
  context.stdout.write([...pruned.deleted.map((run) => `Deleted ${run}.\n`), ...kept].join(''));
  return EXIT.ok;
};

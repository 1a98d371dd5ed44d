import { basename } from 'node:path';
import type { NewEmail } from '../../api/resources/emails.ts';
import type { Context } from '../../base/context.ts';
import { formatUtcMinute } from '../../base/lib/duration.ts';
import { EXIT, type ExitCode, rewordError, SvcError } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural, terminalSafe } from '../../base/lib/text.ts';
import { pathExists } from '../../base/os/files.ts';
import type { CheckOptions } from '../../contacts-check/check-options.ts';
import { ENROLL_COMMAND, type EnrollOptions } from '../../enroll/draft/enroll-options.ts';
import { wrapText } from '../../render/text/wrap.ts';
import type { Choice, Question } from '../../run-lifecycle/data/questioner.ts';
import { type ImportOptions, isImport } from '../../run-lifecycle/data/run-options.ts';
import { withResumeHint } from '../../run-lifecycle/run-lifecycle.ts';
import { listRuns, resolveRunName, unfinishedRuns } from '../../runs/find/list-runs.ts';
import { hintForOrigin, refuseFinished } from '../../runs/find/next-commands.ts';
import { type RecordedCommand, refuseOvertaken } from '../../runs/find/overtaken.ts';
import { isAgreed, isComparisonCommand } from '../../runs/find/run-status.ts';
import { type RunSummary, summarizeRun } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readRun, tryReadRun } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import { runFiles } from '../../runs/store/state-folder.ts';
import type { AudiencePlan } from '../audiences/create-and-rename.ts';
import type { Invocation } from '../framework/invocation.ts';
import { askQuestion, questionPrompter, requireYes } from '../framework/output/prompts.ts';
import { prepareCreationLine } from '../framework/output/resume-line.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { accountLimitsOf, type PaceFlags } from '../mailing-list-commands/flags/import-flags.ts';
import { executeCheck, executeEnroll, executeImport } from '../mailing-list-commands/mailing-list-command.ts';
import { originalsOf, recordedCopies } from '../mailing-list-commands/output/report-files.ts';
import { checkOutputFiles } from '../mailing-list-commands/output-files.ts';
import { recordedCommandOf } from '../mailing-list-commands/recorded-line.ts';
import type { EndpointPlan } from '../webhooks/create-with-secret.ts';

export async function resumeNamedRun(invocation: Invocation<PaceFlags>): Promise<ExitCode> {
  const { context, settings } = invocation;
  const [named] = invocation.args;
  const stateFolder = resolveStateFolder(context, settings);
  const run =
    named === undefined ? await onlyUnfinishedRun(stateFolder, invocation) : resolveRunName(stateFolder, named);
  const header = readRun(stateFolder, run, (journal) => journal.header);
  const unfinished = readUnfinished(stateFolder, run, await recordedCommandOf(invocation, header));
  try {
    return await resumeRun(invocation, unfinished);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'no_base_url') {
      throw rewordError(error, { hint: hintForOrigin(unfinished.header.origin) ?? error.hint });
    }
    // A creation that sent nothing deletes its run, so there may be nothing left to continue.
    const canContinue = context.signal.aborted && pathExists(runFiles(stateFolder, run).folder);
    throw canContinue ? withResumeHint(error, { signal: context.signal, runId: run }) : error;
  }
}

/** Continues the run with the function that its command uses. */
async function resumeRun(
  invocation: Invocation<PaceFlags>,
  { header, agreed, typed, copies }: UnfinishedRun,
): Promise<ExitCode> {
  const { context, settings, flags, argv } = invocation;
  const { run } = header;
  const resumeCreation = CREATIONS.get(header.command);
  if (resumeCreation) {
    prepareCreationLine(invocation, run);
  }
  if (!settings.output.quiet && !settings.output.json) {
    context.stderr.write(`${wrapText(`Resuming ${run}: ${describeRun(header)}`, context.stderr.columns).join('\n')}\n`);
  }
  if (resumeCreation) {
    return resumeCreation(invocation, header);
  }
  const { details, logFile } = flags;
  checkLogFile(context, { ...header, copies }, logFile);
  const shown = { settings, context, argv, details, logFile };
  const pace = { limits: accountLimitsOf(flags), lockWaitMs: flags.wait };
  const again = { ...shown, ...pace, resume: run, recorded: typed, answerSource: undefined, copies: undefined };
  if (isComparisonCommand(header.command)) {
    return executeCheck({ ...again, options: optionsOf<CheckOptions>(header) });
  }
  if (!agreed) {
    requireYes(invocation);
  }
  if (header.command === ENROLL_COMMAND) {
    return executeEnroll({ ...again, options: header.options as unknown as EnrollOptions });
  }
  if (!isImport(header.command)) {
    throw new SvcError(EXIT.usage, 'not_resumable', `${run} can't be resumed: ${terminalSafe(header.command)}`);
  }
  return executeImport({ ...again, options: optionsOf<ImportOptions>(header) });
}

/** Throws if the log would replace the list of the run, the file of its --output or a copy of its report. */
function checkLogFile(
  context: Context,
  { copies, ...header }: RunHeader & Pick<UnfinishedRun, 'copies'>,
  logFile: string | undefined,
): void {
  const { output } = header.options as Partial<CheckOptions>;
  checkOutputFiles(context, { inputs: originalsOf(header), output, logFile, copies });
}

/**
 * For each command that creates an object or sends a message: how to resume its run. Loads the code when it is needed.
 */
const CREATIONS: ReadonlyMap<string, (invocation: Invocation<unknown>, header: RunHeader) => Promise<ExitCode>> =
  new Map([
    [
      'audiences create',
      async (invocation, { options, run }) => {
        const { createOrResumeAudience } = await import('../audiences/create-and-rename.ts');
        return createOrResumeAudience(invocation, options as unknown as AudiencePlan, run);
      },
    ],
    [
      'webhooks create',
      async (invocation, { options, run }) => {
        const { createOrResumeEndpoint } = await import('../webhooks/create.ts');
        return createOrResumeEndpoint(invocation, options as unknown as EndpointPlan, run);
      },
    ],
    [
      'emails send',
      async (invocation, { options, run }) => {
        const { sendOrResumeMessage } = await import('../emails/send.ts');
        return sendOrResumeMessage(invocation, options as unknown as NewEmail, run);
      },
    ],
  ]);

async function onlyUnfinishedRun(stateFolder: string, { context, settings }: Invocation<unknown>): Promise<string> {
  const runs = unfinishedRuns(stateFolder);
  const [first, second] = runs;
  const all = listRuns(stateFolder);
  if (!first) {
    const running = all.find(({ status }) => status === 'running');
    if (running) {
      const hint = `svc runs show ${running.run}`;
      throw new SvcError(EXIT.busy, 'busy', `another process is working on ${running.run}`, { hint });
    }
    throw new SvcError(EXIT.usage, 'nothing_to_resume', 'no run is unfinished', { hint: 'See: svc runs ls' });
  }
  // The user may mean an overtaken run, which can't continue (G10). So svc does not choose the only unfinished run by
  // itself.
  const overtaken = all.filter(({ overtakenBy }) => overtakenBy !== undefined);
  if (!second && overtaken.length === 0) {
    return first.run;
  }
  const prompter = questionPrompter(context, settings);
  if (prompter && second) {
    const { flags } = await askQuestion(runQuestion(stateFolder, runs), { prompter, context, undone: 'resumed' });
    return flags[0] ?? first.run;
  }
  const describe = ({ command, destination }: (typeof runs)[number]) =>
    destination ? `${command} to ${JSON.stringify(terminalSafe(destination))}` : command;
  const lines = [
    ...runs.map((run) => `${describe(run)}:\nsvc runs resume ${run.run}`),
    ...overtaken.map((run) => `${describe(run)}, overtaken by ${run.overtakenBy}:\nsvc runs show ${run.run}`),
  ];
  const message =
    overtaken.length === 0
      ? `${runs.length} runs are unfinished`
      : `choose a run: ${runs.length} unfinished, ${overtaken.length} overtaken`;
  throw new SvcError(EXIT.usage, 'several_unfinished', message, { hint: `Say which:\n${lines.join('\n')}` });
}

/** Describes a run: `migrate list.csv to Newsletter, started 2026-01-01 12:00 UTC`. */
function describeRun({ command, inputs, destination, startedAt }: RunHeader): string {
  const files = inputs.map(({ path }) => basename(path)).join(', ');
  const to = destination ? `to ${destination.name || destination.id}` : '';
  return terminalSafe(
    `${[command, files, to].filter((part) => part !== '').join(' ')}, started ${formatUtcMinute(startedAt)} UTC`,
  );
}

/** Asks which run to continue. Each choice shows files, progress and start time. The newest run comes first. */
function runQuestion(stateFolder: string, runs: readonly RunSummary[]): Question {
  const choices = runs.map(({ run, command, destination, startedAt }, index): Choice => {
    const { inputs = [], sent = 0 } = tryReadRun(stateFolder, run, progressOf) ?? {};
    return {
      label: [command, ...inputs, ...(destination === undefined ? [] : [`to ${destination}`])].join(' '),
      // A check sends no rows, so their number is left out.
      detail: `${isComparisonCommand(command) ? '' : `${plural(sent, 'row')} sent, `}began ${formatUtcMinute(startedAt)}, …${run.slice(-6)}`,
      isLikely: index === 0,
      flags: [run],
    };
  });
  return {
    text: `${runs.length} runs are unfinished. Which one continues?`,
    choices: [...choices, { label: 'none of them', isLikely: false, flags: undefined }],
  };
}

function progressOf(journal: Journal) {
  const { created, updated, suppressed, alreadySuppressed, outcomes } = journal.counts();
  const sent = sumOf([created, updated, suppressed, alreadySuppressed, ...Object.values(outcomes)]);
  return { inputs: journal.header.inputs.map(({ path }) => path), sent };
}

type UnfinishedRun = ReturnType<typeof readUnfinished>;

/**
 * The header of an unfinished run, whether the user agreed to it, and the copies of its report. `typed` is the line to
 * print with further flags: undefined if its list has changed, because it would then send other people (D5). Throws if
 * the run is finished or overtaken.
 */
function readUnfinished(stateFolder: string, run: string, recorded: RecordedCommand) {
  return readRun(stateFolder, run, (journal) => {
    refuseOvertaken(journal, recorded);
    refuseFinished(summarizeRun(stateFolder, run));
    const { header } = journal;
    const typed = recorded.changes.length > 0 ? undefined : header.typed;
    return { header, agreed: isAgreed(journal), typed, copies: recordedCopies(journal) };
  });
}

/** The options of the run. They name the audience by its id, because another audience may have its name now. */
function optionsOf<T extends ImportOptions | CheckOptions>({ options, destination }: RunHeader): T {
  const recorded = options as unknown as T;
  return destination?.kind === 'audience'
    ? { ...recorded, target: { ...recorded.target, id: destination.id, name: undefined, create: false } }
    : recorded;
}

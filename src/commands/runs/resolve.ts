import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { badUsage, EXIT, type ExitCode, rewordError, SvcError } from '../../base/lib/errors.ts';
import { abortError } from '../../base/lib/interruption.ts';
import { plural, shellWord, terminalSafe } from '../../base/lib/text.ts';
import {
  type DecisionSource,
  type NamedDecision,
  type OutcomeDecision,
  type ResolutionResult,
  resolveRun,
} from '../../enroll/end/resolve-unknown.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import type { OutcomeCounts, RunReport } from '../../run-lifecycle/data/run-report.ts';
import { resolveRunName } from '../../runs/find/list-runs.ts';
import { readRun } from '../../runs/store/open-journal.ts';
import { type RunFiles, runFiles } from '../../runs/store/state-folder.ts';
import { personKey } from '../../wire/person-key.ts';
import type { Invocation } from '../framework/invocation.ts';
import { withPasteableCommands } from '../framework/output/command-to-paste.ts';
import { print } from '../framework/output/print.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { originalsOf, recordedCopies, writeReportFiles } from '../mailing-list-commands/output/report-files.ts';
import { recordedCommandOf } from '../mailing-list-commands/recorded-line.ts';
import { stepToEnroll } from './step-to-enroll.ts';

interface ResolveFlags {
  readonly all?: 'enrolled' | 'not-enrolled';
  readonly enrolled?: readonly string[];
  readonly notEnrolled?: readonly string[];
}

/**
 * `svc runs resolve`: records the user's decisions about enrollments with an unknown outcome. Exits with 3 if some of
 * them stay unknown.
 */
export async function resolveEnrollments(invocation: Invocation<ResolveFlags>): Promise<ExitCode> {
  const { context, settings, args } = invocation;
  const stateFolder = resolveStateFolder(context, settings);
  const run = resolveRunName(stateFolder, args[0] ?? '');
  const header = readRun(stateFolder, run, (journal) => journal.header);
  const recorded = await recordedCommandOf(invocation, header);
  const where = { stateFolder, run, now: () => context.clock.now(), recorded };
  const files = runFiles(stateFolder, run);
  const decider = deciderOf(invocation, files);
  let answers = 0;
  const notEnrolled: string[] = [];
  const decide: DecisionSource['decide'] = async (person) => {
    const decision = await decider.decide(person);
    answers += decision === undefined ? 0 : 1;
    if (decision === 'not-enrolled') {
      notEnrolled.push(person.email);
    }
    return decision;
  };
  const resolved = await resolveRun(where, { ...decider, decide }).catch((error: unknown) => {
    throw context.signal.aborted ? withAnswersSoFar(error, { answers, run, signal: context.signal }) : error;
  });
  const writeProblem = await rewriteCopies(context, stateFolder, run);
  const step = stepToEnroll(notEnrolled, header, { recorded, outcomesCsv: files.outcomesCsv });
  print(invocation, resolved, (counts) =>
    withPasteableCommands(`${resolvedText(counts)}${step}`, invocation.argv, context),
  );
  if (writeProblem) {
    throw writeProblem;
  }
  return resolved.unknown > 0 ? EXIT.partial : EXIT.ok;
}

/** Where the decisions come from: flags, if any are given, otherwise questions at the terminal. */
function deciderOf(invocation: Invocation<ResolveFlags>, files: RunFiles): DecisionSource {
  const { all, enrolled = [], notEnrolled = [] } = invocation.flags;
  const named: readonly NamedDecision[] = [
    ...enrolled.map((email) => ({ email: canonical(email), decision: 'enrolled' as const })),
    ...notEnrolled.map((email) => ({ email: canonical(email), decision: 'not-enrolled' as const })),
  ];
  const decisions = new Map<string, NamedDecision['decision']>();
  for (const { email, decision } of named) {
    const key = personKey(email);
    if ((decisions.get(key) ?? decision) !== decision) {
      throw badUsage(`--enrolled and --not-enrolled both name ${terminalSafe(email)}`);
    }
    decisions.set(key, decision);
  }
  if (all !== undefined || decisions.size > 0) {
    return { decide: async ({ email }) => decisions.get(personKey(email)) ?? all, named };
  }
  return { decide: async (person) => readDecision(await askAbout(person, invocation, files)), named: [] };
}

/**
 * Asks the user whether a person was enrolled. Throws if there is no terminal. Throws only here, because a run without
 * unknown outcomes asks nothing.
 */
async function askAbout(
  { email, line }: Enrollee,
  { context }: Invocation<ResolveFlags>,
  { folder }: RunFiles,
): Promise<string> {
  if (!context.prompter) {
    const list = join(folder, 'unknown.csv');
    const people = existsSync(list) ? `each person of ${shellWord(list)}` : 'each person';
    throw new SvcError(EXIT.usage, 'no_terminal', 'there is no terminal to ask at', {
      hint: [
        `Look up ${people} in the app. For one person, give --enrolled <address> or --not-enrolled <address>.`,
        'Only if all of them were enrolled:',
        '--all enrolled',
        'Only if none of them was enrolled:',
        '--all not-enrolled',
      ].join('\n'),
    });
  }
  return context.prompter.ask(
    `Line ${line}, ${terminalSafe(email)}: was this person enrolled? [y/n, Enter: not known] `,
  );
}

function readDecision(answer: string): OutcomeDecision {
  const word = answer.trim().toLowerCase();
  if (word === 'y' || word === 'yes') {
    return 'enrolled';
  }
  return word === 'n' || word === 'no' ? 'not-enrolled' : undefined;
}

function canonical(email: string): string {
  return email.trim().toLowerCase();
}

/** The error if the user stops between two questions. The decisions before the stop are recorded already. */
function withAnswersSoFar(
  error: unknown,
  { answers, run, signal }: { readonly answers: number; readonly run: string; readonly signal: AbortSignal },
): SvcError {
  const stop = error instanceof SvcError ? error : abortError(signal);
  const recorded = answers === 0 ? 'Nothing was recorded.' : `${plural(answers, 'decision')} recorded.`;
  return rewordError(stop, { hint: `${recorded} To decide about the others: svc runs resolve ${run}` });
}

/** Writes the page and the copies of the report again. Returns the error for the first file that can't be written. */
async function rewriteCopies(context: Context, stateFolder: string, run: string): Promise<SvcError | undefined> {
  const { report, copies } = readRun(stateFolder, run, (journal) => ({
    // The cast is safe, because `runs resolve` takes only finished enrollments, and svc wrote their report.
    report: journal.readReport() as RunReport<OutcomeCounts> | undefined,
    copies: { ...recordedCopies(journal), inputs: originalsOf(journal.header) },
  }));
  return report && writeReportFiles(report, copies, context);
}

function resolvedText({ run, enrolled, not_enrolled, unknown }: ResolutionResult): string {
  if (enrolled + not_enrolled + unknown === 0) {
    return 'No outcome of this run is unknown.\n';
  }
  const unknownWords = unknown > 0 ? `; ${plural(unknown, 'person', 'people')} still unknown` : '';
  const next = unknown > 0 ? `To decide about them: svc runs resolve ${run}\n` : '';
  return `${enrolled} enrolled, ${not_enrolled} not enrolled${unknownWords}.\n${next}`;
}

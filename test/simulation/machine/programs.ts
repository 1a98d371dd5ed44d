/** Starts the commands of a simulation inside this process. */

import type { Context } from '../../../src/base/context.ts';
import { SvcError, toBugError } from '../../../src/base/lib/errors.ts';
import { interruptionOf } from '../../../src/base/lib/interruption.ts';
import { runCli } from '../../../src/cli.ts';
import { resolveSettings } from '../../../src/commands/framework/settings/settings.ts';
import { executeEnroll, executeImport } from '../../../src/commands/mailing-list-commands/mailing-list-command.ts';
import { ENROLL_COMMAND, type EnrollOptions } from '../../../src/enroll/draft/enroll-options.ts';
import type { ImportCommand, ImportOptions } from '../../../src/run-lifecycle/data/run-options.ts';
import { NO_ANSWERS } from '../../unit/import/support.ts';
import type { Plot } from '../scenario/plot.ts';
import { NEW_AUDIENCE } from './service.ts';

const MAX_WAIT_MS = 30 * 60_000;

/** The destination of a program. */
export interface Target {
  readonly audienceId: string;
  readonly automationId: string | undefined;
}

/** Runs the command of a plot with a smaller batch size than the flags allow. Returns the exit code. */
export async function startProgram(plot: Plot, target: Target, context: Context): Promise<number> {
  const limits = { rate: 600, reserve: 120, concurrency: plot.concurrency, maxWaitMs: MAX_WAIT_MS };
  const settings = resolveSettings({ json: true, plan: 'paid', yes: true }, context);
  const absent = {
    resume: undefined,
    recorded: undefined,
    answerSource: undefined,
    copies: undefined,
    details: undefined,
    logFile: undefined,
  };
  const run = { limits, lockWaitMs: 0, settings, context, argv: [], ...absent };
  try {
    return plot.command === ENROLL_COMMAND
      ? await executeEnroll({ ...run, options: enrollOptions(plot, target.automationId) })
      : await executeImport({ ...run, options: importOptions(plot, plot.command, target.audienceId) });
  } catch (error) {
    const problem = error instanceof SvcError ? error : toBugError(error);
    context.stderr.write(`${problem.code}: ${problem.message}\n`);
    return problem === error ? problem.exit : (interruptionOf(context.signal)?.exit ?? problem.exit);
  }
}

/** `svc runs resume <run> --json` */
export function resumeProgram(run: string, context: Context): Promise<number> {
  return runCli(['runs', 'resume', run, '--json', '--plan', 'paid'], context);
}

function importOptions(plot: Plot, command: ImportCommand, audienceId: string): ImportOptions {
  const target = plot.creates ? { id: undefined, name: NEW_AUDIENCE } : { id: audienceId, name: undefined };
  return {
    ...commonOptions(plot),
    command,
    target: { ...target, create: plot.creates, mustExist: undefined, resumed: undefined },
    explicitStatus: plot.explicitStatus,
    verify: true,
    verifySample: 5,
    again: plot.again,
    changes: undefined,
    batchSize: plot.batchSize,
  };
}

function enrollOptions(plot: Plot, automationId = ''): EnrollOptions {
  return {
    ...commonOptions(plot),
    command: ENROLL_COMMAND,
    automationId: automationId,
    emails: [],
    createContacts: plot.createContacts,
    atMostOnce: plot.atMostOnce,
    reenroll: false,
  };
}

function commonOptions({ command, concurrency }: Plot) {
  const attributes = command === 'suppressions import' ? 'none' : 'all';
  return {
    inputs: ['list.csv'],
    reading: { ...NO_ANSWERS, defaultStatus: { '*': 'subscribed' }, attributes },
    allowAutomations: [],
    maxNewFields: 50,
    maxFailures: { kind: 'percent', percent: 20 },
    plan: 'paid',
    concurrency,
    dryRun: false,
  } as const;
}

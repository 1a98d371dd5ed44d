import type { Context } from '../../src/base/context.ts';
import { bugOf, SvcError } from '../../src/base/errors.ts';
import { interruptionOf } from '../../src/base/interruption.ts';
import { runCli } from '../../src/cli.ts';
import { executeImport } from '../../src/commands/import-run.ts';
import { resolveSettings } from '../../src/commands/settings.ts';
import type { ImportOptions } from '../../src/migrate/options.ts';
import type { Scenario } from './scenario.ts';
import { NEW_AUDIENCE } from './service.ts';

const MAX_WAIT_MS = 30 * 60_000;

/** The command line of a scenario, as far as a small batch size lets it be one. Ends like the command would. */
export async function startImport(scenario: Scenario, audienceId: string, context: Context): Promise<number> {
  const limits = { rate: 600, reserve: 120, concurrency: scenario.concurrency, maxWaitMs: MAX_WAIT_MS };
  const settings = resolveSettings({ json: true, plan: 'paid' }, context);
  try {
    const options = optionsOf(scenario, audienceId);
    return await executeImport({ options, limits, waitMs: 0, settings, context });
  } catch (error) {
    const problem = error instanceof SvcError ? error : bugOf(error);
    context.stderr.write(`${problem.code}: ${problem.message}\n`);
    return problem === error ? problem.exit : (interruptionOf(context.signal)?.exit ?? problem.exit);
  }
}

/** `svc runs resume <run> --json` */
export function resumeImport(run: string, context: Context): Promise<number> {
  return runCli(['runs', 'resume', run, '--json', '--plan', 'paid'], context);
}

function optionsOf(scenario: Scenario, audienceId: string): ImportOptions {
  return {
    command: scenario.command,
    inputs: ['list.csv'],
    reading: {
      from: 'auto',
      map: [],
      statusMap: {},
      defaultStatus: { '*': 'subscribed' },
      attributes: scenario.command === 'suppressions import' ? 'none' : 'all',
      topicValues: {},
      timezone: undefined,
      dateOrder: undefined,
      encoding: undefined,
      delimiter: undefined,
      empty: 'keep',
      duplicates: 'merge',
      reason: undefined,
    },
    target: scenario.creates ? { name: NEW_AUDIENCE, create: true } : { id: audienceId, create: false },
    allowAutomations: [],
    explicitStatus: scenario.explicitStatus,
    maxNewFields: 50,
    maxFailures: { kind: 'percent', percent: 20 },
    plan: 'paid',
    concurrency: scenario.concurrency,
    verify: true,
    verifySample: 5,
    dryRun: false,
    again: scenario.again,
    batchSize: scenario.batchSize,
  };
}

import { timeSince } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { describe, unexpectedFlows } from '../checks/automations.ts';
import { joinFlowsOf } from '../prepare/account-snapshot.ts';
import type { Work } from '../work.ts';

// The promise is "at least every 60 s"; the rest is room for a request that waits its turn.
const EVERY_MS = 40_000;

/**
 * A function to call before each batch: reads the automations again once they are 40 s old, and stops the run when a flow
 * appeared that would mail the people imported (rule M3). `sinceAsked` says how many milliseconds ago they were read for the plan.
 */
export function createFlowGuard(work: Work, audienceId: string, sinceAsked: () => number): () => Promise<void> {
  let age = sinceAsked;
  return async () => {
    if (age() < EVERY_MS) {
      return;
    }
    const flows = unexpectedFlows(await joinFlowsOf(work, audienceId), work.options.allowAutomations);
    if (flows.length > 0) {
      throw appeared(
        flows.map(describe).join(', '),
        flows.map((flow) => flow.id),
      );
    }
    age = timeSince(work.clock);
  };
}

function appeared(flows: string, ids: readonly string[]): SvcError {
  return new SvcError(
    EXIT.stopped,
    'automations',
    `a flow that mails the people imported appeared during the run: ${flows}`,
    {
      hint: `Archive it and resume, or start again with ${ids.map((id) => `--allow-automation ${id}`).join(' ')}`,
    },
  );
}

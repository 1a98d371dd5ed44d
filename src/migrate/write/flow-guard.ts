import { timeSince } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { describe, unexpectedFlows } from '../checks/automations.ts';
import { joinFlowsOf } from '../prepare/account-snapshot.ts';
import type { Work } from '../work.ts';

// The promise is "at least every 60 s". The rest is room for a request that waits for a permit.
const EVERY_MS = 40_000;

/**
 * Returns a function to call before each batch. It reads the automations again once they are 40 s old. It stops the run
 * if a new automation would mail the imported people (M3). `sinceAsked` says how many milliseconds ago the plan read
 * them.
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

import { listAutomations } from '../../api/resources/automations.ts';
import { timeSince } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { listed, plural, safe, shellWord } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import type { Automation } from '../../wire/shapes.ts';
import type { ImportOptions } from '../options.ts';
import type { Retype } from '../plan/commands-for-stops.ts';
import { joinFlowsOf } from '../prepare/account-snapshot.ts';
import type { RunContext, WriteContext } from '../run-context.ts';
import { type CheckContext, skippedCheck } from './check-context.ts';

/**
 * Stops if an automation starts when people join: it would mail all imported people. A paused one does so once it is
 * resumed (M3).
 */
export function automations(context: CheckContext): Finding {
  const { snapshot, survey, options, creates } = context;
  if (!snapshot) {
    return skippedCheck('automations', context);
  }
  if (survey.contacts === 0) {
    return { check: 'automations', level: 'pass', message: 'no contacts are written, so no flow starts' };
  }
  const flows = unexpectedFlows(snapshot.joinFlows, options.allowAutomations);
  if (flows.length > 0) {
    return stopFor(flows);
  }
  const allowed = snapshot.joinFlows.length;
  if (allowed > 0) {
    return {
      check: 'automations',
      level: 'warn',
      message: `${plural(allowed, 'flow')} will start for the people imported, as allowed: ${snapshot.joinFlows.map(describe).join(', ')}`,
    };
  }
  const message = creates ? 'the audience is new: no flow runs over it' : 'no flow starts as people join this audience';
  return { check: 'automations', level: 'pass', message };
}

function stopFor(flows: readonly Automation[]): Finding {
  const names = namesOf(flows);
  return {
    check: 'automations',
    level: 'stop',
    message: `${plural(flows.length, 'flow')} would start for all people imported: ${flows.map(describe).join(', ')}`,
    hint: flows.map((flow) => `--allow-automation ${shellWord(flow.id)}`).join(' '),
    instead: `After you archived ${names} in the app (to pause is not enough)`,
    when: `Only if ${names} should mail every person of this list`,
    total: flows.length,
  };
}

// svc means to read the automations at least every 60 s. The other 20 s are for a request that waits for a permit.
const EVERY_MS = 40_000;

/**
 * Returns a function to call before each batch. It reads the automations again once they are 40 s old. It stops the run
 * if a new automation would mail the imported people (M3). `sinceAsked` says how many milliseconds ago the plan read
 * them.
 */
export function createFlowGuard(
  context: WriteContext,
  audienceId: string,
  sinceAsked: () => number,
): () => Promise<void> {
  let age = sinceAsked;
  return async () => {
    if (age() < EVERY_MS) {
      return;
    }
    const flows = unexpectedFlows(await joinFlowsOf(context, audienceId), context.options.allowAutomations);
    if (flows.length > 0) {
      throw newFlowError(flows, context.retype);
    }
    age = timeSince(context.clock);
  };
}

function newFlowError(flows: readonly Automation[], retype: Retype | undefined): SvcError {
  const flags = flows.map(({ id }) => `--allow-automation ${shellWord(id)}`).join(' ');
  const again = `Only if ${namesOf(flows)} should mail every person of this list`;
  return new SvcError(
    EXIT.stopped,
    'automations',
    `a new flow would mail the imported people: ${flows.map(describe).join(', ')}`,
    {
      hint: [
        `Archive ${namesOf(flows)} in the app and resume. To pause is not enough.`,
        ...(retype ? [`${again}:`, retype(flags)] : [`${again}: the same command with ${flags}`]),
      ].join('\n'),
    },
  );
}

function namesOf(flows: readonly Automation[]): string {
  return listed(
    flows.map(({ name }) => `"${safe(name)}"`),
    3,
  );
}

/**
 * Refuses an --allow-automation that names no automation of the account, archived ones included (O8). A typing mistake
 * must not count as an answer.
 */
export async function checkAllowedFlows(
  { allowAutomations }: Pick<ImportOptions, 'allowAutomations'>,
  { account, signal }: Pick<RunContext, 'account' | 'signal'>,
): Promise<void> {
  const missing = new Set(allowAutomations);
  for (const status of account ? [undefined, 'archived'] : []) {
    if (account && missing.size > 0) {
      for await (const { id } of listAutomations(account.client, { status, signal })) {
        missing.delete(id);
      }
    }
  }
  if (account && missing.size > 0) {
    throw new SvcError(
      EXIT.usage,
      'not_found',
      `--allow-automation: ${plural(missing.size, 'id')} not found with this key: ${[...missing].join(', ')}`,
      { hint: 'A wrong id, or the wrong key. See: svc automations ls' },
    );
  }
}

function unexpectedFlows(flows: readonly Automation[], allowed: readonly string[]): Automation[] {
  return flows.filter((flow) => !allowed.includes(flow.id));
}

/** Describes an automation: name, id, and what its status means for the imported people. */
function describe(flow: Automation): string {
  const sandbox = flow.sandbox ? ', sandbox: mails members only until it is published again' : '';
  const paused = flow.status === 'paused' ? ', keeps people waiting and mails them when it resumes' : '';
  return `"${safe(flow.name)}" (${safe(flow.id)}, ${safe(flow.status)}${paused}${sandbox})`;
}

import { listAutomations } from '../../api/resources/automations.ts';
import { timeSince } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { listed, plural, safe, shellWord } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import type { AUTOMATION_TRIGGERS } from '../../wire/service-words.ts';
import type { Automation } from '../../wire/shapes.ts';
import type { ImportOptions } from '../options.ts';
import type { Retype } from '../plan/commands-for-stops.ts';
import { joinFlowsOf } from '../prepare/account-snapshot.ts';
import type { FlowGuard, RunContext, WriteContext } from '../run-context.ts';
import { type CheckContext, skippedCheck } from './check-context.ts';

/**
 * Stops if an automation starts when people join: it would mail all imported people (M3). A paused one would mail them
 * once it is resumed.
 */
export function automationsFinding(context: CheckContext): Finding {
  const { snapshot, survey, options, createsAudience } = context;
  if (!snapshot) {
    return skippedCheck('automations', context);
  }
  if (survey.contacts === 0) {
    return { check: 'automations', level: 'pass', message: 'no contacts are written, so no automation starts' };
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
      message: `${plural(allowed, 'automation')} will start for the people imported, as allowed: ${snapshot.joinFlows.map(describe).join(', ')}`,
    };
  }
  const message = createsAudience
    ? 'the audience is new, so no automation starts as people join it'
    : 'no automation starts as people join this audience';
  return { check: 'automations', level: 'pass', message };
}

function stopFor(flows: readonly Automation[]): Finding {
  const names = namesOf(flows);
  return {
    check: 'automations',
    level: 'stop',
    message: `${plural(flows.length, 'automation')} would start for all people imported: ${flows.map(describe).join(', ')}`,
    hint: flows.map((flow) => `--allow-automation ${shellWord(flow.id)}`).join(' '),
    instead: `After you archived ${names} in the app (to pause is not enough)`,
    when: `Only if ${names} should mail every person of this list`,
    total: flows.length,
  };
}

// svc promises to look for new automations at least every 60 s. After a look, a request may still wait for the rate
// limit. So svc looks every 40 s.
const EVERY_MS = 40_000;
const STALE_MS = 60_000;

/** `sinceAsked` returns the milliseconds since the plan read the automations. */
export function createFlowGuard(context: WriteContext, audienceId: string, sinceAsked: () => number): FlowGuard {
  let age = sinceAsked;
  let reading: Promise<void> | undefined;
  const newFlows = async () =>
    unexpectedFlows(await joinFlowsOf(context, audienceId), context.options.allowAutomations);
  const read = async () => {
    const flows = await duringOutage(context, newFlows);
    if (flows.length > 0) {
      throw newFlowError(flows, context.retype);
    }
    age = timeSince(context.clock);
  };
  return {
    refuseNew: async () => {
      if (age() >= EVERY_MS) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
    },
    isStale: () => age() >= STALE_MS,
    noteNew: async () => {
      const flows = await newFlows();
      const message = `${plural(flows.length, 'automation')} appeared during the run and may have mailed imported people: ${flows.map(describe).join(', ')}`;
      context.journal.note(NEW_FLOWS, flows.length > 0 ? message : undefined);
      if (flows.length > 0) {
        context.emit({ type: 'note', message });
      }
    },
  };
}

// The attempts of a batch go on during an outage of the service of about four minutes. So must these reads.
const OUTAGE_MS = 4 * 60_000;
const MOST_READS = 10;

/** Repeats a failed read, as long as a batch would be repeated in the same outage (P6). */
async function duringOutage<T>({ clock }: Pick<WriteContext, 'clock'>, read: () => Promise<T>): Promise<T> {
  const elapsed = timeSince(clock);
  for (let reads = 1; ; reads += 1) {
    try {
      return await read();
    } catch (error) {
      const mayEnd = error instanceof SvcError && error.exit === EXIT.failed && error.code !== 'too_many_retries';
      if (!mayEnd || reads >= MOST_READS || elapsed() >= OUTAGE_MS) {
        throw error;
      }
    }
  }
}

const NEW_FLOWS = 'new_flows';

/** The finding about automations that appeared while contacts were written. Undefined if there are none. */
export function newFlowFinding(journal: Pick<WriteContext['journal'], 'read'>): Finding | undefined {
  const message = journal.read(NEW_FLOWS);
  return typeof message === 'string' ? { check: 'automations', level: 'warn', message } : undefined;
}

function newFlowError(flows: readonly Automation[], retype: Retype | undefined): SvcError {
  const flags = flows.map(({ id }) => `--allow-automation ${shellWord(id)}`).join(' ');
  const again = `Only if ${namesOf(flows)} should mail every person of this list`;
  return new SvcError(
    EXIT.stopped,
    'automations',
    `a new automation would mail the imported people: ${flows.map(describe).join(', ')}`,
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
 * Throws if --allow-automation names an id that no automation of the account has (O8). A typing error must not count as
 * an answer. Archived automations count too.
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

const JOIN: (typeof AUTOMATION_TRIGGERS)[number] = 'audience_join';

/** Describes an automation: name, id, and what its status means for the imported people. */
function describe(flow: Automation): string {
  const sandbox = flow.sandbox ? ', sandbox: mails members only until it is published again' : '';
  const paused = flow.status === 'paused' ? ', keeps people waiting and mails them when it resumes' : '';
  const trigger = flow.trigger === JOIN ? '' : `, unknown trigger ${safe(flow.trigger)}`;
  return `"${safe(flow.name)}" (${safe(flow.id)}, ${safe(flow.status)}${trigger}${paused}${sandbox})`;
}

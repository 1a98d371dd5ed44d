import { listAutomations } from '../../api/resources/automations.ts';
import type { Finding } from '../../base/finding.ts';
import { startStopwatch } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { joinAtMost, plural, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { CommandWithFlags } from '../../run-lifecycle/data/questioner.ts';
import type { NewAutomationGuard, RunContext, WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { ImportOptions } from '../../run-lifecycle/data/run-options.ts';
import { JOIN_TRIGGER } from '../../wire/service-words.ts';
import type { Automation } from '../../wire/shapes.ts';
import { joinAutomationsOf } from '../account/account-snapshot.ts';
import { type CheckContext, skippedCheck } from './check-context.ts';

/**
 * Stops if contacts are written to an audience with a join automation, unless --allow-automation names it. A join
 * automation mails each person who joins, so it would mail all imported people (M3). A paused automation would mail
 * them when it resumes.
 */
export function automationsFinding(context: CheckContext): Finding {
  const { snapshot, survey, options, createsAudience } = context;
  if (!snapshot) {
    return skippedCheck('automations', context);
  }
  if (survey.contacts === 0) {
    return { check: 'automations', level: 'pass', message: 'no contacts are written, so no automation starts' };
  }
  const automations = unexpectedAutomations(snapshot.joinAutomations, options.allowAutomations);
  if (automations.length > 0) {
    return automationsStop(automations);
  }
  const allowed = snapshot.joinAutomations.length;
  if (allowed > 0) {
    return {
      check: 'automations',
      level: 'warn',
      message: `${plural(allowed, 'automation')} will start for the imported people, as --allow-automation says: ${snapshot.joinAutomations.map(describeAutomation).join(', ')}`,
    };
  }
  const message = createsAudience
    ? 'the audience is new, so no automation starts as people join it'
    : 'no automation starts as people join this audience';
  return { check: 'automations', level: 'pass', message };
}

function automationsStop(automations: readonly Automation[]): Finding {
  const nameList = namesOf(automations);
  return {
    check: 'automations',
    level: 'stop',
    message: `${plural(automations.length, 'automation')} would start for all people imported: ${automations.map(describeAutomation).join(', ')}`,
    hint: automations.map((automation) => `--allow-automation ${shellWord(automation.id)}`).join(' '),
    instead: `After you archived ${nameList} in the app (to pause is not enough)`,
    when: `Only if ${nameList} should mail every person of this list`,
    total: automations.length,
  };
}

// svc promises that no batch is sent more than 60 s after the automations were read. A request may still wait for the
// rate limit after that read. So svc reads the automations every 40 s.
const READ_EVERY_MS = 40_000;
const STALE_MS = 60_000;

/**
 * Makes the guard against automations that appear while contacts are written. `snapshotAgeMs` returns the milliseconds
 * since the plan read the automations.
 */
export function createNewAutomationGuard(
  context: WriteContext,
  audienceId: string,
  snapshotAgeMs: () => number,
): NewAutomationGuard {
  let age = snapshotAgeMs;
  let reading: Promise<void> | undefined;
  const readNewAutomations = async () =>
    unexpectedAutomations(await joinAutomationsOf(context, audienceId), context.options.allowAutomations);
  const read = async () => {
    const automations = await retryDuringOutage(context, readNewAutomations);
    if (automations.length > 0) {
      throw newAutomationsError(automations, context.commandWith);
    }
    age = startStopwatch(context.clock);
  };
  return {
    refuseNew: async () => {
      if (age() >= READ_EVERY_MS) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
    },
    isStale: () => age() >= STALE_MS,
    noteNew: async () => {
      const automations = await readNewAutomations();
      const message = `${plural(automations.length, 'automation')} appeared during the run and may have mailed imported people: ${automations.map(describeAutomation).join(', ')}`;
      context.journal.writeNote(NEW_AUTOMATIONS_NOTE, automations.length > 0 ? message : undefined);
      if (automations.length > 0) {
        context.emit({ type: 'note', message });
      }
    },
  };
}

// svc repeats a batch for about four minutes during an outage. It must repeat failed reads of automations for as long.
const OUTAGE_MS = 4 * 60_000;
const MAX_READS = 10;

/** Repeats a failed read for as long as a batch would be repeated in the same outage (P6). */
async function retryDuringOutage<T>({ clock }: Pick<WriteContext, 'clock'>, read: () => Promise<T>): Promise<T> {
  const elapsedMs = startStopwatch(clock);
  for (let reads = 1; ; reads += 1) {
    try {
      return await read();
    } catch (error) {
      const mayEnd = error instanceof SvcError && error.exit === EXIT.failed && error.code !== 'too_many_retries';
      if (!mayEnd || reads >= MAX_READS || elapsedMs() >= OUTAGE_MS) {
        throw error;
      }
    }
  }
}

const NEW_AUTOMATIONS_NOTE = 'new_flows';

/** The finding about automations that appeared while contacts were written. Undefined if there are none. */
export function newAutomationsFinding(journal: Pick<WriteContext['journal'], 'readNote'>): Finding | undefined {
  const message = journal.readNote(NEW_AUTOMATIONS_NOTE);
  return typeof message === 'string' ? { check: 'automations', level: 'warn', message } : undefined;
}

/** True if this automation appeared while the run of this journal wrote contacts. */
export function notesNewAutomation(journal: Pick<WriteContext['journal'], 'readNote'>, automationId: string): boolean {
  return newAutomationsFinding(journal)?.message.includes(`(${terminalSafe(automationId)},`) === true;
}

function newAutomationsError(automations: readonly Automation[], commandWith: CommandWithFlags | undefined): SvcError {
  const flags = automations.map(({ id }) => `--allow-automation ${shellWord(id)}`).join(' ');
  const again = `Only if ${namesOf(automations)} should mail every person of this list`;
  return new SvcError(
    EXIT.stopped,
    'automations',
    `a new automation would mail the imported people: ${automations.map(describeAutomation).join(', ')}`,
    {
      hint: [
        `Archive ${namesOf(automations)} in the app and resume. To pause is not enough.`,
        ...(commandWith ? [`${again}:`, commandWith(flags)] : [`${again}: the same command with ${flags}`]),
      ].join('\n'),
    },
  );
}

function namesOf(automations: readonly Automation[]): string {
  return joinAtMost(
    automations.map(({ name }) => `"${terminalSafe(name)}"`),
    3,
  );
}

/**
 * Throws if --allow-automation names an id that no automation of the account has (O8). Otherwise a typing error would
 * count as the user's agreement. Archived automations count too. Without an account, checks nothing.
 */
export async function checkAllowedAutomations(
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

function unexpectedAutomations(automations: readonly Automation[], allowed: readonly string[]): Automation[] {
  return automations.filter((automation) => !allowed.includes(automation.id));
}

/** Describes an automation: name, id, and what its status means for the imported people. */
function describeAutomation(automation: Automation): string {
  const sandbox = automation.sandbox ? ', sandbox: mails members only until it is published again' : '';
  const paused = automation.status === 'paused' ? ', keeps people waiting and mails them when it resumes' : '';
  const trigger = automation.trigger === JOIN_TRIGGER ? '' : `, unknown trigger ${terminalSafe(automation.trigger)}`;
  return `"${terminalSafe(automation.name)}" (${terminalSafe(automation.id)}, ${terminalSafe(automation.status)}${trigger}${paused}${sandbox})`;
}

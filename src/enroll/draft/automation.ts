import type { Client } from '../../api/client.ts';
import { getAudience } from '../../api/resources/audiences.ts';
import { listAutomations, startsByItself } from '../../api/resources/automations.ts';
import { checkId } from '../../api/resources/ids.ts';
import type { Finding } from '../../base/finding.ts';
import { type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { shellFile, shellWord, terminalSafe } from '../../base/lib/text.ts';
import { type CheckContext, skippedCheck } from '../../migrate/checks/check-context.ts';
import { audienceDeletedError } from '../../migrate/run-import.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import type { Destination } from '../../runs/store/run-header.ts';
import { JOIN_TRIGGER } from '../../wire/service-words.ts';
import type { Audience, Automation } from '../../wire/shapes.ts';
import type { EnrollmentRecords } from '../records/enrollment-records.ts';
import type { EnrollOptions } from './enroll-options.ts';

/** The automation that people are enrolled in, and its audience. */
export interface AutomationTarget {
  readonly automation: Automation;
  readonly audience: Audience;
}

/** An open run and its automation. `automationTarget` is undefined if the account is not queried. */
export interface EnrollmentTarget extends OpenRun<EnrollOptions> {
  readonly automationTarget: AutomationTarget | undefined;
}

/** An open run of an enrollment. `records` is undefined if the account is not queried. */
export interface OpenEnrollment extends EnrollmentTarget {
  readonly records: EnrollmentRecords | undefined;
}

/** What svc needs to read the automations of the account. */
interface AutomationSource {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Finds an automation by id. No endpoint returns a single automation, so svc reads the list of automations, and then
 * the list of archived ones. If none has the id, the error has the exit code `missingExit` (O8).
 */
export async function findAutomationTarget(
  source: AutomationSource,
  automationId: string,
  missingExit: ExitCode,
): Promise<AutomationTarget> {
  checkId('automation', automationId);
  const automation = (await findAmong(source, automationId)) ?? (await findAmong(source, automationId, 'archived'));
  if (!automation) {
    const message = `automation ${automationId} was not found with this key: wrong id, or the wrong key`;
    throw new SvcError(missingExit, 'not_found', message, { hint: 'svc automations ls' });
  }
  const audience = await getAudience(source.client, automation.audience_id, source).catch((error: unknown) => {
    throw audienceDeletedError(error);
  });
  return { automation, audience };
}

/** The automation as the destination in a run's header. */
export function automationDestination({ automation, audience }: AutomationTarget): Destination {
  const { id, name, created_at: createdAt } = automation;
  return { kind: 'automation', id, name, createdAt, audienceId: audience.id };
}

async function findAmong(
  { client, signal }: AutomationSource,
  id: string,
  status?: string,
): Promise<Automation | undefined> {
  for await (const automation of listAutomations(client, { status, signal })) {
    if (automation.id === id) {
      return automation;
    }
  }
  return undefined;
}

interface AutomationCheckContext extends Pick<CheckContext, 'accountProblem' | 'options'> {
  /** The automation to enroll in. Undefined if the account was not queried. */
  readonly automation: Automation | undefined;
  readonly createContacts: boolean;
}

/**
 * Stops if the automation is a draft or archived. Stops with --create-contacts if it starts, or may start, for each
 * person who joins the audience: it would mail each person twice (M3). Without that flag, this is a warning. Also warns
 * about an automation that is paused, in sandbox mode (M4), or of an unknown status.
 */
export function automationFinding({
  automation,
  accountProblem,
  createContacts,
  options,
}: AutomationCheckContext): Finding {
  const findingOf = (level: Finding['level'], message: string): Finding => ({ check: 'automation', level, message });
  if (!automation) {
    return skippedCheck('automation', { accountProblem });
  }
  const name = `"${terminalSafe(automation.name)}" (${terminalSafe(automation.id)})`;
  if (automation.status === 'draft' || automation.status === 'archived') {
    return findingOf('stop', `${name} is ${automation.status}, so no one can be enrolled; publish it in the app`);
  }
  if (createContacts && startsByItself(automation)) {
    const starts =
      automation.trigger === JOIN_TRIGGER
        ? 'starts'
        : `has the unknown trigger ${terminalSafe(automation.trigger)} and may start`;
    const message = `${name} ${starts} for each person who joins the audience: with --create-contacts it would mail them twice`;
    const files = options.inputs.map((input) => ` ${shellFile(input)}`).join('');
    const importing = `For the others, the import starts it: svc contacts import${files} --audience ${shellWord(automation.audience_id)}`;
    const hint = [
      'Leave out --create-contacts to enroll people who are in the audience.',
      ...(files ? [importing] : []),
    ];
    return { ...findingOf('stop', message), hint: hint.join('\n') };
  }
  const notes = [...statusNotes(automation), ...sandboxNotes(automation), ...joinNotes(automation)];
  return notes.length > 0 ? findingOf('warn', `${name} ${notes.join('; ')}`) : findingOf('pass', `${name} is active`);
}

function statusNotes({ status }: Automation): string[] {
  if (status === 'paused') {
    return ['is paused: people wait at the trigger and are mailed when it resumes'];
  }
  return status === 'active' ? [] : [`has the unknown status ${terminalSafe(status)}`];
}

function sandboxNotes({ sandbox }: Automation): string[] {
  return sandbox ? ['is in sandbox mode: it mails only members of your organization until it is published again'] : [];
}

function joinNotes(automation: Automation): string[] {
  if (!startsByItself(automation)) {
    return [];
  }
  return automation.trigger === JOIN_TRIGGER
    ? ['also starts for all people who join the audience']
    : [`may also start on its own: it has the unknown trigger ${terminalSafe(automation.trigger)}`];
}

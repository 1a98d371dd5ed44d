import type { Client } from '../api/client.ts';
import { getAudience } from '../api/resources/audiences.ts';
import { listAutomations } from '../api/resources/automations.ts';
import { checkId } from '../api/resources/ids.ts';
import { SvcError } from '../base/lib/errors.ts';
import type { ExitCode } from '../base/lib/exit.ts';
import { safe } from '../base/lib/text.ts';
import type { Finding } from '../import/survey/finding.ts';
import { type CheckContext, skippedCheck } from '../migrate/checks/check-context.ts';
import type { Destination } from '../migrate/prepare/open-run.ts';
import type { Audience, Automation } from '../wire/shapes.ts';

/** The automation that people are enrolled in, and its audience. */
export interface Flow {
  readonly automation: Automation;
  readonly audience: Audience;
}

interface AutomationSource {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Finds an automation on all pages, then among the archived ones, because there is no endpoint for a single one. If it
 * is missing, the error has the exit code `missingExit` (rule O8).
 */
export async function findFlow(source: AutomationSource, automationId: string, missingExit: ExitCode): Promise<Flow> {
  checkId('automation', automationId);
  const automation = (await findAmong(source, automationId)) ?? (await findAmong(source, automationId, 'archived'));
  if (!automation) {
    const message = `automation ${automationId} was not found with this key: wrong id, or the wrong key`;
    throw new SvcError(missingExit, 'not_found', message, { hint: 'svc automations ls' });
  }
  return { automation, audience: await getAudience(source.client, automation.audience_id, source) };
}

/** The automation as the destination in a run's header. */
export function flowDestination({ automation, audience }: Flow): Destination {
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

/**
 * Refuses draft and archived automations. Warns about paused and sandboxed ones, which may behave unexpectedly (rule
 * M4).
 */
export function automationFinding({
  flow,
  notAskedBecause,
}: Pick<CheckContext, 'notAskedBecause'> & { readonly flow: Automation | undefined }): Finding {
  const finding = (level: Finding['level'], message: string): Finding => ({ check: 'automation', level, message });
  if (!flow) {
    return skippedCheck('automation', { notAskedBecause });
  }
  const name = `"${safe(flow.name)}" (${safe(flow.id)})`;
  if (flow.status === 'draft' || flow.status === 'archived') {
    return finding('stop', `${name} is ${flow.status}, so no one can be enrolled; publish it in the app`);
  }
  const notes = [...statusNotes(flow), ...sandboxNotes(flow), ...joinNotes(flow)];
  return notes.length > 0 ? finding('warn', `${name} ${notes.join('; ')}`) : finding('pass', `${name} is active`);
}

function statusNotes({ status }: Automation): string[] {
  if (status === 'paused') {
    return ['is paused: people wait at the trigger and are mailed when it resumes'];
  }
  return status === 'active' ? [] : [`has the unknown status ${safe(status)}`];
}

function sandboxNotes({ sandbox }: Automation): string[] {
  return sandbox ? ['is in sandbox mode: it mails only members of your organization until it is published again'] : [];
}

function joinNotes({ trigger }: Automation): string[] {
  return trigger === 'audience_join' ? ['also starts for all people who join the audience'] : [];
}

import { ApiError } from '../../api/api-error.ts';
import type { Client } from '../../api/client.ts';
import { type CountedAudience, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { listWebhooks } from '../../api/resources/webhooks.ts';
import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import { ago } from '../../render/table/cell.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Automation, WebhookEndpoint } from '../../wire/shapes.ts';
import { gather } from '../framework/output/print.ts';
import { streakOf } from '../webhooks/ls.ts';
import type { DoctorFinding } from './findings.ts';

/** Everything that `doctor` reads of an account. */
interface AccountRead {
  readonly audiences: readonly CountedAudience[];
  readonly automations: readonly Automation[];
  /** The refusal where the key may not read them (rule W2). */
  readonly webhooks: readonly WebhookEndpoint[] | ApiError;
}

/** Reads audiences with their counts, automations and webhooks, all pages. Throws what the first read met. */
export async function readAccount(client: Client, signal: AbortSignal): Promise<AccountRead> {
  const audiences: CountedAudience[] = [];
  for await (const { id } of listAudiences(client, { signal })) {
    audiences.push(await getAudience(client, id, { signal }));
  }
  const automations = await gather(listAutomations(client, { signal }));
  return { audiences, automations, webhooks: await readWebhooks(client, signal) };
}

async function readWebhooks(client: Client, signal: AbortSignal): Promise<AccountRead['webhooks']> {
  try {
    return await gather(listWebhooks(client, { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return error;
    }
    throw error;
  }
}

/** What gives the plan away; the service has no endpoint that says it. Subscribers count over all audiences (rule P2). */
export function examinePlan({ audiences, automations }: AccountRead, told: 'free' | 'paid' | undefined): DoctorFinding {
  const total = audiences.reduce((sum, audience) => sum + audience.contact_counts.total, 0);
  const proof = proofOfPaid(total, automations);
  if (proof === undefined) {
    const message = `nothing shows whether it is free or paid; ${formatNumber(total)} contacts, and a free plan ends at ${LIMITS.freePlanSubscribers}`;
    return { check: 'plan', level: 'info', message };
  }
  return told === 'free'
    ? {
        check: 'plan',
        level: 'warn',
        message: `paid (${proof}), but the settings say free`,
        hint: 'See: svc auth status',
      }
    : { check: 'plan', level: 'pass', message: `paid: ${proof}` };
}

function proofOfPaid(total: number, automations: readonly Automation[]): string | undefined {
  if (total > LIMITS.freePlanSubscribers) {
    return `${formatNumber(total)} contacts are more than a free plan holds`;
  }
  const open = automations.find(({ sandbox, live_version }) => sandbox === false && live_version !== null);
  return open && `the automation "${safe(open.name)}" was published outside the sandbox`;
}

/** Flows that fire at whoever joins an audience, by audience (rule M3), and flows that mail members only (rule M4). */
export function examineFlows({ audiences, automations }: AccountRead): DoctorFinding[] {
  const joins = automations.filter((flow) => flow.trigger === 'audience_join' && isLive(flow));
  const byAudience = Map.groupBy(joins, ({ audience_id }) => audience_id);
  const firing = [...byAudience].map(([id, flows]) => firingAt(nameOf(audiences, id), flows));
  const sandboxed = automations.filter((flow) => flow.sandbox && isLive(flow));
  return [...(firing.length > 0 ? firing : [NONE_FIRES]), ...(sandboxed.length > 0 ? [membersOnly(sandboxed)] : [])];
}

const NONE_FIRES: DoctorFinding = { check: 'flows', level: 'pass', message: 'no flow fires by itself as people join' };

// A status we have never heard of counts as live, as in the checks of an import.
function isLive({ status }: Automation): boolean {
  return status !== 'draft' && status !== 'archived';
}

function firingAt(audience: string, flows: readonly Automation[]): DoctorFinding {
  return {
    check: 'flows',
    level: 'info',
    message: `${plural(flows.length, 'flow fires', 'flows fire')} at everybody who joins ${audience}: ${listed(flows)}`,
    hint: 'An import into it stops until they are paused and archived, or allowed with --allow-automation <id>.',
  };
}

function membersOnly(flows: readonly Automation[]): DoctorFinding {
  return {
    check: 'sandbox',
    level: 'info',
    message: `${plural(flows.length, 'flow mails', 'flows mail')} members of your organisation only: ${listed(flows)}`,
    hint: 'That follows the plan at each publishing: publish again after an upgrade.',
  };
}

function listed(flows: readonly Automation[]): string {
  return flows.map(({ id, name, status }) => `"${name}" (${id}, ${status})`).join(', ');
}

function nameOf(audiences: AccountRead['audiences'], id: string): string {
  const audience = audiences.find((each) => each.id === id);
  return audience ? `"${audience.name}" (${id})` : id;
}

const UNSEEN = 'campaigns:send and automations:enroll can’t be seen without acting';

/** The one scope that shows by reading, and the health of the endpoints where it is there. */
export function examineWebhooks(webhooks: AccountRead['webhooks'], now: number): DoctorFinding[] {
  if (!isList(webhooks)) {
    return [
      {
        check: 'scopes',
        level: 'info',
        message: `without webhooks:manage (${webhooks.code}); ${UNSEEN}`,
        hint: 'A scope cannot be added to a key: to see webhooks, create a new key with it in the app.',
      },
      { check: 'webhooks', level: 'skipped', message: 'not looked at: the key may not read them' },
    ];
  }
  const failing = webhooks.filter((endpoint) => streakOf(endpoint) > 0);
  const health = failing.length > 0 ? failing.map((endpoint) => sick(endpoint, now)) : [healthy(webhooks.length)];
  return [{ check: 'scopes', level: 'pass', message: `with webhooks:manage; ${UNSEEN}` }, ...health];
}

function isList(webhooks: AccountRead['webhooks']): webhooks is readonly WebhookEndpoint[] {
  return Array.isArray(webhooks);
}

function healthy(count: number): DoctorFinding {
  const message = count === 0 ? 'no endpoints' : `${plural(count, 'endpoint')}, none failing`;
  return { check: 'webhooks', level: 'pass', message };
}

function sick(endpoint: WebhookEndpoint, now: number): DoctorFinding {
  const { id, url, last_error, last_failure_at } = endpoint;
  const streak = streakOf(endpoint);
  const times = streak === 1 ? 'once' : `${plural(streak, 'time')} in a row`;
  const when = last_failure_at ? `, ${streak === 1 ? '' : 'last '}${ago(last_failure_at, now)}` : '';
  return {
    check: 'webhooks',
    level: 'warn',
    message: `${url} (${id}) failed ${times}${when}: ${last_error ?? 'no error given'}`,
    hint: `svc webhooks deliveries ${id} --summary`,
  };
}

import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/http/api-error.ts';
import { type AudienceWithCounts, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations, mayMailPeople, startsByItself } from '../../api/resources/automations.ts';
import { listWebhookEndpoints } from '../../api/resources/webhooks.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural, terminalSafe } from '../../base/lib/text.ts';
import { timeAgo } from '../../render/text/cell.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Automation, WebhookEndpoint } from '../../wire/shapes.ts';
import { failureStreakOf } from '../webhooks/ls.ts';
import { type DoctorFinding, finding } from './findings.ts';

interface AccountContents {
  readonly audiences: readonly AudienceWithCounts[];
  readonly automations: readonly Automation[];
  /** The webhook endpoints, or the error of the service if it does not show them (W2). */
  readonly endpoints: readonly WebhookEndpoint[] | ApiError;
}

export async function readAccount(client: Client, signal: AbortSignal): Promise<AccountContents> {
  const audiences = await Array.fromAsync(listAudiences(client, { signal }), ({ id }) =>
    getAudience(client, id, { signal }),
  );
  const automations = await Array.fromAsync(listAutomations(client, { signal }));
  return { audiences, automations, endpoints: await readEndpoints(client, signal) };
}

async function readEndpoints(client: Client, signal: AbortSignal): Promise<AccountContents['endpoints']> {
  try {
    return await Array.fromAsync(listWebhookEndpoints(client, { signal }));
  } catch (error) {
    if (error instanceof ApiError && (error.code === NO_SCOPE || error.status === 403)) {
      return error;
    }
    throw error;
  }
}

/**
 * Reports whether the account is on a paid plan. No endpoint shows the plan. Only one thing proves a paid plan: more
 * contacts in all audiences together than a free plan holds (P2).
 */
export function examinePlan(
  { audiences, automations }: AccountContents,
  configured: 'free' | 'paid' | undefined,
): DoctorFinding {
  const total = sumOf(audiences.map((audience) => audience.contact_counts.total));
  if (total <= LIMITS.freePlanSubscribers) {
    const message = `nothing shows whether it is free or paid now; ${plural(total, 'contact')}, and a free plan ends at ${LIMITS.freePlanSubscribers}`;
    return finding('info', 'plan', `${message}${earlierPlan(automations)}`);
  }
  const proof = `${plural(total, 'contact is', 'contacts are')} more than a free plan holds`;
  return configured === 'free'
    ? finding('warn', 'plan', `paid (${proof}), but the settings say free`, 'See: svc auth status')
    : finding('pass', 'plan', `paid: ${proof}`);
}

/** Says that an automation outside of sandbox mode was last published on a paid plan. It may be free now (M4). */
function earlierPlan(automations: readonly Automation[]): string {
  const open = automations.find(({ sandbox, live_version }) => sandbox === false && typeof live_version === 'number');
  return open === undefined
    ? ''
    : `; it was paid when the automation "${terminalSafe(open.name)}" was last published, outside the sandbox`;
}

/**
 * Reports automations that start when a contact joins an audience (M3). Also reports automations in sandbox mode, which
 * mail members of the organization only (M4).
 */
export function examineAutomations({ audiences, automations }: AccountContents): DoctorFinding[] {
  const joins = automations.filter((automation) => startsByItself(automation) && mayMailPeople(automation));
  const byAudience = Map.groupBy(joins, ({ audience_id }) => audience_id);
  const starting = [...byAudience].map(([id, automations]) => joinFinding(audienceLabel(audiences, id), automations));
  const sandboxed = automations.filter((automation) => automation.sandbox && mayMailPeople(automation));
  return [
    ...(starting.length > 0
      ? starting
      : [finding('pass', 'flows', 'no automation starts when a contact joins an audience')]),
    ...(sandboxed.length > 0 ? [membersOnly(sandboxed)] : []),
  ];
}

function joinFinding(audience: string, automations: readonly Automation[]): DoctorFinding {
  const start = plural(automations.length, 'automation starts', 'automations start');
  return finding(
    'info',
    'flows',
    `${start} for each contact that joins ${audience}: ${automationList(automations)}`,
    'An import into it stops until they are archived, or allowed with --allow-automation <id>.',
  );
}

function membersOnly(automations: readonly Automation[]): DoctorFinding {
  const mail = plural(automations.length, 'automation mails', 'automations mail');
  return finding(
    'info',
    'sandbox',
    `${mail} members of your organization only: ${automationList(automations)}`,
    'The plan decides this when an automation is published. After an upgrade, publish it again.',
  );
}

function automationList(automations: readonly Automation[]): string {
  return automations.map(({ id, name, status }) => `"${name}" (${id}, ${status})`).join(', ');
}

function audienceLabel(audiences: AccountContents['audiences'], id: string): string {
  const audience = audiences.find((each) => each.id === id);
  return audience ? `"${audience.name}" (${id})` : id;
}

const NOT_VISIBLE = "svc can't check campaigns:send and automations:enroll without using them";

const NO_SCOPE = 'insufficient_scope';

/** The findings if the service does not show the endpoints. Only one error code means that a scope is missing (O1). */
function hiddenEndpoints({ code, message, hint, requestId }: ApiError): DoctorFinding[] {
  if (code === NO_SCOPE) {
    const newKey = 'A scope cannot be added to a key: to see webhooks, create a new key with it in the app.';
    return [
      finding('info', 'scopes', `the key lacks the scope webhooks:manage (${code}). ${NOT_VISIBLE}`, newKey),
      finding('skipped', 'webhooks', 'not checked: the key may not read them'),
    ];
  }
  const refused = `the service did not show the webhook endpoints, for another reason than a scope: ${message}`;
  return [
    { ...finding('warn', 'scopes', refused, hint), code, request_id: requestId },
    finding('skipped', 'webhooks', 'not checked: the service did not show them'),
  ];
}

/**
 * Reports whether the key has the scope webhooks:manage, and which webhook endpoints fail. svc checks no other scope,
 * because only a write would show it.
 */
export function examineEndpoints(endpoints: AccountContents['endpoints'], now: number): DoctorFinding[] {
  if (endpoints instanceof ApiError) {
    return hiddenEndpoints(endpoints);
  }
  const failing = endpoints.filter((endpoint) => failureStreakOf(endpoint) > 0);
  const well = endpoints.length === 0 ? 'no endpoints' : `${plural(endpoints.length, 'endpoint')}, none failing`;
  return [
    finding('pass', 'scopes', `with webhooks:manage; ${NOT_VISIBLE}`),
    ...(failing.length > 0
      ? failing.map((endpoint) => failingFinding(endpoint, now))
      : [finding('pass', 'webhooks', well)]),
  ];
}

function failingFinding(endpoint: WebhookEndpoint, now: number): DoctorFinding {
  const { id, url, last_error, last_failure_at } = endpoint;
  const streak = failureStreakOf(endpoint);
  const times = streak === 1 ? 'once' : `${plural(streak, 'time')} in a row`;
  const when = last_failure_at ? `, ${streak === 1 ? '' : 'last '}${timeAgo(last_failure_at, now)}` : '';
  const message = `${url} (${id}) failed ${times}${when}: ${last_error ?? 'no error given'}`;
  return finding('warn', 'webhooks', message, `svc webhooks deliveries ${id} --summary`);
}

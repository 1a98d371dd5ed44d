import { plural } from '../../base/lib/text.ts';
import { ago } from '../../render/table/cell.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { streakOf } from '../webhooks/ls.ts';
import type { DoctorFinding } from './finding.ts';
import type { AccountRead } from './read-account.ts';

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

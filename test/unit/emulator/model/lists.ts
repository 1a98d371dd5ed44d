import { type AudienceState, type Flow, liveAudiences, type Organization } from './account.ts';
import { contactRecord } from './contacts.ts';
import { deliveryRecords } from './deliveries.ts';
import { ABSENT, SOME_TEXT } from './expectation.ts';
import { invalid, type Outcome, ok, refuseAny } from './refusals.ts';
import type { Fields, Webhook } from './shapes.ts';

/** GET of a list: newest first, cut into pages. */
export function page(items: readonly Fields[], query: URLSearchParams, refusals: readonly Outcome[] = []): Outcome {
  const limit = query.get('limit');
  const after = query.get('after');
  const size = limit === null ? 50 : /^\d+$/.test(limit) ? Number(limit) : 0;
  const isKnown = after === null || after.startsWith('@') || after === '';
  const all = [
    ...refusals,
    ...(size >= 1 && size <= 100 ? [] : [invalid('limit')]),
    ...(isKnown ? [] : [invalid('after')]),
  ];
  if (all.length > 0) {
    return refuseAny(all);
  }
  const newestFirst = [...items].reverse();
  // An item that is deleted meanwhile moves no page, so the cursor counts from the oldest.
  const from = after === null ? 0 : newestFirst.findIndex(({ id }) => numberOf(id) < numberOf(after));
  const data = from < 0 ? [] : newestFirst.slice(from, from + size);
  const last = data.at(-1);
  const hasMore = last !== undefined && last !== newestFirst.at(-1);
  return ok({ data, has_more: hasMore, next_cursor: hasMore ? SOME_TEXT : null });
}

// The names of the model count up, so they say which of two objects is older.
const numberOf = (symbol: unknown) => Number(String(symbol).split('_')[1]);

export function listAudiences(organization: Organization, query: URLSearchParams): Outcome {
  return page(
    liveAudiences(organization).map((audience) => audienceRecord(audience)),
    query,
  );
}

export function listContacts({ people }: AudienceState, query: URLSearchParams): Outcome {
  return page(
    [...people.values()].map((person) => contactRecord(person)),
    query,
  );
}

export function listSuppressions({ suppressions }: Organization, query: URLSearchParams): Outcome {
  return page(
    [...suppressions.values()].map((entry) => ({ ...entry, object: 'suppression' })),
    query,
  );
}

/** Note webhook_status_filter: an unknown word finds nothing. */
export function listDeliveries(webhook: Webhook, query: URLSearchParams, now: number): Outcome {
  return page(deliveryRecords(webhook, query.get('status'), now), query);
}

/** "archived automations are hidden unless asked for" */
export function listFlows({ flows }: Organization, query: URLSearchParams): Outcome {
  const status = query.get('status');
  const isKnown = status === null || ['draft', 'active', 'paused', 'archived'].includes(status);
  const shown = flows.filter((flow) => (status === null ? flow.status !== 'archived' : flow.status === status));
  return page(shown.map(automationRecord), query, isKnown ? [] : [invalid('status')]);
}

function automationRecord({
  audience,
  reentry: _,
  filter: _filter,
  unusable: _unusable,
  runs: _runs,
  ...flow
}: Flow): Fields {
  return { ...flow, object: 'automation', audience_id: audience.id };
}

/** The record of an audience. `contact_counts` is present only on retrieve-one. */
export function audienceRecord(audience: AudienceState, withCounts = false): Fields {
  const { id, name, created_at, updated_at, people } = audience;
  const count = (status: string) => [...people.values()].filter((person) => person.status === status).length;
  const counts = { subscribed: count('subscribed'), unsubscribed: count('unsubscribed'), total: people.size };
  return { id, object: 'audience', name, created_at, updated_at, contact_counts: withCounts ? counts : ABSENT };
}

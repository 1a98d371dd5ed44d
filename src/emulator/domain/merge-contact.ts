import type { Context, JsonObject } from '../context.ts';
import type { ContactRow, NewContact } from '../store/contacts.ts';
import { mergeAttributes } from './attributes.ts';
import type { ContactDraft } from './contact-draft.ts';

/** The status that a draft gives to a contact; `before` is undefined for a new one. */
export function statusAfter({ variants }: Context, draft: ContactDraft, before: string | undefined): string {
  if (draft.status !== undefined || before === undefined) {
    return draft.status ?? variants.omitted_status;
  }
  return variants.omitted_status_existing === 'keep' ? before : 'subscribed';
}

/** The contact that a draft makes if the audience had none. */
export function newContact(draft: ContactDraft, audience: number, context: Context): NewContact {
  const now = context.clock.now();
  const status = statusAfter(context, draft, undefined);
  return {
    audience,
    email: draft.email,
    first_name: draft.first_name ?? null,
    last_name: draft.last_name ?? null,
    status,
    unsubscribed_at: status === 'unsubscribed' ? (draft.unsubscribed_at ?? now) : null,
    attributes: mergeAttributes('{}', draft.attributes),
    topics: mergeTopics('{}', draft.topics),
    created_at: now,
    updated_at: now,
  };
}

/** An existing contact with a draft merged into it. */
export function mergedContact(row: ContactRow, draft: ContactDraft, context: Context): ContactRow {
  const now = context.clock.now();
  const status = statusAfter(context, draft, row.status);
  return {
    ...row,
    first_name: draft.first_name === undefined ? row.first_name : draft.first_name,
    last_name: draft.last_name === undefined ? row.last_name : draft.last_name,
    status,
    unsubscribed_at: status === 'unsubscribed' ? optOutDate(row, draft, context) : null,
    attributes: mergeAttributes(row.attributes, draft.attributes),
    topics: mergeTopics(row.topics, draft.topics),
    updated_at: now,
  };
}

function optOutDate(row: ContactRow, draft: ContactDraft, context: Context): number {
  const given = context.variants.unsubscribed_at_on_update === 'honoured' ? draft.unsubscribed_at : undefined;
  const kept = row.status === 'unsubscribed' ? row.unsubscribed_at : null;
  return given ?? kept ?? context.clock.now();
}

function mergeTopics(stored: string, topics: JsonObject | undefined): string {
  return topics === undefined ? stored : JSON.stringify({ ...JSON.parse(stored), ...topics });
}

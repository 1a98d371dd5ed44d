import { mergeAttributes } from './attributes.ts';
import type { ContactDraft } from './contact-draft.ts';
import type { Quirks } from './quirks.ts';
import { type ContactRow, insertContact, type NewContact, updateContact } from './store/contacts.ts';
import type { JsonObject, World } from './world.ts';

/** Writes a draft over the contact that is there, or as a new one; returns the row as it is now. */
export function writeContact(
  world: World,
  { audience, existing }: { readonly audience: number; readonly existing: ContactRow | undefined },
  draft: ContactDraft,
): ContactRow {
  if (existing !== undefined) {
    const merged = mergedContact(existing, draft, world);
    updateContact(world.store, merged);
    return merged;
  }
  const fresh = newContact(draft, audience, world);
  return { seq: insertContact(world.store, fresh), ...fresh };
}

/** The contact that a draft makes where there was none. */
function newContact(draft: ContactDraft, audience: number, world: World): NewContact {
  const now = world.clock.now();
  const status = draft.status ?? world.quirks.omitted_status;
  return {
    audience,
    email: draft.email,
    first_name: draft.first_name ?? null,
    last_name: draft.last_name ?? null,
    status,
    unsubscribed_at: status === 'unsubscribed' ? (draft.unsubscribed_at ?? now) : null,
    attributes: mergeAttributes('{}', draft.attributes),
    topics: mergeTopics('{}', draft.topics, world.quirks),
    created_at: now,
    updated_at: now,
  };
}

/** An existing contact with a draft merged into it. */
function mergedContact(row: ContactRow, draft: ContactDraft, world: World): ContactRow {
  const { quirks } = world;
  const now = world.clock.now();
  const status = draft.status ?? (quirks.omitted_status_existing === 'keep' ? row.status : 'subscribed');
  return {
    ...row,
    first_name: draft.first_name === undefined ? row.first_name : draft.first_name,
    last_name: draft.last_name === undefined ? row.last_name : draft.last_name,
    status,
    unsubscribed_at: status === 'unsubscribed' ? optOutDate(row, draft, world) : null,
    attributes: mergeAttributes(row.attributes, draft.attributes),
    topics: mergeTopics(row.topics, draft.topics, quirks),
    updated_at: now,
  };
}

function optOutDate(row: ContactRow, draft: ContactDraft, world: World): number {
  const given = world.quirks.unsubscribed_at_on_update === 'honoured' ? draft.unsubscribed_at : undefined;
  const kept = row.status === 'unsubscribed' ? row.unsubscribed_at : null;
  return given ?? kept ?? world.clock.now();
}

function mergeTopics(stored: string, topics: JsonObject | undefined, quirks: Quirks): string {
  if (topics === undefined || quirks.unknown_topic === 'dropped') {
    return stored;
  }
  return JSON.stringify({ ...JSON.parse(stored), ...topics });
}

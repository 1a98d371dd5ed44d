import { CONTACT_STATUSES } from '../../wire/service-words.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { parseTimestamp } from '../context/formats.ts';
import type { Variants } from '../context/variants.ts';
import { type JsonObject, requireObject } from '../protocol/body.ts';
import { invalidRequest, Refusal } from '../protocol/envelope.ts';
import type { ContactRow, NewContact } from '../store/contacts.ts';
import { canonicalize, checkAddress } from './address.ts';
import { type AttributeChanges, mergeAttributes, readAttributes } from './attributes.ts';

/** A contact as a request describes it. A missing field stays unchanged. Null deletes a name. */
export interface ContactDraft {
  readonly email: string;
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
  readonly status?: string | undefined;
  readonly unsubscribed_at?: number | undefined;
  readonly attributes: AttributeChanges;
  readonly topics?: JsonObject | undefined;
}

const NO_ATTRIBUTES: AttributeChanges = {};

// Contacts can have other statuses too, but the service document shows only requests with `subscribed` and
// `unsubscribed`.
const WRITABLE_STATUSES: readonly string[] = CONTACT_STATUSES.slice(0, 2);

/**
 * Reads one contact of a request. `prefix` is put before field names in errors, for example `contacts[3].`. Throws 400
 * if the whole request is refused. If only this row fails, returns the error as `fault`.
 */
export function readContactDraft(
  value: unknown,
  variants: Variants,
  prefix: string,
): { draft: ContactDraft; fault?: Refusal } {
  const item = requireObject(value, 'A contact', prefix.slice(0, -1));
  const attributes =
    item.attributes === undefined ? NO_ATTRIBUTES : readAttributes(item.attributes, `${prefix}attributes`);
  const email = typeof item.email === 'string' ? canonicalize(item.email, variants) : '';
  try {
    return { draft: readFields(item, { email: checkAddress(email, `${prefix}email`), attributes }, prefix) };
  } catch (error) {
    if (error instanceof Refusal && variants.batch_invalid_row === 'row') {
      return { draft: { email, attributes }, fault: error };
    }
    throw error;
  }
}

// The result is one object literal, because V8 handles all drafts of a batch faster if they are made in the same way.
function readFields(
  item: JsonObject,
  { email, attributes }: Pick<ContactDraft, 'email' | 'attributes'>,
  prefix: string,
): ContactDraft {
  return {
    email,
    first_name: readName(item, 'first_name', prefix),
    last_name: readName(item, 'last_name', prefix),
    status: readStatus(item.status, prefix),
    unsubscribed_at: readDate(item.unsubscribed_at, prefix),
    attributes,
    topics: readTopics(item.topics, prefix),
  };
}

function readName(item: JsonObject, field: 'first_name' | 'last_name', prefix: string): string | null | undefined {
  const value = item[field];
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw invalidRequest(`${field} must be a string.`, `${prefix}${field}`);
  }
  // SQLite stores UTF-8, which can't store half of a surrogate pair.
  return value?.toWellFormed() ?? value;
}

function readStatus(value: unknown, prefix: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const status = WRITABLE_STATUSES.find((known) => known === value);
  if (status === undefined) {
    throw invalidRequest(`status must be one of ${WRITABLE_STATUSES.join(', ')}.`, `${prefix}status`);
  }
  return status;
}

function readTopics(value: unknown, prefix: string): JsonObject | undefined {
  const topics = value === undefined ? undefined : requireObject(value, 'topics', `${prefix}topics`);
  try {
    JSON.stringify(topics);
  } catch {
    throw invalidRequest('topics is nested too deeply.', `${prefix}topics`);
  }
  return topics;
}

function readDate(value: unknown, prefix: string): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined) {
    throw invalidRequest('unsubscribed_at must be a timestamp.', `${prefix}unsubscribed_at`);
  }
  return ms;
}

/** The status of a contact once the draft is written. `before` is undefined for a new contact. */
export function statusAfter({ variants }: EmulatorContext, draft: ContactDraft, before: string | undefined): string {
  if (draft.status !== undefined || before === undefined) {
    return draft.status ?? variants.omitted_status;
  }
  return variants.omitted_status_existing === 'keep' ? before : 'subscribed';
}

/** The new contact of a draft. All contacts of one request should get the same time. */
export function newContact(
  draft: ContactDraft,
  { audience, now }: { readonly audience: number; readonly now: number },
  context: EmulatorContext,
): NewContact {
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

export function mergedContact(row: ContactRow, draft: ContactDraft, context: EmulatorContext): ContactRow {
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

function optOutDate(row: ContactRow, draft: ContactDraft, context: EmulatorContext): number {
  const sentDate = context.variants.unsubscribed_at_on_update === 'honoured' ? draft.unsubscribed_at : undefined;
  const storedDate = row.status === 'unsubscribed' ? row.unsubscribed_at : null;
  return sentDate ?? storedDate ?? context.clock.now();
}

function mergeTopics(stored: string, topics: JsonObject | undefined): string {
  return topics === undefined ? stored : JSON.stringify({ ...JSON.parse(stored), ...topics });
}

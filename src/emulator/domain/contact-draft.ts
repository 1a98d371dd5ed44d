import { CONTACT_STATUSES } from '../../wire/service-words.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { parseTimestamp } from '../context/formats.ts';
import type { Variants } from '../context/variants.ts';
import { type JsonObject, requireObject } from '../protocol/body.ts';
import { invalidRequest, Refusal } from '../protocol/envelope.ts';
import type { ContactRow, NewContact } from '../store/contacts.ts';
import { canonicalize, invalidAddress, isAddress } from './address.ts';
import { type AttributeChanges, mergeAttributes, type PathOf, readAttributes } from './attributes.ts';

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
 * Reads one contact of a request. Throws 400 if the whole request is refused. If only this row fails, returns the error
 * as `fault`.
 */
export function readContactDraft(
  item: JsonObject,
  variants: Variants,
  pathOf: PathOf,
): { draft: ContactDraft; fault?: Refusal } {
  const attributes = item.attributes === undefined ? NO_ATTRIBUTES : readAttributes(item.attributes, pathOf);
  const email = typeof item.email === 'string' ? canonicalize(item.email, variants) : '';
  try {
    if (!isAddress(email)) {
      throw invalidAddress(pathOf('email'));
    }
    return { draft: readFields(item, { email, attributes }, pathOf) };
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
  pathOf: PathOf,
): ContactDraft {
  return {
    email,
    first_name: readName(item, 'first_name', pathOf),
    last_name: readName(item, 'last_name', pathOf),
    status: readStatus(item.status, pathOf),
    unsubscribed_at: readDate(item.unsubscribed_at, pathOf),
    attributes,
    topics: readTopics(item.topics, pathOf),
  };
}

function readName(item: JsonObject, field: 'first_name' | 'last_name', pathOf: PathOf): string | null | undefined {
  const value = item[field];
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw invalidRequest(`${field} must be a string.`, pathOf(field));
  }
  // SQLite stores UTF-8. Half of a surrogate pair has no form in UTF-8, so it is replaced.
  return value?.toWellFormed() ?? value;
}

function readStatus(value: unknown, pathOf: PathOf): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const status = WRITABLE_STATUSES.find((known) => known === value);
  if (status === undefined) {
    throw invalidRequest(`status must be one of ${WRITABLE_STATUSES.join(', ')}.`, pathOf('status'));
  }
  return status;
}

function readTopics(value: unknown, pathOf: PathOf): JsonObject | undefined {
  if (value === undefined) {
    return undefined;
  }
  const topics = requireObject(value, 'topics', pathOf('topics'));
  try {
    JSON.stringify(topics);
  } catch {
    throw invalidRequest('topics is nested too deeply.', pathOf('topics'));
  }
  return topics;
}

function readDate(value: unknown, pathOf: PathOf): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined) {
    throw invalidRequest('unsubscribed_at must be a timestamp.', pathOf('unsubscribed_at'));
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
    unsubscribed_at: status === 'unsubscribed' ? (optOutDate(row, draft, context) ?? now) : null,
    attributes: mergeAttributes(row.attributes, draft.attributes),
    topics: mergeTopics(row.topics, draft.topics),
    updated_at: now,
  };
}

// The opt-out date: the sent date if the variant `unsubscribed_at_on_update` honours it, otherwise the stored date.
// Null if the contact opts out now and has no such date.
function optOutDate(row: ContactRow, draft: ContactDraft, context: EmulatorContext): number | null {
  const sentDate = context.variants.unsubscribed_at_on_update === 'honoured' ? draft.unsubscribed_at : undefined;
  const storedDate = row.status === 'unsubscribed' ? row.unsubscribed_at : null;
  return sentDate ?? storedDate;
}

function mergeTopics(stored: string, topics: JsonObject | undefined): string {
  return topics === undefined ? stored : JSON.stringify({ ...JSON.parse(stored), ...topics });
}

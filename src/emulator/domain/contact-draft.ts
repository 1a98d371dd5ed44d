import { CONTACT_STATUSES } from '../../wire/words.ts';
import type { JsonObject } from '../context.ts';
import { asObject } from '../http/body.ts';
import { invalid, Refusal, refuseField } from '../http/envelope.ts';
import type { Variants } from '../variants.ts';
import { canonicalize, isAddress } from './address.ts';
import { type AttributeChanges, readAttributes } from './attributes.ts';
import { parseTimestamp } from './formats.ts';

/** A contact as a request describes it. Absent fields are not changed. Null clears a name. */
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

// The document shows requests with the first two; `pending` and `bounced` exist as well.
const WRITABLE_STATUSES: readonly string[] = CONTACT_STATUSES.slice(0, 2);

/**
 * Reads one contact of a request. `at` is the prefix of its fields in `param`: `contacts[3].`, or nothing. Throws 400
 * if the document refuses the whole request. An error of the row alone is returned as a Refusal, with the address if it
 * could be read.
 */
export function readDraft(value: unknown, variants: Variants, at: string): { draft: ContactDraft; fault?: Refusal } {
  const item = asObject(value, 'A contact', at.slice(0, -1));
  const attributes = item.attributes === undefined ? NO_ATTRIBUTES : readAttributes(item.attributes, `${at}attributes`);
  const email = typeof item.email === 'string' ? canonicalize(item.email, variants) : '';
  try {
    return { draft: readFields(item, { email: checkAddress(email, at), attributes }, at) };
  } catch (error) {
    if (error instanceof Refusal && variants.batch_invalid_row === 'row') {
      return { draft: { email, attributes }, fault: error };
    }
    throw error;
  }
}

/** A canonical address that the service accepts. Throws 400 `invalid_email`. */
function checkAddress(email: string, at: string): string {
  if (!isAddress(email)) {
    throw refuseField(`${at}email`, [400, 'invalid_email', 'Not an email address.']);
  }
  return email;
}

interface ContactParts {
  readonly email: string;
  readonly attributes: AttributeChanges;
}

// One literal, so that V8 gives all drafts of a batch the same shape.
function readFields(item: JsonObject, { email, attributes }: ContactParts, at: string): ContactDraft {
  return {
    email,
    first_name: readName(item, 'first_name', at),
    last_name: readName(item, 'last_name', at),
    status: readStatus(item.status, at),
    unsubscribed_at: readDate(item.unsubscribed_at, at),
    attributes,
    topics: readTopics(item.topics, at),
  };
}

function readName(item: JsonObject, field: 'first_name' | 'last_name', at: string): string | null | undefined {
  const value = item[field];
  if (value !== undefined && value !== null && typeof value !== 'string') {
    throw invalid(`${field} must be a string.`, `${at}${field}`);
  }
  return value;
}

function readStatus(value: unknown, at: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const status = WRITABLE_STATUSES.find((known) => known === value);
  if (status === undefined) {
    throw invalid(`status must be one of ${WRITABLE_STATUSES.join(', ')}.`, `${at}status`);
  }
  return status;
}

function readTopics(value: unknown, at: string): JsonObject | undefined {
  const topics = value === undefined ? undefined : asObject(value, 'topics', `${at}topics`);
  try {
    JSON.stringify(topics);
  } catch {
    throw invalid('topics is nested too deeply.', `${at}topics`);
  }
  return topics;
}

function readDate(value: unknown, at: string): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined) {
    throw invalid('unsubscribed_at must be a timestamp.', `${at}unsubscribed_at`);
  }
  return ms;
}

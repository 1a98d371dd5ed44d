import { SvcError } from '../../base/lib/errors.ts';
import { CONTACT_STATUSES } from '../../wire/service-words.ts';
import type { BatchResponse, Contact } from '../../wire/shapes.ts';
import { refuseWrongId } from '../api-error.ts';
import type { CallOptions, Client } from '../client.ts';
import { contentKey, type KeySource, type SendOptions, type WriteOutcome } from '../retry/write-request.ts';
import { type AudienceWithCounts, getAudience } from './audiences.ts';
import { checkAddress, checkId, checkListAddress } from './ids.ts';
import { createObjectDecoder, createObjectReader } from './json-bodies.ts';
import {
  type CursorPage,
  type ListEndpoint,
  type ListOptions,
  listCursorPages,
  listPages,
  MAX_PAGES_OF_LONG_LISTS,
} from './pages.ts';

/** Up to 1,000 contacts for an audience, as the exact bytes of the request. */
export interface ContactBatch {
  readonly audienceId: string;
  readonly body: Buffer;
  /** Random hex digits of `--again`. They make a new key for the same content. */
  readonly keySuffix: string | undefined;
  /**
   * The kind of request in the idempotency key. Undefined for a regular batch. The canary (the first people of a run)
   * and a test with one person (`upsert`) may send the same bytes as a batch, but need other keys.
   */
  readonly op: 'contacts' | 'canary' | 'upsert' | undefined;
}

/** The idempotency key of a batch, by key version. The same bytes to the same audience give the same key. */
export function contactBatchKey(
  client: Client,
  { audienceId, body, keySuffix, op = 'contacts' }: ContactBatch,
): KeySource['keyForVersion'] {
  const destination = [client.origin, audienceId];
  return (keyVersion) => contentKey({ op, destination, body, keyVersion, keySuffix });
}

/** POST /v1/audiences/{id}/contacts/batch. Repeatable: after an unknown outcome the same key is sent again. */
export function postContactBatch(
  client: Client,
  { audienceId, body }: ContactBatch,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<BatchResponse>> {
  const segments = [...contactsOf(audienceId), 'batch'];
  return client.post({ ...keySource, segments, body, policy: 'repeatable', parseResponse: readBatch }, signal);
}

/** GET /v1/audiences/{id}/contacts, page by page, newest first. */
export function listContacts(
  client: Client,
  audienceId: string,
  options: ListOptions = {},
): AsyncGenerator<readonly Contact[]> {
  return listPages(client, { ...contactsIn(client, audienceId, options.signal), ...options });
}

/** The pages of the contact list with their cursors, starting at the cursor `after`. */
export function listContactPages(
  client: Client,
  audienceId: string,
  options: ListOptions & { readonly after?: string | undefined },
): AsyncGenerator<CursorPage<Contact>> {
  return listCursorPages(client, { ...contactsIn(client, audienceId, options.signal), ...options });
}

/**
 * The address of a contact, trimmed and in lower case like the addresses of the list. A service may show capitals (F8).
 */
export function canonicalEmail({ email }: Pick<Contact, 'email'>): string {
  return email.trim().toLowerCase();
}

/** True if the contact is unsubscribed or bounced. A status that is missing or unknown proves nothing (O6). */
export function isUnsubscribed({ status }: Pick<Contact, 'status'>): boolean {
  return status === 'unsubscribed' || status === 'bounced';
}

/** True if the status is a word of the service document. Another word, or no status, proves nothing (O6). */
export function hasKnownStatus({ status }: Pick<Contact, 'status'>): boolean {
  return CONTACT_STATUSES.some((known) => known === status);
}

/** Identifies a contact by id or address. `topics` includes its topics. */
export interface ContactQuery extends CallOptions {
  readonly audienceId: string;
  readonly idOrEmail: string;
  readonly includeTopics?: boolean | undefined;
}

/** GET /v1/audiences/{id}/contacts/{contact}. An unknown contact is a usage error (O8). */
export async function getContact(client: Client, query: ContactQuery): Promise<Contact> {
  const { idOrEmail } = query;
  const contact = idOrEmail.includes('@') ? checkAddress(idOrEmail) : checkId('contact', idOrEmail);
  return readContact(client, contact, query).catch(refuseWrongId(`contact ${idOrEmail}`));
}

/**
 * Reads a contact by id or address. Undefined if the audience has no such contact. The caller must know that the
 * audience exists, because a missing audience gives the same 404.
 */
export async function findContact(client: Client, query: ContactQuery): Promise<Contact | undefined> {
  try {
    return await readContact(client, checkListAddress(query.idOrEmail), query);
  } catch (error) {
    if (error instanceof SvcError && NOT_A_CONTACT.includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}

/** Error codes for an address that no contact has. `invalid_address` comes from svc, the others from the service. */
const NOT_A_CONTACT: readonly string[] = ['not_found', 'invalid_email', 'invalid_address'];

// The document doesn't show the whole record. Optional fields are checked where they are used.
const decodeContact = createObjectDecoder<Contact>('a contact', {
  id: 'string',
  email: 'string',
  status: 'string?',
  first_name: 'string|null',
  last_name: 'string|null',
  unsubscribed_at: 'string|null',
  attributes: 'object?',
  created_at: 'string?',
  updated_at: 'string?',
});
// These numbers may be impossible, such as -1. Then svc does not repeat the batch, but reads its contacts back (O5).
const readBatch = createObjectReader<BatchResponse>({
  summary: { created: 'number', updated: 'number', failed: 'number' },
  results: 'array',
});

async function readContact(
  client: Client,
  contact: string,
  { audienceId, includeTopics: topics, signal }: ContactQuery,
): Promise<Contact> {
  const query = { expand: topics ? 'topics' : undefined };
  return decodeContact(await client.get([...contactsOf(audienceId), contact], query, { signal }));
}

/** The contact list of an audience. Its length is compared with the audience's count (L1). */
function contactsIn(client: Client, audienceId: string, signal: AbortSignal | undefined): ListEndpoint<Contact> {
  // If the count can't be read, only the page limit applies. A lasting error is not lost, because the next page fails
  // with it too.
  const count = () => getAudience(client, audienceId, { signal }).then(totalOf, () => undefined);
  return { segments: contactsOf(audienceId), decode: decodeContact, maxPages: MAX_PAGES_OF_LONG_LISTS, count };
}

function totalOf({ contact_counts }: AudienceWithCounts): number {
  return contact_counts.total;
}

function contactsOf(audienceId: string): readonly string[] {
  return ['audiences', checkId('audience', audienceId), 'contacts'];
}

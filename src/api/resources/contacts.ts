import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { looseKey } from '../../wire/person-key.ts';
import { CONTACT_STATUSES } from '../../wire/service-words.ts';
import type { BatchResponse, Contact } from '../../wire/shapes.ts';
import type { CallOptions, Client } from '../client.ts';
import { refuseWrongId } from '../http/api-error.ts';
import { contentKey, type KeySource, type SendOptions, type WriteOutcome } from '../retry/key-source.ts';
import { type AudienceWithCounts, getAudience } from './audiences.ts';
import { checkAddress, checkId, checkListAddress, requireSameId } from './ids.ts';
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
  /** Random hex digits, so that the same content gets a new key. Undefined if the key depends only on the content. */
  readonly keySuffix: string | undefined;
  /**
   * A part of the idempotency key that says what kind of request this is; undefined for a regular batch. The canary and
   * a test with one person (`upsert`) need other keys than a batch, even if they send the same bytes.
   */
  readonly op: 'contacts' | 'canary' | 'upsert' | undefined;
}

/** The idempotency key of a batch, by key version. Without `keySuffix`, the same batch always gets the same key. */
export function contactBatchKey(
  client: Client,
  { audienceId, body, keySuffix, op = 'contacts' }: ContactBatch,
): KeySource['keyForVersion'] {
  const destination = [client.origin, audienceId];
  return (keyVersion) => contentKey({ op, destination, body, keyVersion, keySuffix });
}

/** POST /v1/audiences/{id}/contacts/batch. It may be repeated: after an unknown outcome, the same key is sent again. */
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

/** The pages of the contact list, each with the cursor of the next one. Starts at the cursor `after`. */
export function listContactPages(
  client: Client,
  audienceId: string,
  options: ListOptions & { readonly after?: string | undefined },
): AsyncGenerator<CursorPage<Contact>> {
  return listCursorPages(client, { ...contactsIn(client, audienceId, options.signal), ...options });
}

/**
 * The address of a contact, trimmed and in lower case, like the addresses of a list. The service may show capitals
 * (F8).
 */
export function canonicalEmail({ email }: Pick<Contact, 'email'>): string {
  return email.trim().toLowerCase();
}

/** True if the contact is unsubscribed or bounced. A missing or unknown status does not prove that (O6). */
export function isUnsubscribed({ status }: Pick<Contact, 'status'>): boolean {
  return status === 'unsubscribed' || status === 'bounced';
}

/** True if the status is a word of the service document. Without a known status, nothing is proven (O6). */
export function hasKnownStatus({ status }: Pick<Contact, 'status'>): boolean {
  return CONTACT_STATUSES.some((known) => known === status);
}

/** Names a contact by id or address. With `includeTopics` the response has its topics. */
export interface ContactQuery extends CallOptions {
  readonly audienceId: string;
  readonly idOrEmail: string;
  readonly includeTopics?: boolean | undefined;
}

/**
 * GET /v1/audiences/{id}/contacts/{contact}. An unknown contact is a usage error (O8). Throws if the response shows
 * another contact.
 */
export async function getContact(client: Client, query: ContactQuery): Promise<Contact> {
  const { idOrEmail } = query;
  const isAddress = idOrEmail.includes('@');
  const asked = isAddress ? checkAddress(idOrEmail) : checkId('contact', idOrEmail);
  const contact = await readContact(client, asked, query).catch(refuseWrongId(`contact ${idOrEmail}`));
  if (!isAddress) {
    return requireSameId(contact, 'contact', asked);
  }
  refuseOtherPerson(asked, contact);
  return contact;
}

/**
 * Throws if the service returned the contact of another person. svc checks a contact that it prints or writes to. A
 * comparison does not need this check, because it reports the address as a difference.
 */
export function refuseOtherPerson(asked: string, { email }: Pick<Contact, 'email'>): void {
  if (looseKey(email) !== looseKey(asked)) {
    const message = `unexpected response of the service: it shows the contact ${terminalSafe(email)}, and ${terminalSafe(asked)} was asked for`;
    throw new SvcError(EXIT.failed, 'unexpected_answer', message);
  }
}

/**
 * Reads a contact by its address. Undefined if the audience has no such contact, or if the text is no address. The
 * caller must know that the audience exists, because a missing audience gives the same 404.
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

/**
 * Error codes that mean that no contact has this address. `invalid_address` is an error of svc, the others are of the
 * service.
 */
const NOT_A_CONTACT: readonly string[] = ['not_found', 'invalid_email', 'invalid_address'];

// The document does not show all fields of a contact. Optional fields are checked where svc uses them.
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
// A number here may be impossible, for example -1. svc does not repeat the batch then, but reads its contacts back
// (O5).
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

/**
 * The contact list of an audience. Its length is compared with the count of the audience, to notice an endless list
 * (L1).
 */
function contactsIn(client: Client, audienceId: string, signal: AbortSignal | undefined): ListEndpoint<Contact> {
  // If the count can't be read, only the limit of pages applies. If the error lasts, the next page fails with it too.
  const count = () => getAudience(client, audienceId, { signal }).then(totalOf, () => undefined);
  return { segments: contactsOf(audienceId), decode: decodeContact, maxPages: MAX_PAGES_OF_LONG_LISTS, count };
}

function totalOf({ contact_counts }: AudienceWithCounts): number {
  return contact_counts.total;
}

function contactsOf(audienceId: string): readonly string[] {
  return ['audiences', checkId('audience', audienceId), 'contacts'];
}

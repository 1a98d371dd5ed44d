import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellWord, terminalSafe } from '../../base/lib/text.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Audience, ContactCounts, DeleteConfirmation } from '../../wire/shapes.ts';
import type { CallOptions, Client } from '../client.ts';
import { refuseWrongId } from '../http/api-error.ts';
import type { SendOptions, WriteOutcome } from '../retry/key-source.ts';
import { deleteObject } from './deletion.ts';
import { checkId, requireSameId } from './ids.ts';
import { createObjectDecoder, createObjectReader, encodeJsonBody, type RequiredFields } from './json-bodies.ts';
import { type ListOptions, listAll } from './pages.ts';

/** An audience with its counts, as GET by id returns it. */
export type AudienceWithCounts = Audience & Required<Pick<Audience, 'contact_counts'>>;

/** GET /v1/audiences, all pages, newest first. The audiences have no counts (L2). */
export function listAudiences(client: Client, options: ListOptions = {}): AsyncGenerator<Audience> {
  return listAll(client, { segments: ['audiences'], decode: decodeAudience, ...options });
}

/** GET /v1/audiences/{id}. An unknown id is a usage error (O8). Throws if the response has a different id. */
export async function getAudience(client: Client, id: string, options?: CallOptions): Promise<AudienceWithCounts> {
  const json = await client.get(segmentsOf(id), {}, options).catch(refuseWrongId(`audience ${id}`));
  return requireSameId(decodeCounted(json), 'audience', id);
}

/**
 * The number of people of an audience. In `total`, a service may count only the subscribed people. Then the size is the
 * sum of subscribed and unsubscribed people.
 */
export function sizeOfAudience({ total, subscribed, unsubscribed }: ContactCounts): number {
  return Math.max(total, subscribed + unsubscribed);
}

/** The number of pending and bounced contacts. The service counts them in the total only (L2). */
export function countUnconfirmed({ total, subscribed, unsubscribed }: ContactCounts): number {
  return Math.max(0, total - subscribed - unsubscribed);
}

/**
 * POST /v1/audiences. Never repeated later than 4 min 30 s after its first attempt, because the service could then
 * create a second audience (I4). The caller must read the audience, because a replay may show one that was deleted
 * since.
 */
export function createAudience(
  client: Client,
  name: string,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<Audience>> {
  const body = encodeJsonBody({ name: checkAudienceName(name) });
  return client.post(
    { ...keySource, segments: ['audiences'], body, policy: 'once', parseResponse: readAudience },
    signal,
  );
}

/** PATCH /v1/audiences/{id}. Only the name can be changed. Throws if the response has a different id. */
export async function renameAudience(
  client: Client,
  id: string,
  { name, signal }: { readonly name: string } & CallOptions,
): Promise<Audience> {
  const change = {
    method: 'PATCH',
    segments: segmentsOf(id),
    body: encodeJsonBody({ name: checkAudienceName(name) }),
  } as const;
  const { json } = await client.mutate(change, { signal }).catch(refuseWrongId(`audience ${id}`));
  return requireSameId(decodeAudience(json), 'audience', id);
}

/** DELETE /v1/audiences/{id}. This also deletes its contacts, fields, segments and topics. */
export async function deleteAudience(client: Client, id: string, options?: CallOptions): Promise<DeleteConfirmation> {
  return deleteObject(client, { kind: 'audiences', id: checkId('audience', id), what: `audience ${id}` }, options);
}

/**
 * Returns the name if it has 1 to 100 characters, is not blank and is well-formed Unicode. Any other name is a usage
 * error.
 */
export function checkAudienceName(name: string): string {
  const why = problemOfName(name);
  if (why !== undefined) {
    throw new SvcError(EXIT.usage, 'invalid_name', `the name of an audience ${why}`);
  }
  return name;
}

function problemOfName(name: string): string | undefined {
  const length = [...name].length;
  if (!name.isWellFormed()) {
    return 'has only whole characters, and no half of a UTF-16 pair';
  }
  if (length < 1 || length > LIMITS.audienceNameLength) {
    return `has 1 to ${LIMITS.audienceNameLength} characters, not ${length}`;
  }
  return name.trim() === '' ? 'has a character that is not blank' : undefined;
}

/**
 * Checks the name of an audience to create or rename. Throws a usage error for blanks at its edges, doubled blanks and
 * control characters (L3). A service may remove these, and then no later command would find the audience by its name.
 */
export function checkNewAudienceName(name: string): string {
  checkAudienceName(name);
  const clean = name
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\s{2,}/gu, ' ')
    .trim();
  if (clean !== name) {
    const message = 'the name of an audience has no blanks at its edges, no doubled blanks and no control characters';
    throw new SvcError(EXIT.usage, 'invalid_name', message, { hint: `Write it as: ${shellWord(clean)}` });
  }
  return name;
}

/** A note for the user if the service stored another name than the user gave. Otherwise undefined. */
export function changedNameNote(asked: string, { id, name }: Pick<Audience, 'id' | 'name'>): string | undefined {
  return name === asked
    ? undefined
    : `The service named the audience "${terminalSafe(name)}", not "${terminalSafe(asked)}". Use that name in later commands, or its id: --audience ${shellWord(id)}`;
}

const FIELDS = {
  id: 'string',
  name: 'string',
  created_at: 'string',
  updated_at: 'string?',
} as const satisfies RequiredFields;
const COUNTS = { subscribed: 'count', unsubscribed: 'count', total: 'count' } as const satisfies RequiredFields;
const decodeAudience = createObjectDecoder<Audience>('an audience', FIELDS);
const decodeCounted = createObjectDecoder<AudienceWithCounts>('an audience', { ...FIELDS, contact_counts: COUNTS });
const readAudience = createObjectReader<Audience>({ id: 'string', name: 'string' });

function segmentsOf(id: string): readonly string[] {
  return ['audiences', checkId('audience', id)];
}

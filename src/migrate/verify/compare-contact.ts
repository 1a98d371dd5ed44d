import { isSameInstant } from '../../base/lib/clock.ts';
import { safe } from '../../base/lib/text.ts';
import { looseKey } from '../../import/record/address.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';

/** A field whose value in the service differs from the value sent. Values are data: print them through `safe`. */
export interface Difference {
  readonly field: string;
  readonly sent: string;
  readonly got: string;
}

/** Stands for the value of an attribute or a topic that the contact does not have. */
export const MISSING = '(missing)';

/**
 * Compares a contact as sent with the contact read back. The service document does not show the whole record. So a
 * missing field is no difference, but another value is one (F5, L4).
 */
export function compareContact(sent: BatchContact, got: Contact): Difference[] {
  const record = got as unknown as Readonly<Record<string, unknown>>;
  const names = (['first_name', 'last_name'] as const).flatMap((field) =>
    differencesOf(field, sent[field], record[field]),
  );
  return [
    ...compareAddress(sent.email, record.email),
    ...names,
    ...compareAttributes(sent.attributes, got.attributes),
    ...compareTopics(sent.topics, record.topics),
  ];
}

/** For a new person: the status and the opt-out date must be as intended (C1, C2). */
export function compareConsent(sent: BatchContact, got: Contact): Difference[] {
  return [...differencesOf('status', sent.status ?? 'subscribed', got.status), ...compareOptOutDate(sent, got)];
}

/** For a person who opts out and is in the audience: `subscribed` means that the service did not write the opt-out. */
export function compareOptOut(sent: BatchContact, got: Contact): Difference[] {
  const isOpen = sent.status === 'unsubscribed' && got.status === 'subscribed';
  return isOpen ? differencesOf('status', sent.status, got.status) : [];
}

/** Describes a difference, without the name of the person. A status that was not sent is expected all the same. */
export function describeDifference(contact: BatchContact, { field, sent, got }: Difference): string {
  return field === 'status' && contact.status === undefined
    ? `was sent without a status and is "${safe(got)}", not "${safe(sent)}"`
    : `${safe(field)} was sent as "${safe(sent)}" and reads "${safe(got)}"`;
}

/** The opt-out date of a new person. For a person who was there before, the service may keep another date (C2). */
export function compareOptOutDate({ unsubscribed_at: at }: BatchContact, got: Contact): Difference[] {
  const same = at === undefined || got.unsubscribed_at === undefined || isSameInstant(at, got.unsubscribed_at ?? '');
  return same ? [] : differencesOf('unsubscribed_at', at, got.unsubscribed_at);
}

/** The service may trim and lower-case more than svc does, or less (F8). */
function compareAddress(sent: string, got: unknown): Difference[] {
  return typeof got === 'string' && looseKey(got) === looseKey(sent) ? [] : differencesOf('email', sent, got);
}

function compareAttributes(sent: BatchContact['attributes'], got: Contact['attributes']): Difference[] {
  if (!sent || !got) {
    return [];
  }
  return Object.entries(sent).flatMap(([key, value]) => {
    const there = Object.hasOwn(got, key) ? got[key] : MISSING;
    return differencesOf(`attributes.${key}`, value, there);
  });
}

/** A contact need not show its topics. Then they are not compared. */
function compareTopics(sent: BatchContact['topics'], got: unknown): Difference[] {
  if (typeof got !== 'object' || got === null) {
    return [];
  }
  const there = got as Readonly<Record<string, unknown>>;
  return Object.entries(sent ?? {}).flatMap(([topic, value]) =>
    differencesOf(`topics.${topic}`, value, Object.hasOwn(there, topic) ? there[topic] : MISSING),
  );
}

function differencesOf(field: string, sent: string | undefined, got: unknown): Difference[] {
  if (sent === undefined || got === undefined || sent === got) {
    return [];
  }
  return [{ field, sent, got: got === null ? '(null)' : String(got) }];
}

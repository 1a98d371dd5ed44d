import { isSameInstant } from '../../base/lib/clock.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';

/**
 * A field that the service shows with another value than the one that was sent. Pass `sent` and `got` through
 * `terminalSafe` before printing, because they come from outside.
 */
export interface ContactDifference {
  readonly field: string;
  readonly sent: string;
  readonly got: string;
}

/** Stands for the value of an attribute or a topic that the contact does not have. */
export const MISSING_VALUE = '(missing)';

/**
 * Compares a contact as it was sent with the contact that svc read back. A field that the service does not show is no
 * difference, because the service document does not promise to show all fields. Another value is a difference (F5, L4).
 */
export function compareContact(sent: BatchContact, got: Contact): ContactDifference[] {
  const record = got as unknown as Readonly<Record<string, unknown>>;
  const nameDifferences = (['first_name', 'last_name'] as const).flatMap((field) =>
    differencesOf(field, sent[field], record[field]),
  );
  return [
    ...compareAddress(sent.email, record.email),
    ...nameDifferences,
    ...compareAttributes(sent.attributes, got.attributes),
    ...compareTopics(sent.topics, record.topics),
  ];
}

/**
 * Compares status and opt-out date of a new person. If the person was sent without a status, the status must be
 * `subscribed` (C1, C2).
 */
export function compareConsent(sent: BatchContact, got: Contact): ContactDifference[] {
  return [...differencesOf('status', sent.status ?? 'subscribed', got.status), ...compareOptOutDate(sent, got)];
}

/**
 * Compares the status of a person who was in the audience before. The only difference is an opt-out that the service
 * did not write: it was sent, and the person is subscribed.
 */
export function compareOptOut(sent: BatchContact, got: Contact): ContactDifference[] {
  const isOpen = sent.status === 'unsubscribed' && got.status === 'subscribed';
  return isOpen ? differencesOf('status', sent.status, got.status) : [];
}

/** A difference as a message, without the address of the person. */
export function describeDifference(contact: BatchContact, { field, sent, got }: ContactDifference): string {
  return field === 'status' && contact.status === undefined
    ? `was sent without a status and is "${terminalSafe(got)}", not "${terminalSafe(sent)}"`
    : `${terminalSafe(field)} was sent as "${terminalSafe(sent)}" and reads "${terminalSafe(got)}"`;
}

/** Compares the opt-out date. The service may keep another date for a person who was in the audience before (C2). */
export function compareOptOutDate({ unsubscribed_at: time }: BatchContact, got: Contact): ContactDifference[] {
  const isSame =
    time === undefined || got.unsubscribed_at === undefined || isSameInstant(time, got.unsubscribed_at ?? '');
  return isSame ? [] : differencesOf('unsubscribed_at', time, got.unsubscribed_at);
}

/** Compares addresses by `looseKey`. The service may trim or lower-case an address in another way than svc (F8). */
function compareAddress(sent: string, got: unknown): ContactDifference[] {
  return typeof got === 'string' && looseKey(got) === looseKey(sent) ? [] : differencesOf('email', sent, got);
}

function compareAttributes(sent: BatchContact['attributes'], got: Contact['attributes']): ContactDifference[] {
  if (!sent || !got) {
    return [];
  }
  return Object.entries(sent).flatMap(([key, value]) => {
    const shownValue = Object.hasOwn(got, key) ? got[key] : MISSING_VALUE;
    return differencesOf(`attributes.${key}`, value, shownValue);
  });
}

/** Compares topics, if the contact shows any. */
function compareTopics(sent: BatchContact['topics'], got: unknown): ContactDifference[] {
  if (typeof got !== 'object' || got === null) {
    return [];
  }
  const shownFields = got as Readonly<Record<string, unknown>>;
  return Object.entries(sent ?? {}).flatMap(([topic, value]) =>
    differencesOf(`topics.${topic}`, value, Object.hasOwn(shownFields, topic) ? shownFields[topic] : MISSING_VALUE),
  );
}

function differencesOf(field: string, sent: string | undefined, got: unknown): ContactDifference[] {
  if (sent === undefined || got === undefined || sent === got) {
    return [];
  }
  return [{ field, sent, got: got === null ? '(null)' : String(got) }];
}

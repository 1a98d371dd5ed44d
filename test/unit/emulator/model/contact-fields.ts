import { canonical, isAddress, type Person, timestamp } from './account.ts';
import type { Fields } from './shapes.ts';

/** One thing that is wrong with a contact. */
export interface Fault {
  readonly code: string;
  readonly field: string;
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What is wrong with the fields of a contact, without its attributes. */
export function faultsOf(contact: Fields): Fault[] {
  const { email, status, unsubscribed_at: date, first_name: first, last_name: last, topics } = contact;
  const isName = (name: unknown) => name === undefined || name === null || typeof name === 'string';
  const isMap = typeof topics === 'object' && topics !== null && !Array.isArray(topics);
  const faults: [string, boolean][] = [
    ['status', status === undefined || status === 'subscribed' || status === 'unsubscribed'],
    ['unsubscribed_at', date === undefined || date === null || isTimestamp(date)],
    ['first_name', isName(first)],
    ['last_name', isName(last)],
    ['topics', topics === undefined || isMap],
  ];
  return [
    ...(typeof email === 'string' && isAddress(canonical(email)) ? [] : [{ code: 'invalid_email', field: 'email' }]),
    ...faults.flatMap(([field, right]) => (right ? [] : [{ code: 'invalid_request', field }])),
  ];
}

function isTimestamp(date: unknown): boolean {
  return typeof date === 'string' && TIMESTAMP.test(date) && isRoundTrip(date);
}

function isRoundTrip(date: string): boolean {
  const moment = Date.parse(date);
  return !Number.isNaN(moment) && timestamp(moment) === date;
}

/** Flat string to string; null deletes a key. */
export function allStrings(attributes: unknown): boolean {
  const isObject = typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes);
  return isObject && Object.values(attributes).every((value) => typeof value === 'string' || value === null);
}

const RESERVED = ['email', 'first_name', 'last_name'];

/** `Company / Org` becomes `company_org`. */
const normalized = (key: string) =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Merging is shallow, null deletes a key, and the last of two keys that become one stays. */
export function mergeAttributes(person: Person, attributes: unknown): void {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(Object(attributes))) {
    values.set(normalized(key), value);
  }
  for (const [key, value] of values) {
    if (key !== '' && !RESERVED.includes(key)) {
      person.attributes.delete(key);
      typeof value === 'string' && person.attributes.set(key, value);
    }
  }
}

// Half of a surrogate pair has no form in UTF-8.
const nameOf = (name: unknown) => (typeof name === 'string' ? name.toWellFormed() : null);

/** Writes the fields of an accepted contact. What is left out stays as it is. */
export function changePerson(person: Person, contact: Fields, { isNew, now }: { isNew: boolean; now: number }): void {
  const { status, unsubscribed_at: date, first_name: first, last_name: last, topics, attributes } = contact;
  person.first_name = first === undefined ? person.first_name : nameOf(first);
  person.last_name = last === undefined ? person.last_name : nameOf(last);
  mergeAttributes(person, attributes);
  for (const [topic, value] of Object.entries(Object(topics))) {
    person.topics.set(topic, value);
  }
  if (status === 'unsubscribed' && person.status !== 'unsubscribed') {
    person.unsubscribed_at = isNew && typeof date === 'string' ? date : timestamp(now);
  }
  if (status === 'subscribed') {
    person.unsubscribed_at = null;
  }
  person.status = typeof status === 'string' ? status : person.status;
}

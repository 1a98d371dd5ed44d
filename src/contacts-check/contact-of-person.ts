import { isUnsubscribed } from '../api/resources/contacts.ts';
import { personKey } from '../wire/person-key.ts';
import type { Contact } from '../wire/shapes.ts';
import type { AudienceStore, StoredContact } from './audience-store.ts';
import type { ExpectedPerson } from './compare-person.ts';

/**
 * The stored contacts of a person, one for each spelling of the address (F8). A contact whose address only looks alike
 * may be another person's, so it is left out. If no contact is left, the person counts as missing, and svc looks the
 * person up (V3).
 */
export function contactsOfPerson(store: AudienceStore, email: string): StoredContact[] {
  const key = personKey(email);
  return store.findLookAlikes(email).filter(({ contact }) => personKey(contact.email.trim().toLowerCase()) === key);
}

/**
 * The contact to compare for a person. An opt-out must hold for all contacts of the person, so a contact that may still
 * get mail is compared first (F8).
 */
export function contactToCompare<C extends Pick<Contact, 'email' | 'status'>>(
  email: string,
  expected: ExpectedPerson | undefined,
  contacts: readonly C[],
): C | undefined {
  const mailed = optsOut(expected) ? contacts.find((contact) => !isUnsubscribed(contact)) : undefined;
  return mailed ?? contacts.find((contact) => contact.email === email) ?? contacts[0];
}

/** True if the list says that the person must get no mail. */
export function optsOut(expected: ExpectedPerson | undefined): boolean {
  return expected !== undefined && (!('contact' in expected) || expected.contact.status === 'unsubscribed');
}

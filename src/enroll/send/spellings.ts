import { findContact, isUnsubscribed, refuseOtherPerson } from '../../api/resources/contacts.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { otherSpellings } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import {
  type EnrollContext,
  enrollmentRequestOf,
  isStillToSend,
  personOutcomeOf,
} from '../records/enrollment-records.ts';
import type { PersonResult } from './record-person-outcome.ts';
import { recordWithoutSending, sendPerson, sentSpelling } from './send-person.ts';

/**
 * Enrolls a person whose address may have several spellings, such as Unicode and Punycode (F8). The service looks for
 * the contact only under the spelling that it gets. So svc looks for the contact under all spellings, and sends the
 * address of the contact that it found. If the person opted out under another spelling, svc sends nothing.
 */
export async function enrollUnderSpelling(context: EnrollContext, person: Enrollee): Promise<PersonResult> {
  const request = enrollmentRequestOf(context.journal, person);
  const recorded = request && sentSpelling(context, person, request);
  const spellings = otherSpellings(person.email);
  if (spellings.length === 0) {
    return sendPerson(context, person);
  }
  const outcome = personOutcomeOf(context.records, person, request);
  const { kind } = outcome;
  if (!isStillToSend(outcome) && kind !== UNKNOWN_ENROLLMENT) {
    return sendPerson(context, person);
  }
  const others = await contactsOf(context, spellings);
  if (!others.values().some(isUnsubscribed)) {
    const email = kind === UNKNOWN_ENROLLMENT && recorded ? recorded : await spellingOfContact(context, person, others);
    return sendPerson(context, { ...person, email });
  }
  if (kind === UNKNOWN_ENROLLMENT) {
    return { kind, cause: undefined };
  }
  recordWithoutSending(context, person, { earlier: request, word: 'not_subscribed' });
  return { kind: 'refused', countsAsFailed: false };
}

/**
 * The address to send. It is the address in the list, unless the audience has the person only under another spelling.
 * Then it is the spelling that svc looked up, and not the address that the contact shows: that one may be a look-alike,
 * which `sentSpelling` would not recognize.
 */
async function spellingOfContact(
  context: EnrollContext,
  { email }: Enrollee,
  others: ReadonlyMap<string, Contact>,
): Promise<string> {
  const [other] = others.keys();
  return other === undefined || (await contactsOf(context, [email])).size > 0 ? email : other;
}

/** The contacts with these addresses, by the address under which svc looked each of them up. */
async function contactsOf(
  { client, audienceId, signal }: EnrollContext,
  addresses: readonly string[],
): Promise<Map<string, Contact>> {
  const contacts = new Map<string, Contact>();
  for (const idOrEmail of addresses) {
    const contact = await findContact(client, { audienceId, idOrEmail, signal });
    if (contact) {
      refuseOtherPerson(idOrEmail, contact);
      contacts.set(idOrEmail, contact);
    }
  }
  return contacts;
}

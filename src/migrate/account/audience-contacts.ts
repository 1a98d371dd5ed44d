import type { Client } from '../../api/client.ts';
import { type AudienceWithCounts, getAudience, sizeOfAudience } from '../../api/resources/audiences.ts';
import { canonicalEmail, hasKnownStatus, listContacts } from '../../api/resources/contacts.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { hasSpellings, looseKey, otherSpellings, personKey } from '../../wire/person-key.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';
import { lookUpContact } from '../compare/look-up.ts';
import { findHiddenPeople, type HiddenPeople, mayHaveUncounted, mustCountAgain } from './hidden-people.ts';

export interface ContactSource {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** What svc learned from the first pages of an audience. */
export interface ShownContacts extends HiddenPeople {
  /** Attribute keys of the contacts on the first page of the audience. */
  readonly shownKeys: ReadonlySet<string>;
  /** Contacts who may be in the list and have another status than `subscribed`, by each spelling of their address. */
  readonly optedOut: ReadonlyMap<string, Contact>;
  /** The `looseKey` of each opted-out contact whose address may look like a different address in the list (F8). */
  readonly lookAlikesOptedOut: ReadonlySet<string>;
  /** Status words that svc does not know (O6). Contacts whom svc did not read may have such a status too. */
  readonly unknownStatuses: ReadonlySet<string>;
}

const MAX_OPT_OUT_PAGES = 10;

/** Which pages of an audience are read. */
export interface ReadPages {
  readonly maxPages?: number;
  /** Receives the address of each contact whose status svc knows (O6). */
  readonly listed?: { add(email: string): void };
}

export const NO_CONTACTS: ShownContacts = {
  shownKeys: new Set(),
  optedOut: new Map(),
  lookAlikesOptedOut: new Set(),
  moreOptedOut: false,
  moreUnconfirmed: false,
  unknownStatuses: new Set(),
};

/**
 * Reads the first pages of contacts, at most `maxPages`. Returns the attribute keys on the first page, and contacts who
 * are not subscribed and may be in the list.
 */
export async function readShownContacts(
  source: ContactSource,
  audience: AudienceWithCounts,
  survey: Survey,
  pages: ReadPages = {},
): Promise<ShownContacts> {
  const { optedOut, subscribed, seen, ...found } = await readPages(source, audience.id, survey, pages);
  const before = audience.contact_counts;
  const after = mustCountAgain(seen, before)
    ? (await getAudience(source.client, audience.id, source)).contact_counts
    : before;
  const hidden = findHiddenPeople(seen, before, after);
  const moreUnconfirmed =
    hidden.moreUnconfirmed || mayHaveUncounted(seen, after, survey.contacts - survey.unsubscribed);
  return { ...found, optedOut: withSpellings(optedOut, subscribed), ...hidden, moreUnconfirmed };
}

async function readPages(
  { client, signal }: ContactSource,
  audienceId: string,
  survey: Survey,
  { maxPages = MAX_OPT_OUT_PAGES, listed }: ReadPages,
) {
  const shownKeys = new Set<string>();
  const optedOut = new Map<string, Contact>();
  const lookAlikesOptedOut = new Set<string>();
  const unknownStatuses = new Set<string>();
  /** Addresses of subscribed contacts who may be in the list, if the address has several spellings. */
  const subscribed = new Set<string>();
  const seen = { all: 0, withKnownStatus: 0, unsubscribed: 0, unconfirmed: 0 };
  let pages = 0;
  for await (const page of listContacts(client, audienceId, { signal })) {
    if (pages === 0) {
      page.flatMap(({ attributes = {} }) => Object.keys(attributes)).forEach((key) => shownKeys.add(key));
    }
    seen.all += page.length;
    seen.withKnownStatus += page.filter(hasKnownStatus).length;
    seen.unsubscribed += page.filter(({ status }) => status === 'unsubscribed').length;
    seen.unconfirmed += page.filter(({ status }) => isUnconfirmed(status)).length;
    for (const contact of page) {
      const { status } = contact;
      const email = canonicalEmail(contact);
      if (hasKnownStatus(contact)) {
        listed?.add(email);
      } else if (typeof status === 'string') {
        unknownStatuses.add(status);
      }
      const isNotSubscribed = status !== undefined && status !== 'subscribed';
      if (isNotSubscribed && (survey.ambiguousAddresses > 0 || looseKey(email) !== contact.email)) {
        lookAlikesOptedOut.add(looseKey(email));
      }
      if (isNotSubscribed && survey.mayContain(email)) {
        optedOut.set(email, contact);
      } else if (status === 'subscribed' && hasSpellings(email) && survey.mayContain(email)) {
        subscribed.add(email);
      }
    }
    pages += 1;
    if (pages === maxPages) {
      break;
    }
  }
  const isWhole = pages < maxPages;
  return { shownKeys, optedOut, lookAlikesOptedOut, unknownStatuses, subscribed, seen: { ...seen, isWhole } };
}

function isUnconfirmed(status: string | null | undefined): boolean {
  return typeof status === 'string' && status !== 'subscribed' && status !== 'unsubscribed';
}

/**
 * Adds the other spellings of each opted-out address, because the list may use one of them. Leaves out a spelling that
 * has a contact of its own (F8).
 */
function withSpellings(
  optedOut: ReadonlyMap<string, Contact>,
  subscribed: ReadonlySet<string>,
): ReadonlyMap<string, Contact> {
  const bySpelling = new Map(optedOut);
  for (const [email, contact] of optedOut) {
    const free = otherSpellings(email).filter((other) => !subscribed.has(other) && !bySpelling.has(other));
    free.forEach((other) => bySpelling.set(other, contact));
  }
  return bySpelling;
}

/** True for a person of the audience. */
export type PersonTest = (contact: Pick<BatchContact, 'email'>) => Promise<boolean>;

/**
 * Reads all pages of an audience, and returns a function that is true for its people. If the pages show fewer people
 * than the counts of the audience, the service may leave people out of its lists. Then the function looks up each
 * person whom no page shows.
 */
export async function createPersonTest(source: ContactSource, audience: AudienceWithCounts): Promise<PersonTest> {
  const present = new Set<string>();
  for await (const page of listContacts(source.client, audience.id, { signal: source.signal })) {
    for (const contact of page) {
      present.add(personKey(canonicalEmail(contact)));
    }
  }
  const isComplete = present.size >= sizeOfAudience(audience.contact_counts);
  return async ({ email }) =>
    present.has(personKey(email)) ||
    (!isComplete && (await lookUpContact(source, audience.id, { email })) !== undefined);
}

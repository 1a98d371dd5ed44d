import type { Client } from '../../api/client.ts';
import {
  type AudienceWithCounts,
  countUnconfirmed,
  getAudience,
  sizeOfAudience,
} from '../../api/resources/audiences.ts';
import { canonicalEmail, hasKnownStatus, listContacts } from '../../api/resources/contacts.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { hasSpellings, looseKey, otherSpellings, personKey } from '../../wire/person-key.ts';
import type { BatchContact, Contact, ContactCounts } from '../../wire/shapes.ts';
import { lookUpContact } from '../compare/look-up.ts';

export interface ContactSource {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** What svc learned from the first pages of an audience. */
export interface ShownContacts {
  /** Attribute keys of the contacts on the first page of the audience. */
  readonly shownKeys: ReadonlySet<string>;
  /** Contacts who are unsubscribed, pending or bounced and may be in the list, by each spelling of their address. */
  readonly optedOut: ReadonlyMap<string, Contact>;
  /** The `looseKey` of opted-out contacts whose address may look like another address of the list (F8). */
  readonly lookAlikesOptedOut: ReadonlySet<string>;
  /**
   * True if the audience has opted-out contacts whom svc did not read: on later pages, or with a status that svc does
   * not know.
   */
  readonly moreOptedOut: boolean;
  /** True if the audience has pending or bounced contacts whom svc did not read. */
  readonly moreUnconfirmed: boolean;
  /** The words for a status that svc does not know (O6). The contacts whom svc did not read may have them too. */
  readonly unknownStatuses: ReadonlySet<string>;
}

const MAX_OPT_OUT_PAGES = 10;

/** Which pages of an audience are read. */
export interface ReadPages {
  readonly maxPages?: number;
  /** Receives the address of each contact whose status the pages show. */
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
  { client, signal }: ContactSource,
  audience: AudienceWithCounts,
  survey: Survey,
  { maxPages = MAX_OPT_OUT_PAGES, listed }: ReadPages = {},
): Promise<ShownContacts> {
  const shownKeys = new Set<string>();
  const optedOut = new Map<string, Contact>();
  const lookAlikesOptedOut = new Set<string>();
  const unknownStatuses = new Set<string>();
  const subscribed = new Set<string>();
  let pages = 0;
  let unsubscribedSeen = 0;
  let unconfirmedSeen = 0;
  let seen = 0;
  let knownSeen = 0;
  for await (const page of listContacts(client, audience.id, { signal })) {
    if (pages === 0) {
      page.flatMap(({ attributes = {} }) => Object.keys(attributes)).forEach((key) => shownKeys.add(key));
    }
    unsubscribedSeen += page.filter((contact) => contact.status === 'unsubscribed').length;
    seen += page.length;
    knownSeen += page.filter(hasKnownStatus).length;
    unconfirmedSeen += page.filter(({ status }) => isUnconfirmed(status)).length;
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
  const before = audience.contact_counts;
  const hasMoreOptedOut = ({ unsubscribed }: ContactCounts) => unsubscribed > unsubscribedSeen;
  const hasMoreUnconfirmed = (counts: ContactCounts) => countUnconfirmed(counts) > unconfirmedSeen;
  const hasUncounted = (counts: ContactCounts) => leavesOutUnconfirmed(counts, unconfirmedSeen);
  const mustCountAgain = !isWhole || hasMoreOptedOut(before) || hasMoreUnconfirmed(before);
  const after = mustCountAgain ? (await getAudience(client, audience.id, { signal })).contact_counts : before;
  // If svc read the status of each contact, and the count of opted-out contacts is still higher, the count is outdated.
  const isEachCounted = seen >= after.total && seen - unconfirmedSeen >= after.subscribed + after.unsubscribed;
  const isAllSeen = isWhole && knownSeen === seen && isEachCounted;
  // If pages are unread, people who opted out since the first count hide as many others from it, so one higher count is
  // enough. If all pages were read, a first count can also be higher because people were deleted or came back since.
  const isHigher = (hasMore: (counts: ContactCounts) => boolean) =>
    isWhole ? hasMore(before) && hasMore(after) : hasMore(before) || hasMore(after);
  const hidesSome = isWhole && seen < Math.min(sizeOfAudience(before), sizeOfAudience(after));
  // If the counts leave unconfirmed people out, any number of them may be among the people whom svc did not read. If a
  // service shows unsubscribed people, and leaves others out of its lists, these others may have another status.
  const mayHaveUncounted =
    ((!isWhole || hidesSome) && hasUncounted(before) && hasUncounted(after)) || (hidesSome && unsubscribedSeen > 0);
  return {
    shownKeys,
    optedOut: withSpellings(optedOut, subscribed),
    lookAlikesOptedOut,
    moreOptedOut: !isAllSeen && isHigher(hasMoreOptedOut),
    moreUnconfirmed: !isAllSeen && (mayHaveUncounted || isHigher(hasMoreUnconfirmed)),
    unknownStatuses,
  };
}

function isUnconfirmed(status: string | null | undefined): boolean {
  return typeof status === 'string' && status !== 'subscribed' && status !== 'unsubscribed';
}

/**
 * True if the counts leave out pending and bounced contacts: the pages show more of them, or the total even leaves out
 * unsubscribed ones.
 */
function leavesOutUnconfirmed(counts: ContactCounts, unconfirmedSeen: number): boolean {
  return unconfirmedSeen > countUnconfirmed(counts) || counts.total < sizeOfAudience(counts);
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
 * than the count, a service may leave people out of its lists. Then the function looks up those whom no page shows.
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

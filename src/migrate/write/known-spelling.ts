import { isAscii } from 'node:buffer';
import { getAudience } from '../../api/resources/audiences.ts';
import { canonicalEmail, isUnsubscribed, listContacts } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { LIMITS } from '../../wire/limits.ts';
import { hasSpellings, looseKey, otherSpellings, personKey } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import { lookUpAllContacts, lookUpContact } from '../compare/look-up.ts';
import { optOutWithoutRow, sendOptOutsWithoutRow } from './opt-out-without-row.ts';
import type { OutgoingBatch, SendBatch } from './send-batch.ts';

/** How the audience spells the addresses of a batch. Stored in run.db, so that a resume sends the same bytes. */
interface KnownSpellings {
  /**
   * The address to send for a row, by row key, if the audience has the person only under another spelling. Rows without
   * an entry are sent with the address of the list.
   */
  readonly instead: Readonly<Record<string, string>>;
  /** Addresses of further contacts of people whom this batch opts out. */
  readonly alsoOptedOut: readonly string[];
}

/** Finds the contacts of a person in the audience, under any spelling of the address. */
type Find = (item: ContactItem) => readonly Contact[];

/**
 * Returns a function that sends a batch with the address spellings that the audience has (F8). Otherwise the address of
 * the list would become a second contact, which is mailed too, or signs an opted-out person up again. If the audience
 * has contacts under both spellings, an opt-out goes to both.
 */
export function withKnownSpelling(send: SendBatch, contactsBefore: number): SendBatch {
  const pages = Math.ceil(contactsBefore / LIMITS.pageSizeMax);
  let read: Promise<ShownSpellings> | undefined;
  return async (context, audienceId, batch) => {
    if (contactsBefore === 0 || !holdsSpelledAddress(batch.body)) {
      return send(context, audienceId, batch);
    }
    const spelled = batch.items.filter(({ contact }) => otherSpellings(contact.email).length > 0);
    const find = async (): Promise<Find> => {
      // Few people are looked up one by one. For many people, reading the whole audience takes fewer requests.
      const each = spelled.length <= pages ? spelled : spelled.filter(({ contact }) => isMissedInPages(contact.email));
      const lookedUp = await lookUpEach(context, audienceId, each);
      read ??= each === spelled ? undefined : readSpellings(context, audienceId);
      const inPages = await read;
      // The pages may lack the contact with exactly this spelling, and show the person with another spelling.
      const isMissed = (item: ContactItem) =>
        !lookedUp.has(item) && !inPages?.find(item).some((shown) => canonicalEmail(shown) === item.contact.email);
      const unlisted = inPages?.isComplete === false ? spelled.filter(isMissed) : [];
      const alsoLookedUp = await lookUpEach(context, audienceId, unlisted);
      return (item) => lookedUp.get(item) ?? alsoLookedUp.get(item) ?? inPages?.find(item) ?? [];
    };
    // Stored spellings count only if an earlier process also sent the batch, because contacts may change until it is
    // sent. A batch that was sent without a search for spellings stays as it was (I9).
    const isSent = context.journal.requests.stateOf(batch.name).isRecorded;
    const stored = isSent ? readKnownSpellings(context.journal, batch.name) : undefined;
    const known = stored ?? knownSpellingsOf(spelled, await find());
    context.journal.writeNote(spellingNote(batch.name), known);
    await optOutFurtherContacts(context, audienceId, known.alsoOptedOut);
    const items = batch.items.map((item) => withSpelling(item, known));
    return send(context, audienceId, { ...batch, items, body: (batch.bodyOf ?? contactBody)(items) });
  };
}

/** The people of a batch as they were sent, with the spellings that the audience had. */
export function withStoredSpellings(
  journal: Pick<Journal, 'readNote'>,
  { name, items }: Pick<OutgoingBatch, 'name' | 'items'>,
): readonly ContactItem[] {
  const known = readKnownSpellings(journal, name);
  return items.map((item) => withSpelling(item, known));
}

function withSpelling(item: ContactItem, { instead }: KnownSpellings): ContactItem {
  const email = instead[rowKey(item)];
  return email === undefined ? item : { ...item, contact: { ...item.contact, email } };
}

function readKnownSpellings(journal: Pick<Journal, 'readNote'>, batch: string): KnownSpellings {
  return (journal.readNote(spellingNote(batch)) as KnownSpellings | undefined) ?? { instead: {}, alsoOptedOut: [] };
}

function spellingNote(batch: string): string {
  return `spelling.${batch}`;
}

const EMAIL = Buffer.from('"email":"');
const QUOTE = '"';
const PUNYCODE = Buffer.from('xn--');

/**
 * True if an address in the body has a Punycode domain or a character outside of ASCII. Searches the bytes, because
 * parsing each batch takes longer.
 */
function holdsSpelledAddress(body: Buffer): boolean {
  const holdsPunycode = body.includes(PUNYCODE);
  for (let position = body.indexOf(EMAIL); position !== -1; position = body.indexOf(EMAIL, position)) {
    position += EMAIL.length;
    const address = body.subarray(position, body.indexOf(QUOTE, position));
    if (!isAscii(address) || (holdsPunycode && address.includes(PUNYCODE))) {
      return true;
    }
  }
  return false;
}

/**
 * True if `readSpellings` may miss the contact of an address, so that svc must look the address up. `readSpellings`
 * keeps only contacts whose address has several spellings, and finds them by person key. So it misses an address in
 * full-width letters whose person key is ASCII. It also misses look-alikes, because only the service knows whether they
 * are one person.
 */
function isMissedInPages(email: string): boolean {
  const key = personKey(email);
  return !hasSpellings(key) || personKey(looseKey(email)) !== key;
}

type FoundContacts = ReadonlyMap<ContactItem, readonly Contact[]>;

async function lookUpEach(
  context: WriteContext,
  audienceId: string,
  items: readonly ContactItem[],
): Promise<FoundContacts> {
  const found = new Map<ContactItem, readonly Contact[]>();
  for (const item of items) {
    const { email } = item.contact;
    if (item.contact.status === 'unsubscribed') {
      found.set(item, await lookUpAllContacts(context, audienceId, { email }));
    } else {
      const one = await lookUpContact(context, audienceId, { email });
      found.set(item, one ? [one] : []);
    }
  }
  return found;
}

interface ShownSpellings {
  readonly find: Find;
  /** False if the pages show fewer people who are not subscribed than the counts: a service may leave them out (C1). */
  readonly isComplete: boolean;
}

/** Reads the whole audience once. Used if looking up each person would take more requests. */
async function readSpellings(context: WriteContext, audienceId: string): Promise<ShownSpellings> {
  const contactsByKey = new Map<string, Contact[]>();
  const { total, subscribed, unsubscribed } = (await getAudience(context.client, audienceId, context)).contact_counts;
  let notSubscribed = 0;
  let optedOut = 0;
  for await (const page of listContacts(context.client, audienceId, context)) {
    notSubscribed += page.filter(({ status }) => status !== 'subscribed').length;
    optedOut += page.filter(({ status }) => status === 'unsubscribed').length;
    for (const contact of page.map(withCanonicalEmail).filter(({ email }) => hasSpellings(email))) {
      const key = personKey(contact.email);
      contactsByKey.set(key, [...(contactsByKey.get(key) ?? []), contact]);
    }
  }
  const find: Find = ({ contact }) => contactsByKey.get(personKey(contact.email)) ?? [];
  return { find, isComplete: optedOut >= unsubscribed && notSubscribed >= total - subscribed };
}

function withCanonicalEmail(contact: Contact): Contact {
  return { ...contact, email: canonicalEmail(contact) };
}

function knownSpellingsOf(items: readonly ContactItem[], find: Find): KnownSpellings {
  const instead: Record<string, string> = {};
  const alsoOptedOut: string[] = [];
  for (const item of items) {
    const { email, status } = item.contact;
    const found = find(item)
      .map(withCanonicalEmail)
      .filter((contact) => looseKey(contact.email) === looseKey(email));
    const sent = found.find((contact) => contact.email === email) ?? found[0];
    if (sent && sent.email !== email) {
      instead[rowKey(item)] = sent.email;
    }
    const others = found.filter((contact) => contact !== sent && !isUnsubscribed(contact));
    (status === 'unsubscribed' ? others : []).forEach((contact) => alsoOptedOut.push(contact.email));
  }
  return { instead, alsoOptedOut };
}

/**
 * Opts out further contacts of people in the batch. Done before the batch is sent, because a resume skips a batch that
 * has its response. These contacts have no row in the list, so they do not count.
 */
async function optOutFurtherContacts(
  context: WriteContext,
  audienceId: string,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) {
    return;
  }
  const items = emails.map((email, index) => optOutWithoutRow(email, index + 1));
  await sendOptOutsWithoutRow(context, audienceId, { kind: 'spelling', items, body: contactBody(items) });
}

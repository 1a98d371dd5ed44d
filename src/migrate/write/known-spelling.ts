import { isAscii } from 'node:buffer';
import { canonicalEmail, hasLeft, listContacts } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import { LIMITS } from '../../wire/limits.ts';
import { hasSpellings, otherSpellings, personKey } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUp, lookUpAll } from '../verify/look-up.ts';
import { optOutBesideList, type SendBatch, sendBesideList, wasSent } from './send-batch.ts';

/** The spellings of the audience for the people of a batch: plain data, because a resume sends the same bytes. */
interface KnownSpellings {
  /** The address of the audience, by row. People with the spelling of the list are left out. */
  readonly instead: Readonly<Record<string, string>>;
  /** Further contacts of people who opt out in this batch. */
  readonly alsoOptedOut: readonly string[];
}

/** Finds the contacts of the audience for the person of a row, under any spelling. */
type Find = (item: ContactItem) => readonly Contact[];

/**
 * Sends a person whom the audience has under another spelling of the domain to that contact. The address of the list
 * would be a second contact: mailed twice, or signed up again. If the audience has both, an opt-out goes to both.
 * Otherwise an opted-out person would get mail under the other one (F8). All others are sent unchanged.
 */
export function withKnownSpelling(send: SendBatch, contactsBefore: number): SendBatch {
  const pages = Math.ceil(contactsBefore / LIMITS.pageSizeMax);
  let read: Promise<Find> | undefined;
  return async (context, audienceId, batch) => {
    if (contactsBefore === 0 || !holdsSpelledAddress(batch.body)) {
      return send(context, audienceId, batch);
    }
    const note = `spelling.${batch.name}`;
    const spelled = batch.items.filter(({ contact }) => otherSpellings(contact.email).length > 0);
    const find = async (): Promise<Find> => {
      // `readSpellings` keeps only contacts whose address has several spellings. A person whose standard spelling has
      // no other one is looked up.
      const each = spelled.length <= pages ? spelled : spelled.filter(({ contact }) => isPlain(contact.email));
      const lookedUp = await lookUpEach(context, audienceId, each);
      read ??= each === spelled ? undefined : readSpellings(context, audienceId);
      const inPages = await read;
      return (item) => lookedUp.get(item) ?? inPages?.(item) ?? [];
    };
    // Contacts may change until the batch is sent, so an earlier process is believed only if it sent the batch.
    // If it sent the batch without looking for spellings, the batch stays as it was (I9).
    const stored = wasSent(context, batch.name) ? readKnown(context, note) : undefined;
    const known = stored ?? knownOf(spelled, await find());
    context.journal.note(note, known);
    await optOutAlso(context, audienceId, known.alsoOptedOut);
    const items = batch.items.map((item) => {
      const email = known.instead[rowKey(item)];
      return email === undefined ? item : { ...item, contact: { ...item.contact, email } };
    });
    return send(context, audienceId, { ...batch, items, body: (batch.bodyOf ?? contactBody)(items) });
  };
}

function readKnown({ journal }: WriteContext, note: string): KnownSpellings {
  return (journal.read(note) as KnownSpellings | undefined) ?? { instead: {}, alsoOptedOut: [] };
}

const EMAIL = Buffer.from('"email":"');
const QUOTE = '"';
const PUNYCODE = Buffer.from('xn--');

/**
 * True if an address in the body has a Punycode domain or a character outside of ASCII. Reads the bytes, because to
 * parse the items of each batch, or to make a string of it, would take longer.
 */
function holdsSpelledAddress(body: Buffer): boolean {
  const holdsPunycode = body.includes(PUNYCODE);
  for (let at = body.indexOf(EMAIL); at !== -1; at = body.indexOf(EMAIL, at)) {
    at += EMAIL.length;
    const address = body.subarray(at, body.indexOf(QUOTE, at));
    if (!isAscii(address) || (holdsPunycode && address.includes(PUNYCODE))) {
      return true;
    }
  }
  return false;
}

/** True if the standard spelling has no other spelling, as for an address in full-width letters. */
function isPlain(email: string): boolean {
  return !hasSpellings(personKey(email));
}

type FoundContacts = ReadonlyMap<ContactItem, readonly Contact[]>;

async function lookUpEach(
  context: WriteContext,
  audienceId: string,
  items: readonly ContactItem[],
): Promise<FoundContacts> {
  const found = new Map<ContactItem, readonly Contact[]>();
  for (const item of items) {
    const { email, status } = item.contact;
    if (status === 'unsubscribed') {
      found.set(item, await lookUpAll(context, audienceId, { email }));
    } else {
      const one = await lookUp(context, audienceId, { email });
      found.set(item, one ? [one] : []);
    }
  }
  return found;
}

/** Reads the whole audience, which takes fewer requests than to look up each person of a batch. */
async function readSpellings(context: WriteContext, audienceId: string): Promise<Find> {
  const there = new Map<string, Contact[]>();
  for await (const page of listContacts(context.client, audienceId, context)) {
    for (const contact of page.map(withCanonicalEmail).filter(({ email }) => hasSpellings(email))) {
      const key = personKey(contact.email);
      there.set(key, [...(there.get(key) ?? []), contact]);
    }
  }
  return ({ contact }) => there.get(personKey(contact.email)) ?? [];
}

function withCanonicalEmail(contact: Contact): Contact {
  return { ...contact, email: canonicalEmail(contact) };
}

function knownOf(items: readonly ContactItem[], find: Find): KnownSpellings {
  const instead: Record<string, string> = {};
  const alsoOptedOut: string[] = [];
  for (const item of items) {
    const { email, status } = item.contact;
    const there = find(item)
      .map(withCanonicalEmail)
      .filter((contact) => personKey(contact.email) === personKey(email));
    const sent = there.find((contact) => contact.email === email) ?? there[0];
    if (sent && sent.email !== email) {
      instead[rowKey(item)] = sent.email;
    }
    if (status === 'unsubscribed') {
      const others = there.filter((contact) => contact !== sent && !hasLeft(contact));
      others.forEach((contact) => alsoOptedOut.push(contact.email));
    }
  }
  return { instead, alsoOptedOut };
}

/** Sent before the batch, because a resume skips a batch that has its response. No row of the list is counted here. */
async function optOutAlso(context: WriteContext, audienceId: string, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) {
    return;
  }
  const items = emails.map((email, index) => optOutBesideList(email, index + 1));
  await sendBesideList(context, audienceId, { kind: 'spelling', items, body: contactBody(items) });
}

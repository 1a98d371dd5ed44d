import { listContacts } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { contactBody } from '../../import/batch/cut-batches.ts';
import type { ContactItem } from '../../import/types.ts';
import { LIMITS } from '../../wire/limits.ts';
import { hasSpellings, personKey } from '../../wire/person-key.ts';
import { lookUp } from '../verify/contacts.ts';
import type { WriteContext } from '../write-context.ts';
import type { SendBatch } from './send-batch.ts';

/** The addresses that the audience has for these people, by row. People with the spelling of the list are left out. */
type OtherSpellings = Readonly<Record<string, string>>;

/**
 * Sends each person whom the audience has under the other spelling of the domain to that contact. The address of the
 * list would be a second contact: mailed twice, or signed up again (F8). All others are sent as they are.
 */
export function createKnownSpelling(send: SendBatch, contactsBefore: number): SendBatch {
  const pages = Math.ceil(contactsBefore / LIMITS.pageSizeMax);
  let read: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  const find = async (context: WriteContext, audienceId: string, items: readonly ContactItem[]) => {
    if (items.length <= pages) {
      return lookUpEach(context, audienceId, items);
    }
    read ??= readSpellings(context, audienceId);
    const there = await read;
    return byRow(items, ({ contact: { email } }) => {
      const known = there.get(personKey(email)) ?? [];
      return known.includes(email) ? undefined : known[0];
    });
  };
  return async (context, audienceId, batch) => {
    if (contactsBefore === 0 || !SPELLED.test(batch.body.toString('latin1'))) {
      return send(context, audienceId, batch);
    }
    const note = `spelling.${batch.name}`;
    const spelled = batch.items.filter(({ contact }) => hasSpellings(contact.email));
    const found = (context.journal.read(note) as OtherSpellings) ?? (await find(context, audienceId, spelled));
    // A resume sends the same bytes.
    context.journal.note(note, found);
    const items = batch.items.map((item) => {
      const email = found[rowKey(item)];
      return email === undefined ? item : { ...item, contact: { ...item.contact, email } };
    });
    return send(context, audienceId, { ...batch, items, body: (batch.bodyOf ?? contactBody)(items) });
  };
}

// Parsing the items of each batch would cost more.
const SPELLED = /"email":"[^"]*(?:xn--|[\x80-\xff])/;

async function lookUpEach(context: WriteContext, audienceId: string, items: readonly ContactItem[]) {
  const found = new Map<ContactItem, string | undefined>();
  for (const item of items) {
    found.set(item, (await lookUp(context, audienceId, { email: item.contact.email }))?.email);
  }
  return byRow(items, (item) => found.get(item));
}

/** Reads the whole audience, which takes fewer requests than to look up each person of a batch. */
async function readSpellings(context: WriteContext, audienceId: string) {
  const there = new Map<string, string[]>();
  for await (const page of listContacts(context.client, audienceId, context)) {
    for (const { email } of page.filter((contact) => hasSpellings(contact.email))) {
      there.set(personKey(email), [...(there.get(personKey(email)) ?? []), email]);
    }
  }
  return there;
}

function byRow(items: readonly ContactItem[], addressOf: (item: ContactItem) => string | undefined): OtherSpellings {
  const others = items.flatMap((item) => {
    const email = addressOf(item);
    const isOther =
      email !== undefined && email !== item.contact.email && personKey(email) === personKey(item.contact.email);
    return isOther ? [[rowKey(item), email]] : [];
  });
  return Object.fromEntries(others);
}

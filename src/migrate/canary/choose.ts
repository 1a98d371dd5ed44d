import { looseKey } from '../../import/record/address.ts';
import type { ContactItem, ListBatch } from '../../import/types.ts';
import type { Contact } from '../../wire/shapes.ts';
import { CANARY_SIZE } from '../plan/plan.ts';
import { lookUp } from '../verify/contacts.ts';
import type { WriteContext } from '../write-context.ts';

/** A probe contact: a person of the list, and what the audience held of this person before the canary. */
export interface Probe extends ContactItem {
  /** `opted out`: in the audience, not subscribed, and sent without a status. */
  readonly before: 'new' | 'there' | 'opted out';
  /** When this person opted out there, if the service says so. */
  readonly optedOutAt?: string | null | undefined;
}

/** People who opted out of the audience before, by address. */
export type OptedOut = ReadonlyMap<string, Pick<Contact, 'unsubscribed_at'>>;

/** The batches and opt-outs that probe contacts are chosen from. */
interface Choice {
  readonly audienceId: string;
  /** Reads only as many batches as the choice needs. */
  readonly batches: AsyncIterable<ListBatch>;
  readonly optedOut: OptedOut;
}

// Look-ups to find a new person: four in the first batch that has candidates, then one for each batch.
const LOOK_UPS = 10;

/**
 * Chooses at most four people of the list. One has no status and is not in the audience. One opted out there. From the
 * first batch come a row that opts out, with a date if possible, and the row with most fields. Free places go to more
 * people without a status: if one leaves meanwhile, the others still show what the service does. The order is that of
 * the list, so a second run sends the same bytes and gets a replay.
 */
export async function chooseProbes(work: WriteContext, { audienceId, batches, optedOut }: Choice): Promise<Probe[]> {
  const found: Found = { plain: [] };
  const look = createLook(work, audienceId);
  let left = LOOK_UPS;
  for await (const { index, items } of batches) {
    const candidates = found.created
      ? []
      : candidatesOf(items, optedOut, left === LOOK_UPS ? CANARY_SIZE : 1).slice(0, left);
    left -= candidates.length;
    found.plain = found.plain.length > 0 ? found.plain : candidates;
    found.created ??= await firstNew(candidates, look);
    found.optedOut ??= items.find(isOptedOut(optedOut));
    if (index === 0) {
      const optOuts = items.filter(({ contact }) => contact.status !== undefined);
      found.optsOut = optOuts.find(({ contact }) => contact.unsubscribed_at !== undefined) ?? optOuts[0];
      found.richest = items.reduce((most, item) => (fieldsOf(item) > fieldsOf(most) ? item : most));
    }
    if ((found.created || left === 0) && (found.optedOut || optedOut.size === 0)) {
      break;
    }
  }
  const probes: Probe[] = [];
  for (const item of peopleOf(found)) {
    probes.push(await look(item));
  }
  return probes;
}

/** Returns a test: true if a person opted out of the audience and is sent without a status. */
export function isOptedOut(optedOut: OptedOut): (item: ContactItem) => boolean {
  return ({ contact }) => contact.status === undefined && optedOut.has(contact.email);
}

interface Found {
  created?: ContactItem | undefined;
  optedOut?: ContactItem | undefined;
  optsOut?: ContactItem | undefined;
  richest?: ContactItem | undefined;
  plain: readonly ContactItem[];
}

/** Up to `most` people without a status, spread over a batch. */
function candidatesOf(items: readonly ContactItem[], optedOut: OptedOut, most: number): ContactItem[] {
  const plain = items.filter(({ contact }) => contact.status === undefined && !optedOut.has(contact.email));
  const count = Math.min(most, plain.length);
  return Array.from({ length: count }, (_, index) => plain[Math.floor((index * plain.length) / count)] as ContactItem);
}

async function firstNew(items: readonly ContactItem[], look: Look): Promise<ContactItem | undefined> {
  for (const item of items) {
    if ((await look(item)).before === 'new') {
      return item;
    }
  }
  return undefined;
}

/** A request must not hold an address twice. So addresses are compared as loosely as the service may compare them (F8). */
function peopleOf({ created, optedOut, optsOut, richest, plain }: Found): ContactItem[] {
  const people = new Map<string, ContactItem>();
  for (const item of [created, optedOut, optsOut, richest, ...plain]) {
    const key = item && looseKey(item.contact.email);
    if (key !== undefined && !people.has(key) && people.size < CANARY_SIZE) {
      people.set(key, item as ContactItem);
    }
  }
  return [...people.values()].sort((a, b) => a.source - b.source || a.line - b.line);
}

type Look = (item: ContactItem) => Promise<Probe>;

/** Looks each person up once. */
function createLook(work: WriteContext, audienceId: string): Look {
  const known = new Map<ContactItem, Probe>();
  return async (item) => {
    const { source, line, contact } = item;
    const probe = known.get(item) ?? {
      source,
      line,
      contact,
      ...stateOf(contact, await lookUp(work, audienceId, contact)),
    };
    known.set(item, probe);
    return probe;
  };
}

function stateOf({ status }: ContactItem['contact'], there: Contact | undefined): Pick<Probe, 'before' | 'optedOutAt'> {
  if (there && status === undefined && there.status !== undefined && there.status !== 'subscribed') {
    return { before: 'opted out', optedOutAt: there.unsubscribed_at };
  }
  return { before: there ? 'there' : 'new' };
}

function fieldsOf({ contact }: ContactItem): number {
  return Object.keys(contact.attributes ?? {}).length;
}

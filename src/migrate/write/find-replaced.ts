import { getAudience, sizeOfAudience } from '../../api/resources/audiences.ts';
import { listContacts } from '../../api/resources/contacts.ts';
import { evenlySpread, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import { compareContact } from '../compare/compare-contact.ts';
import { lookUpContact, refusedRows } from '../compare/look-up.ts';
import type { OutgoingBatch } from './send-batch.ts';

/** A span of time, in milliseconds of the service's clock. */
export interface TimeSpan {
  readonly after: number;
  readonly before: number;
}

/** What the service shows about the people of a replayed batch. */
export interface ReplacedSearch {
  /** True if a person differs from what was sent, or was changed in the given span of time. */
  readonly isReplaced: boolean;
  /** The number of people whom svc did not check, because the audience is too large, or no page shows them. */
  readonly unseen: number;
}

export type FindReplaced = (batch: OutgoingBatch, span: TimeSpan | undefined) => Promise<ReplacedSearch>;

// The maximum number of pages to read. To read more would take longer than to write the list again.
const MAX_PAGES = 50;
// The maximum number of people to look up for the first replayed batches, if the audience has more contacts than these
// pages show. The people are spread over each batch. Each later replayed batch gets one look-up.
const MAX_LOOK_UPS = 20;

/**
 * Returns a function that searches a batch for people whose data was replaced. Such people differ from what was sent,
 * or were changed in a span of time.
 */
export function createReplacedSearch(context: WriteContext, audienceId: string): FindReplaced {
  let audience: Promise<ReadPages> | undefined;
  let size: Promise<number> | undefined;
  let lookUpsLeft = MAX_LOOK_UPS;
  return async ({ items, isCounted = () => true }, span) => {
    // A write may change a contact without a change of `updated_at`. So the fields are compared too.
    const isReplaced = ({ contact: sent }: ContactItem, shown: Contact | undefined) =>
      shown !== undefined &&
      ((span !== undefined && mayHaveChanged(shown, span)) || compareContact(sent, shown).length > 0);
    audience ??= readNewestPages(context, audienceId);
    const { contacts, shown } = await audience;
    const refused = refusedRows(context.journal);
    const written = items.filter((item) => isCounted(item) && !refused.has(rowKey(item)));
    const contactOf = ({ contact }: ContactItem) => contacts.get(looseKey(contact.email));
    if (written.some((item) => isReplaced(item, contactOf(item)))) {
      return { isReplaced: true, unseen: 0 };
    }
    const notShown = written.filter((item) => contactOf(item) === undefined);
    size ??= notShown.length > 0 ? countContactsOf(context, audienceId) : undefined;
    const unlisted = shown < ((await size) ?? 0) ? notShown : [];
    const sample = evenlySpread(unlisted, Math.max(1, lookUpsLeft));
    lookUpsLeft -= sample.length;
    const found = await Array.fromAsync(sample, async (item) =>
      isReplaced(item, await lookUpContact(context, audienceId, item.contact)),
    );
    return { isReplaced: found.includes(true), unseen: unlisted.length - sample.length };
  };
}

/**
 * True if the contact was changed in this span. Also true if it shows no `updated_at`, which the document does not
 * promise.
 */
function mayHaveChanged({ updated_at }: Contact, { after, before }: TimeSpan): boolean {
  const time = Date.parse(updated_at ?? '');
  return Number.isNaN(time) || (time > after && time < before);
}

/** What the newest pages of an audience show. */
interface ReadPages {
  /** The contacts by `looseKey`. */
  readonly contacts: ReadonlyMap<string, Contact>;
  /** The number of contacts on the pages that svc read. */
  readonly shown: number;
}

async function readNewestPages(context: WriteContext, audienceId: string): Promise<ReadPages> {
  const contacts = new Map<string, Contact>();
  let pages = 0;
  let shown = 0;
  for await (const page of listContacts(context.client, audienceId, context)) {
    for (const contact of page) {
      contacts.set(looseKey(contact.email), contact);
    }
    pages += 1;
    shown += page.length;
    if (pages === MAX_PAGES) {
      break;
    }
  }
  return { contacts, shown };
}

/** The size of the audience. The pages show fewer contacts if there are more pages, or if they leave people out. */
async function countContactsOf(context: WriteContext, audienceId: string): Promise<number> {
  return sizeOfAudience((await getAudience(context.client, audienceId, context)).contact_counts);
}

import { contactBatchKey, findContact, postContactBatch } from '../api/contacts.ts';
import { contactBody } from '../import/chunk.ts';
import type { Chunk, ContactItem } from '../import/types.ts';
import type { BatchResponse } from '../wire/shapes.ts';
import { readBatchAnswer } from './batch-answer.ts';
import { type Delivery, deliver } from './deliver.ts';
import type { Work } from './work.ts';

/** Sends one chunk to an audience; returns how many of its rows were refused on their own. */
export type SendChunk = (work: Work, audienceId: string, chunk: Chunk) => Promise<number>;

/** Sends a chunk as it is, or passes it over when the journal has its answer. */
export const sendChunk: SendChunk = (work, audienceId, chunk) =>
  deliver(
    work,
    contactDelivery(work, audienceId, {
      name: String(chunk.index),
      items: chunk.items,
      body: chunk.body,
      bodyOf: contactBody,
    }),
  );

/** People of a chunk that go in a request of their own. */
export interface ContactPart {
  readonly name: string;
  readonly items: readonly ContactItem[];
  bodyOf(items: readonly ContactItem[]): Buffer;
}

/** Sends part of a chunk under a name of its own. */
export function sendPart(work: Work, audienceId: string, part: ContactPart): Promise<number> {
  return deliver(work, contactDelivery(work, audienceId, { ...part, body: part.bodyOf(part.items) }));
}

type Bodied = ContactPart & { readonly body: Buffer };

function contactDelivery(work: Work, audienceId: string, part: Bodied): Delivery<BatchResponse> {
  const { items, name, body, bodyOf } = part;
  const { client, signal, again } = work;
  const batch = { audienceId, body, again };
  const lookUp = async (email: string) =>
    (await findContact(client, { audienceId, idOrEmail: email, signal })) !== undefined;
  return {
    kind: 'contacts',
    name,
    rows: items,
    keyAt: contactBatchKey(client, batch),
    post: (calling) => postContactBatch(client, batch, calling),
    answer: (value, replayed) => readBatchAnswer(value, { items, replayed, lookUp }),
    part: (from, to, partName) => {
      const half = items.slice(from, to);
      return contactDelivery(work, audienceId, { name: partName, items: half, body: bodyOf(half), bodyOf });
    },
  };
}

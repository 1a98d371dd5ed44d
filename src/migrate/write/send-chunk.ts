import { contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import { contactBody } from '../../import/batch/chunk.ts';
import type { Chunk, ContactItem } from '../../import/types.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { lookUp } from '../verify/look-up.ts';
import type { Work } from '../work.ts';
import { readBatchAnswer } from './batch-answer.ts';
import { type Delivered, type Delivery, deliver, type UnitRow } from './deliver.ts';

/** Sends one chunk to an audience, or passes it over when the journal has its answer. */
export type SendChunk = (work: Work, audienceId: string, chunk: Chunk) => Promise<Delivered>;

/** Sends a chunk as it is. */
export const sendChunk: SendChunk = (work, audienceId, chunk) =>
  deliver(
    work,
    contactDelivery(work, audienceId, {
      name: String(chunk.index),
      rows: chunk.rows,
      items: () => chunk.items,
      body: chunk.body,
      bodyOf: contactBody,
    }),
  );

/** True once a chunk was begun, as a whole or in the two parts of --explicit-status. */
export function wasSent({ journal }: Pick<Work, 'journal'>, { index }: Chunk): boolean {
  return [`${index}`, `${index}.new`, `${index}.old`].some(
    (name) => journal.units.find('contacts', name) !== undefined,
  );
}

/** People of a chunk that go in a request of their own. */
export interface ContactPart {
  readonly name: string;
  readonly items: readonly ContactItem[];
  bodyOf(items: readonly ContactItem[]): Buffer;
}

/** Sends part of a chunk under a name of its own. */
export function sendPart(work: Work, audienceId: string, part: ContactPart): Promise<Delivered> {
  const { name, items, bodyOf } = part;
  return deliver(
    work,
    contactDelivery(work, audienceId, { name, rows: items, items: () => items, body: bodyOf(items), bodyOf }),
  );
}

interface Bodied {
  readonly name: string;
  readonly rows: readonly UnitRow[];
  readonly items: () => readonly ContactItem[];
  readonly body: Buffer;
  bodyOf(items: readonly ContactItem[]): Buffer;
}

function contactDelivery(work: Work, audienceId: string, part: Bodied): Delivery<BatchResponse> {
  const { rows, items, name, body, bodyOf } = part;
  const { client, again } = work;
  const batch = { audienceId, body, again };
  const isThere = async (email: string) => (await lookUp(work, audienceId, email)) !== undefined;
  return {
    kind: 'contacts',
    name,
    rows,
    keyAt: contactBatchKey(client, batch),
    post: (calling) => postContactBatch(client, batch, calling),
    answer: (value, replayed) =>
      readBatchAnswer(value, { rows, replayed, addressAt: (index) => items()[index]!.contact.email, isThere }),
    part: (from, to, partName) => {
      const half = items().slice(from, to);
      const parted = { name: partName, rows: half, items: () => half, body: bodyOf(half), bodyOf };
      return contactDelivery(work, audienceId, parted);
    },
  };
}

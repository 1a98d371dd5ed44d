import { LIMITS } from '../wire/limits.ts';
import { looseKey } from './address.ts';
import type { Chunk, ContactItem } from './types.ts';

/**
 * Cuts people into batches of `size`, in order. An address that could become one with another of its batch for the service
 * waits for the next batch (rule F8). Which batch a person is in depends on addresses alone, never on other fields.
 */
export async function* chunks(
  items: AsyncIterable<ContactItem>,
  { size = LIMITS.batchItems }: { readonly size?: number | undefined } = {},
): AsyncGenerator<Chunk> {
  let batch = startBatch([], size);
  let index = 0;
  for await (const item of items) {
    addItem(batch, item, size);
    if (batch.items.length === size) {
      yield closeBatch(batch, index++);
      batch = startBatch(batch.waiting, size);
    }
  }
  while (batch.items.length > 0) {
    yield closeBatch(batch, index++);
    batch = startBatch(batch.waiting, size);
  }
}

/** The exact bytes of a contact batch; the client hashes and sends this one buffer. */
export function contactBody(items: readonly ContactItem[]): Buffer {
  return Buffer.from(JSON.stringify({ upsert: true, contacts: items.map((item) => item.contact) }));
}

interface Batch {
  readonly items: ContactItem[];
  readonly keys: Set<string>;
  readonly waiting: ContactItem[];
}

function startBatch(waiting: readonly ContactItem[], size: number): Batch {
  const batch: Batch = { items: [], keys: new Set(), waiting: [] };
  for (const item of waiting) {
    addItem(batch, item, size);
  }
  return batch;
}

function addItem(batch: Batch, item: ContactItem, size: number): void {
  const key = looseKey(item.contact.email);
  if (batch.items.length === size || batch.keys.has(key)) {
    batch.waiting.push(item);
    return;
  }
  batch.keys.add(key);
  batch.items.push(item);
}

function closeBatch(batch: Batch, index: number): Chunk {
  return { index, items: batch.items, body: contactBody(batch.items) };
}

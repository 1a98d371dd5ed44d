import type { RowPosition } from '../../base/lib/rows.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import { looseKey } from '../record/address.ts';
import type { ContactText } from './contact-text.ts';
import { createJsonBytes, type JsonBytes } from './json-bytes.ts';

/** A person ready to be sent as a contact, and the row that the person is written for. */
export interface ContactItem extends RowPosition {
  readonly contact: BatchContact;
}

/** Up to 1,000 people and the bytes of their request. The same list and options give the same batches. */
export interface ListBatch {
  /** Counts from 0. */
  readonly index: number;
  /** The rows of the people in the body. */
  readonly rows: readonly RowPosition[];
  /** The rows with their contacts. They are parsed from the body on request, because few batches need them. */
  readonly items: readonly ContactItem[];
  readonly body: Buffer;
}

interface BatchLimit {
  readonly size?: number | undefined;
}

/** Cuts people into batches. See `textBatches`. */
export function cutBatches(items: AsyncIterable<ContactItem>, limit: BatchLimit = {}): AsyncGenerator<ListBatch> {
  return textBatches(asTexts(items), limit);
}

/**
 * Cuts people into batches of `size`, in order. If the service could treat an address as the same as another one of its
 * batch, the address waits for the next batch (rule F8). The batch of a person depends on addresses alone, never on
 * other fields.
 */
export async function* textBatches(
  texts: AsyncIterable<readonly ContactText[]>,
  { size = LIMITS.batchItems }: BatchLimit = {},
): AsyncGenerator<ListBatch> {
  const body = createJsonBytes();
  let batch = startBatch(body, [], size);
  let index = 0;
  for await (const some of texts) {
    for (const text of some) {
      if (!addText(batch, text, size)) {
        batch.waiting.push(copyOf(text));
      }
      if (batch.rows.length === size) {
        yield closeBatch(batch, index++);
        batch = startBatch(body, batch.waiting, size);
      }
    }
  }
  while (batch.rows.length > 0) {
    yield closeBatch(batch, index++);
    batch = startBatch(body, batch.waiting, size);
  }
}

/** The exact bytes of a contact batch; the client hashes and sends this one buffer. */
export function contactBody(items: readonly ContactItem[]): Buffer {
  return Buffer.from(JSON.stringify({ upsert: true, contacts: items.map((item) => item.contact) }));
}

async function* asTexts(items: AsyncIterable<ContactItem>): AsyncGenerator<readonly ContactText[]> {
  for await (const { source, line, contact } of items) {
    const optsOut = contact.status === 'unsubscribed';
    yield [{ source, line, email: contact.email, optsOut, write: (to) => to.json(JSON.stringify(contact)) }];
  }
}

interface Batch {
  readonly rows: RowPosition[];
  readonly keys: Set<string>;
  readonly body: JsonBytes;
  readonly waiting: ContactText[];
}

function startBatch(body: JsonBytes, waiting: readonly ContactText[], size: number): Batch {
  const batch: Batch = { rows: [], keys: new Set(), body, waiting: [] };
  for (const text of waiting) {
    if (!addText(batch, text, size)) {
      batch.waiting.push(text);
    }
  }
  return batch;
}

/** A copy of the text that stays valid when more people are read. */
function copyOf(text: ContactText): ContactText {
  const json = createJsonBytes();
  text.write(json);
  const bytes = json.take();
  return { ...text, write: (to) => to.constant(bytes) };
}

/** Adds a person to the batch. Returns false if the person has to wait for another batch. */
function addText(batch: Batch, text: ContactText, size: number): boolean {
  const key = looseKey(text.email);
  if (batch.rows.length === size || batch.keys.has(key)) {
    return false;
  }
  batch.keys.add(key);
  batch.body.constant(batch.rows.length === 0 ? START : COMMA);
  text.write(batch.body);
  batch.rows.push({ source: text.source, line: text.line });
  return true;
}

const START = Buffer.from('{"upsert":true,"contacts":[');
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

function closeBatch({ rows, body }: Batch, index: number): ListBatch {
  body.constant(END);
  return createListBatch(index, rows, body.take());
}

export function createListBatch(index: number, rows: ListBatch['rows'], body: Buffer): ListBatch {
  let items: readonly ContactItem[] | undefined;
  return {
    index,
    rows,
    body,
    get items() {
      items ??= itemsOf(rows, body);
      return items;
    },
  };
}

function itemsOf(rows: ListBatch['rows'], body: Buffer): ContactItem[] {
  const { contacts } = JSON.parse(body.toString()) as { readonly contacts: readonly BatchContact[] };
  return rows.map((row, at) => ({ ...row, contact: contacts[at] as BatchContact }));
}

import { createRowList, type RowList, type RowPosition } from '../../base/lib/rows.ts';
import { LIMITS } from '../../wire/limits.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import type { ContactText } from './contact-text.ts';
import { createJsonWriter, type JsonWriter } from './json-bytes.ts';

export interface ContactItem extends RowPosition {
  readonly contact: BatchContact;
}

/** Up to 1,000 contacts and the bytes of their request. The same list and options always give the same batches. */
export interface ListBatch {
  /** The number of the batch, from 0. */
  readonly index: number;
  /** The positions of the rows, in the order of the body. */
  readonly rows: RowList;
  /** Two numbers for each row, its input and its line. `rows` is made from them. A thread can transfer them. */
  readonly rowNumbers: Int32Array<ArrayBuffer>;
  /** The rows with their contacts. They are parsed from the body when first used, because few batches need them. */
  readonly items: readonly ContactItem[];
  readonly body: Buffer<ArrayBuffer>;
}

interface BatchOptions {
  readonly size?: number | undefined;
  /** Memory of bodies that were sent. Later bodies use it again, so that less memory becomes garbage. */
  readonly reusable?: ArrayBuffer[];
}

/** Like `cutTextBatches`, for contacts that are not JSON yet. */
export function cutBatches(
  items: AsyncIterable<ContactItem>,
  limits: Pick<BatchOptions, 'size'> = {},
): AsyncGenerator<ListBatch> {
  return cutTextBatches(asTexts(items), limits);
}

/**
 * Cuts contacts into batches of `size`, in order. If the service could take two addresses for one, they get different
 * batches: the later one waits for the next batch (F8). Only addresses decide which contact is in which batch, so a
 * change of other fields never moves a contact.
 */
export async function* cutTextBatches(
  texts: AsyncIterable<readonly ContactText[]>,
  { size = LIMITS.batchItems, reusable }: BatchOptions = {},
): AsyncGenerator<ListBatch> {
  const body = createJsonWriter();
  let batch = startBatch(body, [], size);
  let index = 0;
  for await (const part of texts) {
    for (const text of part) {
      if (!addText(batch, text, size)) {
        batch.waiting.push(copyOf(text));
      }
      if (batch.count === size) {
        yield closeBatch(batch, index++, reusable);
        batch = startBatch(body, batch.waiting, size);
      }
    }
  }
  while (batch.count > 0) {
    yield closeBatch(batch, index++, reusable);
    batch = startBatch(body, batch.waiting, size);
  }
}

/** The body of the request for these contacts. The client hashes and sends exactly these bytes. */
export function contactBody(items: readonly ContactItem[]): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify({ upsert: true, contacts: items.map((item) => item.contact) }));
}

async function* asTexts(items: AsyncIterable<ContactItem>): AsyncGenerator<readonly ContactText[]> {
  for await (const { source, line, contact } of items) {
    const optsOut = contact.status === 'unsubscribed';
    yield [{ source, line, email: contact.email, optsOut, write: (to) => to.writeJson(JSON.stringify(contact)) }];
  }
}

interface Batch {
  /** Two numbers for each row: its source and its line. */
  readonly rowNumbers: Int32Array<ArrayBuffer>;
  count: number;
  readonly keys: Set<string>;
  readonly body: JsonWriter;
  readonly waiting: ContactText[];
}

function startBatch(body: JsonWriter, waiting: readonly ContactText[], size: number): Batch {
  const batch: Batch = { rowNumbers: new Int32Array(2 * size), count: 0, keys: new Set(), body, waiting: [] };
  for (const text of waiting) {
    if (!addText(batch, text, size)) {
      batch.waiting.push(text);
    }
  }
  return batch;
}

/** A copy of the text that stays valid after more people are read. */
function copyOf(text: ContactText): ContactText {
  const json = createJsonWriter();
  text.write(json);
  const bytes = json.take();
  return { ...text, write: (to) => to.writeJsonBytes(bytes) };
}

/** Adds a contact to the batch. Returns false if it must wait for another batch. */
function addText(batch: Batch, text: ContactText, size: number): boolean {
  const key = looseKey(text.email);
  if (batch.count === size || batch.keys.has(key)) {
    return false;
  }
  batch.keys.add(key);
  batch.body.writeJsonBytes(batch.count === 0 ? START : COMMA);
  text.write(batch.body);
  batch.rowNumbers[2 * batch.count] = text.source;
  batch.rowNumbers[2 * batch.count + 1] = text.line;
  batch.count += 1;
  return true;
}

const START = Buffer.from('{"upsert":true,"contacts":[');
const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

function closeBatch({ rowNumbers, count, body }: Batch, index: number, reusable?: ArrayBuffer[]): ListBatch {
  body.writeJsonBytes(END);
  return createListBatch(index, rowNumbers.subarray(0, 2 * count), body.take(reusable));
}

/** A batch of rows and the body of their request. */
export function createListBatch(
  index: number,
  rowNumbers: ListBatch['rowNumbers'],
  body: ListBatch['body'],
): ListBatch {
  const rows = createRowList(rowNumbers);
  let items: readonly ContactItem[] | undefined;
  return {
    index,
    rowNumbers,
    rows,
    body,
    get items() {
      items ??= itemsOf(rows, body);
      return items;
    },
  };
}

function itemsOf(rows: RowList, body: Buffer): ContactItem[] {
  const { contacts } = JSON.parse(body.toString()) as { readonly contacts: readonly BatchContact[] };
  return contacts.map((contact, index) => ({ ...(rows.at(index) as RowPosition), contact }));
}

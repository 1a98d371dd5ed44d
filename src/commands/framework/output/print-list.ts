import { createReadStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withReceivedNulls } from '../../../api/resources/json-bodies.ts';
import type { OutputStream } from '../../../base/context.ts';
import { ensurePrivateFolder, openPrivateWriter } from '../../../base/os/files.ts';
import { jsonItem } from '../../../render/text/object.ts';
import type { Style } from '../../../render/text/style.ts';
import type { Invocation } from '../invocation.ts';
import { resolveStateFolder } from '../settings/settings.ts';
import { checkLsFlags, type LsCommand, noteMoreEntries, printLimitOf } from './ls-flags.ts';
import { noteEmptyList, tableStyle, takeFirst } from './print.ts';

type PrintContext = Pick<Invocation<unknown>, 'context' | 'settings'>;

/**
 * Prints a list of any length in little memory, and returns the number of items. Prints a table in blocks, and JSON
 * once it is complete, because half a document is useless. Prints 50 items by default (see `printLimitOf`), and a note
 * if there are more. Once the reader closed the pipe, reads no more items (D3).
 */
export async function printList<T>(
  listing: LsCommand,
  items: AsyncIterable<T> | Iterable<T>,
  render: (items: readonly T[], style: Style) => string,
  toJson: (item: T) => unknown = (item) => item,
): Promise<number> {
  checkLsFlags(listing);
  const { context, settings } = listing;
  const { stdout } = context;
  const { maxItems, isDefault } = printLimitOf(listing);
  if (!isDefault) {
    context.tuneForMuchData();
  }
  let hasMore = false;
  const onMore = () => {
    hasMore = true;
  };
  const taken = takeFirst(items, maxItems, isDefault ? onMore : undefined);
  if (settings.output.json) {
    const count = await printJson(listing, taken, toJson);
    if (hasMore) {
      noteMoreEntries(listing);
    }
    return count;
  }
  const found = whileRead(taken, stdout);
  let printed = 0;
  for await (const block of blocksOf(found, stdout.isTTY ? SCREEN_BLOCK : PIPE_BLOCK)) {
    stdout.write(render(block, tableStyle(listing, printed === 0)));
    printed += block.length;
  }
  if (printed === 0 && !stdout.closed) {
    stdout.write(render([], tableStyle(listing)));
    noteEmptyList(listing);
  }
  if (hasMore) {
    noteMoreEntries(listing);
  }
  return printed;
}

// The number of items in one block of a table. Blocks for a terminal are large, because each block has its own column
// widths. Blocks for a pipe are small, so that svc soon sees that the reader closed the pipe.
const SCREEN_BLOCK = 1_000;
const PIPE_BLOCK = 100;
const MAX_BUFFERED_CHARACTERS = 1_000_000;

async function* whileRead<T>(items: AsyncIterable<T>, stdout: OutputStream): AsyncGenerator<T> {
  for await (const item of items) {
    if (stdout.closed) {
      return;
    }
    yield item;
  }
}

async function* blocksOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let block: T[] = [];
  for await (const item of items) {
    block.push(item);
    if (block.length === size) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) {
    yield block;
  }
}

async function printJson<T>(
  printing: PrintContext,
  items: AsyncIterable<T>,
  toJson: (item: T) => unknown,
): Promise<number> {
  const { stdout } = printing.context;
  let file: ReturnType<typeof openTemporaryFile> | undefined;
  let buffered = '';
  let before = '[\n';
  let count = 0;
  try {
    for await (const item of whileRead(items, stdout)) {
      buffered += before + jsonItem(withReceivedNulls(toJson(item)));
      before = ',\n';
      if (buffered.length > MAX_BUFFERED_CHARACTERS) {
        file ??= openTemporaryFile(printing);
        file.write(buffered);
        buffered = '';
      }
      count += 1;
      if (count % PROBE_EVERY === 0 && !stdout.isTTY) {
        stdout.write(' ');
      }
    }
    for await (const part of whileRead(file?.end() ?? noText(), stdout)) {
      stdout.write(part);
    }
    stdout.write(before === '[\n' ? '[]\n' : `${buffered}\n]\n`);
    return count;
  } finally {
    file?.drop();
  }
}

// svc sees a closed pipe only when it writes, so it writes a blank after this many items. Blanks before a JSON document
// have no meaning.
const PROBE_EVERY = 1_000;

async function* noText(): AsyncGenerator<string> {}

/**
 * Opens a temporary file that only this user can read. Deletes its name at once, so that no file is left if the command
 * is killed.
 */
function openTemporaryFile({ context, settings }: PrintContext) {
  const stateFolder = resolveStateFolder(context, settings);
  ensurePrivateFolder(stateFolder);
  const writer = openPrivateWriter(join(stateFolder, `list-${context.randomHex(12)}`));
  const reader = createReadStream('', { fd: openSync(writer.path, 'r'), start: 0, encoding: 'utf8' });
  rmSync(writer.path);
  return {
    write: (text: string) => writer.write(text),
    end: (): AsyncIterable<string> => {
      writer.close();
      return reader;
    },
    drop: () => reader.destroy(),
  };
}

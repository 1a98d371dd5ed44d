import { createReadStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, openPrivateWriter } from '../base/files.ts';
import { keepHeapSmall } from '../base/heap.ts';
import { jsonItem } from '../render/json.ts';
import { type Style, styleOf } from '../render/style.ts';
import type { Invocation } from './invocation.ts';
import { sayNone } from './print.ts';
import { stateOf } from './state.ts';

type Printing = Pick<Invocation<unknown>, 'context' | 'settings'>;

/**
 * Prints a list that may be long, so that memory doesn't grow with it: as a table block by block, as JSON once it is
 * whole, because half a document is none.
 */
export async function printList<T>(
  printing: Printing,
  items: AsyncIterable<T>,
  text: (items: readonly T[], style: Style) => string,
): Promise<void> {
  keepHeapSmall();
  const { context, settings } = printing;
  if (settings.output.json) {
    await printJson(printing, items);
    return;
  }
  let printed = 0;
  for await (const block of blocksOf(items)) {
    context.stdout.write(text(block, styleOf(context.stdout, settings.output.color.stdout)));
    printed += block.length;
  }
  if (printed === 0) {
    sayNone(printing);
  }
}

const BLOCK = 1_000;
const HELD_CHARACTERS = 1_000_000;

async function* blocksOf<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let block: T[] = [];
  for await (const item of items) {
    block.push(item);
    if (block.length === BLOCK) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) {
    yield block;
  }
}

async function printJson(printing: Printing, items: AsyncIterable<unknown>): Promise<void> {
  const { stdout } = printing.context;
  let spool: Spool | undefined;
  let held = '';
  let before = '[\n';
  try {
    for await (const item of items) {
      held += before + jsonItem(item);
      before = ',\n';
      if (held.length > HELD_CHARACTERS) {
        spool ??= openSpool(printing);
        spool.write(held);
        held = '';
      }
    }
    for await (const part of spool?.end() ?? []) {
      stdout.write(part);
    }
    stdout.write(before === '[\n' ? '[]\n' : `${held}\n]\n`);
  } finally {
    spool?.drop();
  }
}

interface Spool {
  write(text: string): void;
  end(): AsyncIterable<string>;
  drop(): void;
}

/** A file of the owner alone, without a name from the start: nothing of it is left however the command ends. */
function openSpool({ context, settings }: Printing): Spool {
  const state = stateOf(context, settings);
  ensurePrivateFolder(state);
  const writer = openPrivateWriter(join(state, `list-${context.randomHex(12)}`));
  const reader = createReadStream('', { fd: openSync(writer.path, 'r'), start: 0, encoding: 'utf8' });
  rmSync(writer.path);
  return {
    write: (text) => writer.write(text),
    end: () => {
      writer.close();
      return reader;
    },
    drop: () => reader.destroy(),
  };
}

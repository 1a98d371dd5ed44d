import { asReceived } from '../../../api/resources/json-bodies.ts';
import type { Context } from '../../../base/context.ts';
import { jsonText } from '../../../render/text/object.ts';
import { createCsvStyle, type Style, styleOf } from '../../../render/text/style.ts';
import type { Settings } from '../settings/settings.ts';
import type { LsCommand } from './ls-flags.ts';

/** Prints the result of a short command: the service's objects as one JSON document, or text for people. */
export function print<T>(
  { context, settings }: { readonly context: Context; readonly settings: Settings },
  value: T,
  text: (value: T, style: Style) => string,
): void {
  const { json, color } = settings.output;
  context.stdout.write(json ? receivedJson(value, 2) : text(value, styleOf(context.stdout, color.stdout)));
  if (Array.isArray(value) && value.length === 0) {
    noteEmptyList({ context, settings });
  }
}

/** JSON of an object of the service, or of several, with all fields as the service sent them. */
export function receivedJson(value: unknown, indent?: number): string {
  return jsonText(asReceived(value), indent);
}

/** The style of a table on stdout. `withHeader` is false for the later blocks of a long CSV. */
export function tableStyle({ context, settings, flags }: Omit<LsCommand, 'line'>, withHeader = true): Style {
  return flags.output === 'csv' ? createCsvStyle(withHeader) : styleOf(context.stdout, settings.output.color.stdout);
}

/** Prints a note for an empty list at a terminal. An empty list is a valid result. */
export function noteEmptyList({ context, settings }: { readonly context: Context; readonly settings: Settings }): void {
  const { json, quiet } = settings.output;
  if (context.stdout.isTTY && !json && !quiet) {
    context.stderr.write('None.\n');
  }
}

export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

/** The first `most` items, or all. With `onMore`, one more is requested, and `onMore` is called if it exists. */
export async function* take<T>(
  items: AsyncIterable<T> | Iterable<T>,
  most: number | undefined,
  onMore?: () => void,
): AsyncGenerator<T> {
  let left = most ?? Number.POSITIVE_INFINITY;
  for await (const item of items) {
    if (left <= 0) {
      onMore?.();
      return;
    }
    yield item;
    left -= 1;
    if (left <= 0 && !onMore) {
      return;
    }
  }
}

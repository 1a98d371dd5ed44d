import { withReceivedNulls } from '../../../api/resources/json-bodies.ts';
import type { Context } from '../../../base/context.ts';
import { jsonText } from '../../../render/text/object.ts';
import { createCsvStyle, type Style, styleOf } from '../../../render/text/style.ts';
import { wrapText } from '../../../render/text/wrap.ts';
import type { Settings } from '../settings/settings.ts';
import type { LsCommand } from './ls-flags.ts';

/** Prints the result of a short command: one JSON document with --json, otherwise what `render` returns. */
export function print<T>(
  { context, settings }: { readonly context: Context; readonly settings: Settings },
  value: T,
  render: (value: T, style: Style) => string,
): void {
  const { json, color } = settings.output;
  context.stdout.write(json ? receivedJson(value, 2) : render(value, styleOf(context.stdout, color.stdout)));
  if (Array.isArray(value) && value.length === 0) {
    noteEmptyList({ context, settings });
  }
}

/** The JSON of one or several objects of the service, with all fields as the service sent them. */
export function receivedJson(value: unknown, indent?: number): string {
  return jsonText(withReceivedNulls(value), indent);
}

/** The style of a table on stdout. For a CSV in blocks, only the first block has `withHeader` true. */
export function tableStyle({ context, settings, flags }: Omit<LsCommand, 'argv'>, withHeader = true): Style {
  return flags.output === 'csv' ? createCsvStyle(withHeader) : styleOf(context.stdout, settings.output.color.stdout);
}

/**
 * Prints "None." on stderr for an empty list at a terminal. Otherwise the user would not see that the command worked.
 */
export function noteEmptyList({ context, settings }: { readonly context: Context; readonly settings: Settings }): void {
  const { json, quiet } = settings.output;
  if (context.stdout.isTTY && !json && !quiet) {
    context.stderr.write('None.\n');
  }
}

/** Writes a sentence to stderr. Breaks lines so that they fit the terminal, but never inside a command or a path. */
export function writeSentence({ stderr }: Pick<Context, 'stderr'>, sentence: string): void {
  stderr.write(`${wrapText(sentence, stderr.columns).join('\n')}\n`);
}

export function writeNote(context: Pick<Context, 'stderr'>, note: string): void {
  writeSentence(context, `note: ${note}`);
}

/**
 * Yields the first `maxItems` items, or all items if `maxItems` is undefined. If `onMore` is given, reads one further
 * item, and calls `onMore` if that item exists.
 */
export async function* takeFirst<T>(
  items: AsyncIterable<T> | Iterable<T>,
  maxItems: number | undefined,
  onMore?: () => void,
): AsyncGenerator<T> {
  let itemsLeft = maxItems ?? Number.POSITIVE_INFINITY;
  for await (const item of items) {
    if (itemsLeft <= 0) {
      onMore?.();
      return;
    }
    yield item;
    itemsLeft -= 1;
    if (itemsLeft <= 0 && !onMore) {
      return;
    }
  }
}

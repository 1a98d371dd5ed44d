import { formatNumber, terminalSafe } from '../../base/lib/text.ts';
import type { Style } from './style.ts';
import { displayWidth, padEnd } from './width.ts';
import { wrapText } from './wrap.ts';

/** A part of a page with a title. Without lines it is empty, and has no title either. */
export function titledSection(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines];
}

/** The name and id of an object: `Newsletter (aud_…)`. Undefined if there is no object. */
export function nameWithId(object: { readonly id: string; readonly name: string } | null | undefined) {
  return object ? `${terminalSafe(object.name)} (${terminalSafe(object.id)})` : undefined;
}

/**
 * Lines of `name  value`, with the values below each other. Long values take several lines. Entries without a value are
 * left out.
 */
export function nameValueLines(entries: readonly (readonly [string, string | undefined])[], style: Style): string[] {
  const present = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const width = present.reduce((max, [name]) => Math.max(max, displayWidth(name)), 0);
  return present.flatMap(([name, value]) => {
    const first = `  ${padEnd(name, width)}  `;
    const lines = wrapText(value, style.columns, { first, rest: ' '.repeat(width + 4) });
    return [style.dim(first) + (lines[0] ?? '').slice(first.length), ...lines.slice(1)];
  });
}

/** Lines of `1,200  words` with right-aligned numbers. Entries with 0 are left out. */
export function countLines(entries: readonly (readonly [number, string])[], style: Style): string[] {
  const present = entries
    .filter(([count]) => count !== 0)
    .map(([count, words]) => [formatNumber(count), words] as const);
  const width = present.reduce((most, [count]) => Math.max(most, count.length), 0);
  return present.flatMap(([count, words]) => {
    const first = `  ${count.padStart(width)}  `;
    return wrapText(words, style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

/** The counts of a record that are not 0: first the names in `order`, then all others in the order of the record. */
export function nonZeroCounts(record: object, order: readonly string[] = []): [string, number][] {
  const entries = Object.entries(record).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] !== 0,
  );
  const rankOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return entries.toSorted(([a], [b]) => rankOf(a) - rankOf(b));
}

/** The counts of a record that are not 0, largest first. */
export function countsLargestFirst(record: object): [string, number][] {
  return nonZeroCounts(record).toSorted(([, a], [, b]) => b - a);
}

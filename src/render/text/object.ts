import { terminalSafe } from '../../base/lib/text.ts';
import type { Style } from './style.ts';
import { displayWidth, padEnd } from './width.ts';

/**
 * An object of the service as lines of `name  value`, with all fields, even unknown ones (O6). Nested fields have
 * dotted names, such as `contact_counts.total`. Without a terminal, a tab separates name and value.
 */
export function objectText(object: object, style: Style): string {
  const fields = flatten(object, '');
  const width = fields.reduce((max, [name]) => Math.max(max, displayWidth(name)), 0);
  const lineOf = ([name, value]: readonly [string, string]) =>
    style.columns === undefined
      ? `${name}\t${value}\n`
      : `${style.dim(padEnd(name, width))}  ${value || style.dim('–')}\n`;
  return fields.map(lineOf).join('');
}

function flatten(value: object, prefix: string): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (inner === undefined) {
      return [];
    }
    const name = prefix + terminalSafe(key);
    if (Array.isArray(inner)) {
      return [[name, inner.map(plainText).join(', ')] as const];
    }
    return typeof inner === 'object' && inner !== null
      ? flatten(inner, `${name}.`)
      : [[name, plainText(inner)] as const];
  });
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return terminalSafe(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

// Matches characters that change what a terminal shows and that JSON.stringify does not escape.
const NOT_PRINTABLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A JSON document and a newline. Characters that change what a terminal shows become \uXXXX (K5). */
export function jsonText(value: unknown, indent?: number): string {
  return `${JSON.stringify(value, null, indent).replace(NOT_PRINTABLE, escapeCharacter)}\n`;
}

/** One item of an indented JSON array, without the brackets and the comma. */
export function jsonItem(value: unknown): string {
  return `  ${jsonText(value, 2).trimEnd().replaceAll('\n', '\n  ')}`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

import { safe } from '../../base/lib/text.ts';
import type { Style } from './style.ts';
import { displayWidth, padEnd } from './width.ts';

/**
 * One object of the service with all fields, also unknown ones (rule O6), as `name  value` lines. Nested fields have
 * dotted names. Without a terminal a tab separates name and value.
 */
export function objectText(object: object, style: Style): string {
  const fields = flatten(object, '');
  const width = fields.reduce((most, [name]) => Math.max(most, displayWidth(name)), 0);
  const line = ([name, value]: readonly [string, string]) =>
    style.columns === undefined
      ? `${name}\t${value}\n`
      : `${style.dim(padEnd(name, width))}  ${value || style.dim('–')}\n`;
  return fields.map(line).join('');
}

function flatten(value: object, prefix: string): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (inner === undefined) {
      return [];
    }
    const name = prefix + safe(key);
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
  return safe(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

// Characters that JSON does not escape and a terminal acts on.
const NOT_PRINTABLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** One JSON document and a newline. Characters that act on a terminal become \uXXXX (rule K5). */
export function jsonText(value: unknown, indent?: number): string {
  return `${JSON.stringify(value, null, indent).replace(NOT_PRINTABLE, escapeCharacter)}\n`;
}

/** An item of an indented JSON array, without brackets and commas. */
export function jsonItem(value: unknown): string {
  return `  ${jsonText(value, 2).trimEnd().replaceAll('\n', '\n  ')}`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

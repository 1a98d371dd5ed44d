import { safe } from '../../base/lib/text.ts';
import type { Style } from './style.ts';
import { displayWidth, padEnd } from './width.ts';

/**
 * One object of the service with all its fields, also those we don't know (rule O6): `name  value` lines, what lies
 * deeper under a dotted name. Without a terminal name and value are separated by a tab.
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
      return [[name, inner.map(plain).join(', ')] as const];
    }
    return typeof inner === 'object' && inner !== null ? flatten(inner, `${name}.`) : [[name, plain(inner)] as const];
  });
}

function plain(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return safe(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

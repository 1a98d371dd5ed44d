import { safe } from '../../base/lib/text.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import type { Style } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

const SHOWN = 3;

/** The first contacts as they will be sent, one a paragraph. */
export function previewLines(contacts: readonly BatchContact[], style: Style): string[] {
  return contacts
    .slice(0, SHOWN)
    .flatMap((contact) => wrap(contactWords(contact), style.columns, { first: '  ', rest: '    ' }));
}

function contactWords({ email, attributes = {}, topics = {}, ...fields }: BatchContact): string {
  const nested = [...named('attributes', attributes), ...named('topics', topics)];
  const all = [...Object.entries(fields), ...nested].map(([name, value]) => `${safe(name)}="${safe(String(value))}"`);
  return [safe(email), ...all].join(' ');
}

function named(group: string, values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]);
}

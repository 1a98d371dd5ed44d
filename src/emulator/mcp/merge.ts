import type { ContactRow } from '../store/contacts.ts';

/** What the merge tags of one contact stand for: its columns and its custom fields. */
export function mergeTags({ email, first_name, last_name, attributes }: ContactRow): ReadonlyMap<string, string> {
  const fields: [string, unknown][] = Object.entries(JSON.parse(attributes));
  const columns = { email, first_name: first_name ?? '', last_name: last_name ?? '' };
  return new Map([...fields.map(([key, value]) => [key, String(value)] as const), ...Object.entries(columns)]);
}

/** A text with its `{{key}}` tags filled in; unknown ones become nothing. How tags are written is our reading. */
export function merge(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, key: string) => values.get(key) ?? '');
}

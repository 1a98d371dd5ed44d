import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ownValue, parseJsonStrictly } from '../../base/lib/json.ts';
import { csvCell, spreadsheetSafeCell, terminalSafe } from '../../base/lib/text.ts';

/**
 * How to write cells. `guarded`: in a form that a spreadsheet does not run as a formula. `escaped`: control characters
 * become escapes, so that a terminal can show them.
 */
interface CellStyle {
  readonly guarded: boolean;
  readonly escaped: boolean;
}

const FIRST_COLUMNS = 'email first_name last_name status unsubscribed_at created_at updated_at id'.split(' ');
const OMITTED_FIELDS = ['object', 'attributes'];

/**
 * Turns a file with one contact a line, as JSON, into CSV lines. Reads the file twice: attribute keys become columns,
 * and svc knows all keys only at the end.
 */
export async function* csvOfJsonLines(path: string, style: CellStyle): AsyncGenerator<string> {
  const columns = await columnsOf(path);
  yield line(
    columns.map(({ title }) => title),
    style,
  );
  for await (const contact of contactsIn(path)) {
    yield line(
      columns.map(({ field, of }) => textOf(ownValue(of === 'attributes' ? attributesOf(contact) : contact, field))),
      style,
    );
  }
}

type Fields = Readonly<Record<string, unknown>>;

async function columnsOf(path: string) {
  const fields = new Set(FIRST_COLUMNS);
  const attributes = new Set<string>();
  for await (const contact of contactsIn(path)) {
    Object.keys(contact).forEach((field) => fields.add(field));
    Object.keys(attributesOf(contact)).forEach((key) => attributes.add(key));
  }
  const known = [...fields].filter((field) => !OMITTED_FIELDS.includes(field));
  return [
    ...known.map((field) => ({ title: field, field, of: 'contact' as const })),
    ...[...attributes].sort().map((key) => ({
      title: fields.has(key) ? `attributes.${key}` : key,
      field: key,
      of: 'attributes' as const,
    })),
  ];
}

/** The contacts in a file with one JSON object in each line. */
export async function* contactsIn(path: string): AsyncGenerator<Fields> {
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text !== '') {
      yield parseJsonStrictly(text) as Fields;
    }
  }
}

function attributesOf({ attributes }: Fields): Fields {
  return typeof attributes === 'object' && attributes !== null ? (attributes as Fields) : {};
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function line(cells: readonly string[], { guarded, escaped }: CellStyle): string {
  const shown = escaped ? cells.map(terminalSafe) : cells;
  return `${shown.map((cell) => (guarded ? spreadsheetSafeCell(cell) : csvCell(cell, ','))).join(',')}\n`;
}

import type { ColumnTarget, TableShape } from '../../platforms/lib/platform.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';

interface NameParts {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/**
 * Splits a full name at its first blank: `Ana Maria Berg` into `Ana` and `Maria Berg`. If there is a comma, the last
 * name comes first: `Berg, Britt`. In `, Britt` the last name is missing.
 */
export function splitName(text: string): NameParts & { readonly first_name: string } {
  const name = withoutComma(text);
  const comma = /^([^,]+),\s*(\S[^,]*)$/u.exec(name);
  if (comma) {
    return { first_name: comma[2] as string, last_name: (comma[1] as string).trim() };
  }
  const cut = name.search(/\s/u);
  return cut < 0 ? { first_name: name } : { first_name: name.slice(0, cut), last_name: name.slice(cut).trim() };
}

// Removes a comma at the start. Lists with `surname, name` write one if the surname is missing.
function withoutComma(text: string): string {
  return text.trim().replace(/^,\s*/u, '');
}

/**
 * The name parts that a row lacks, taken from its full name: `Ana` for a row with the full name `Ana Berg` and the last
 * name `Berg`.
 */
export function fillMissingNames(full: string, { first_name: first = '', last_name: last = '' }: NameParts): NameParts {
  const name = withoutComma(full);
  if (first === '' && last === '') {
    return splitName(name);
  }
  if (first === '') {
    const endsWithLast = name.toLowerCase().endsWith(` ${last.toLowerCase()}`);
    return { first_name: endsWithLast ? name.slice(0, -last.length).trim() : name };
  }
  const startsWithFirst = last === '' && name.toLowerCase().startsWith(`${first.toLowerCase()} `);
  return startsWithFirst ? { last_name: name.slice(first.length).trim() } : {};
}

const FULL_NAME: ReadonlySet<string> = new Set(
  [
    ...['name', 'full name', 'your name', "what's your name?", 'contact name', 'customer name', 'subscriber name'],
    ...['display name', 'first and last name', 'naam', 'volledige naam', 'namn', 'navn', 'nimi', 'nom', 'nom complet'],
    ...['nombre completo', 'nombre y apellidos', 'nome completo', 'nome e cognome', 'vollständiger Name'],
    ...['Vor- und Nachname', 'imię i nazwisko', 'ФИО', 'полное имя', '氏名', 'お名前', '姓名'],
  ].map(bareWord),
);

/** A column of full names, and an example of a name in it. */
export interface FullNameColumn {
  readonly index: number;
  readonly example: string | undefined;
}

/** Finds a column of full names. Undefined if there is none, or if the table has another column of names. */
export function findFullNameColumn(shape: TableShape, columns: readonly ColumnTarget[]): FullNameColumn | undefined {
  if (columns.some(({ kind }) => kind === 'first_name' || kind === 'last_name' || kind === 'name')) {
    return undefined;
  }
  const index = columns.findIndex(
    ({ kind }, column) => kind === 'attribute' && FULL_NAME.has(bareWord(shape.header[column] ?? '')),
  );
  const shown = shape.sample.map((cells) => (cells[index] ?? '').trim()).filter((cell) => cell !== '');
  return index < 0 ? undefined : { index, example: shown.find((cell) => /\s/u.test(cell)) ?? shown[0] };
}

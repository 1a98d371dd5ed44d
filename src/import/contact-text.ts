import type { People } from '../journal/people.ts';
import { judge } from './judge.ts';
import { contactOf, type Fate, fateOf } from './last-read.ts';
import { readTable } from './pipeline.ts';
import type { Reading } from './reading.ts';
import type { Table } from './table.ts';

/** A person as written in a request body, and the row it is written for. */
export interface ContactText {
  readonly source: number;
  readonly line: number;
  readonly email: string;
  /** What JSON.stringify makes of the contact. */
  readonly json: string;
}

/** What `contacts` of last-read yields, as text and a few hundred at a time: no object outlives its row. */
export async function* contactTexts(
  reading: Reading,
  people: People,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<readonly ContactText[]> {
  for (const table of reading.tables) {
    const source = table.source.index;
    const write = createWriter(table, reading);
    for await (const rows of readTable(table, { signal })) {
      const texts: ContactText[] = [];
      for (const row of rows) {
        const fate = fateOf({ reading, people }, judge(table, row));
        const json = write(fate);
        if (json !== undefined) {
          texts.push({ source, line: row.line, email: (fate as Person).email, json });
        }
      }
      yield texts;
    }
  }
}

type Person = Fate & { readonly kind: 'person' };
type Write = (fate: Fate) => string | undefined;

/** Rows that stand for themselves are written from their cells; whatever is less usual takes the way of objects. */
function createWriter(table: Table, { options }: Reading): Write {
  const attributes = table.attributes.map(({ at, key }) => ({ at, prefix: `${JSON.stringify(key)}:` }));
  const { first_name, last_name, name } = table.places;
  const distinct = new Set(table.attributes.map(({ key }) => key)).size === attributes.length;
  const usual = name < 0 && table.topics.length === 0 && options.empty === 'keep' && distinct;
  return (fate) => {
    if (fate.kind !== 'person' || fate.cells === undefined || fate.state !== 'subscribed' || !usual) {
      const contact = contactOf(fate);
      return contact && JSON.stringify(contact);
    }
    const { cells } = fate;
    const first = field(',"first_name":', cells[first_name]);
    const last = field(',"last_name":', cells[last_name]);
    let values = '';
    for (const { at, prefix } of attributes) {
      const cell = cells[at];
      if (cell !== undefined && cell !== '') {
        values += values === '' ? prefix + quoted(cell) : `,${prefix}${quoted(cell)}`;
      }
    }
    return `{"email":${quoted(fate.email)}${first}${last}${values === '' ? '' : `,"attributes":{${values}}`}}`;
  };
}

function field(prefix: string, cell: string | undefined): string {
  return cell === undefined || cell === '' ? '' : prefix + quoted(cell);
}

// What JSON writes in another way than it stands there: quotes, backslashes, control characters, half characters.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function quoted(cell: string): string {
  return ESCAPED.test(cell) ? JSON.stringify(cell) : `"${cell}"`;
}

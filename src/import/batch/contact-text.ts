import type { RowPosition } from '../../base/lib/run.ts';
import type { MergedPeople } from '../../runs/store/people.ts';
import { readTable } from '../csv/pipeline.ts';
import type { Table } from '../mapping/table.ts';
import { parseRecord } from '../record/parse-record.ts';
import type { LastReading } from '../survey/survey-types.ts';
import type { RawRow } from '../types.ts';
import type { JsonBytes } from './json-bytes.ts';
import { contactOf, type RowOutcome, rowOutcome } from './row-outcome.ts';

/** A person as written in a request body, and the row that the person is written for. */
export interface ContactText extends RowPosition {
  readonly email: string;
  /** True if the person is sent as `unsubscribed`. */
  readonly optsOut: boolean;
  /** Writes the same text as JSON.stringify for the contact. */
  write(to: JsonBytes): void;
}

interface TextWatcher {
  readonly signal: AbortSignal;
  /** Called with all rows of the list, before their people. */
  onRows?(rows: readonly RawRow[]): void;
}

/**
 * Yields what `contacts` of row-outcome yields, ready to be written and a few hundred at a time. No object outlives its
 * row.
 */
export async function* contactTexts(
  reading: LastReading,
  people: MergedPeople,
  { signal, onRows }: TextWatcher,
): AsyncGenerator<readonly ContactText[]> {
  for (const table of reading.tables) {
    const textsOf = createTextReader(table, reading, people);
    for await (const rows of readTable(table, { signal })) {
      onRows?.(rows);
      yield textsOf(rows);
    }
  }
}

function createTextReader(table: Table, reading: LastReading, people: MergedPeople) {
  const source = table.source.index;
  const writer = createWriter(table, reading);
  return (rows: readonly RawRow[]): ContactText[] => {
    const texts: ContactText[] = [];
    for (const row of rows) {
      const outcome = rowOutcome({ reading, people }, parseRecord(table, row));
      const write = writer(outcome);
      if (write !== undefined) {
        const { email, state } = outcome as Person;
        texts.push({ source, line: row.line, email, optsOut: state === 'unsubscribed', write });
      }
    }
    return texts;
  };
}

type Person = RowOutcome & { readonly kind: 'person' };
type Writer = (outcome: RowOutcome) => ContactText['write'] | undefined;

/**
 * Writes a row that no other row was merged with from its cells. Less usual rows take the slower path through objects.
 */
function createWriter(table: Table, { options }: LastReading): Writer {
  const write = createCellWriter(table);
  const distinct = new Set(table.attributes.map(({ key }) => key)).size === table.attributes.length;
  const usual = table.columnIndexes.name < 0 && table.topics.length === 0 && options.empty === 'keep' && distinct;
  return (outcome) => {
    if (usual && outcome.kind === 'person' && outcome.state === 'subscribed' && outcome.cells !== undefined) {
      const { email, cells } = outcome;
      return (to) => write(to, email, cells);
    }
    const contact = contactOf(outcome);
    return contact && ((to) => to.json(JSON.stringify(contact)));
  };
}

/** Writes a subscribed person from the cells that aren't empty, in the order of `buildContact`. */
function createCellWriter({ attributes, columnIndexes }: Table) {
  const keyedFields = attributes.map(({ at, key }) => ({
    at,
    first: Buffer.from(`,"attributes":{${JSON.stringify(key)}:`),
    next: Buffer.from(`,${JSON.stringify(key)}:`),
  }));
  return (to: JsonBytes, email: string, cells: readonly string[]) => {
    to.constant(EMAIL);
    to.string(email);
    writeField(to, FIRST_NAME, cells[columnIndexes.first_name]);
    writeField(to, LAST_NAME, cells[columnIndexes.last_name]);
    let some = false;
    for (const { at, first, next } of keyedFields) {
      const cell = cells[at];
      if (cell !== undefined && cell !== '') {
        to.constant(some ? next : first);
        to.string(cell);
        some = true;
      }
    }
    to.constant(some ? END_OF_TWO : END);
  };
}

const EMAIL = Buffer.from('{"email":');
const FIRST_NAME = Buffer.from(',"first_name":');
const LAST_NAME = Buffer.from(',"last_name":');
const END = Buffer.from('}');
const END_OF_TWO = Buffer.from('}}');

function writeField(to: JsonBytes, key: Uint8Array, cell: string | undefined): void {
  if (cell !== undefined && cell !== '') {
    to.constant(key);
    to.string(cell);
  }
}

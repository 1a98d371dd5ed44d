import { hasBit } from '../../base/lib/bit-set.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import {
  type AnyRow,
  type ByteRow,
  cellEnd,
  cellMarkBits,
  cellStart,
  cellText,
  DOUBLED_QUOTE_MARK,
  isByteRow,
  toTextRow,
} from '../csv/row-types.ts';
import type { Table } from '../mapping/table.ts';
import { parseRecord } from '../record/parse-record.ts';
import { readByteRows } from '../rows/read-rows.ts';
import { isPlainAddress, plainAddress } from '../values/address.ts';
import { hasBlankEdge } from '../values/cell-values.ts';
import type { JsonWriter } from './json-bytes.ts';
import { contactOfRow, decideRow, type RereadData, type SurveyedList } from './row-decision.ts';

/**
 * A person as JSON for a request body, and the position of the row. Call `write` before more people are read, because
 * it reads bytes that the next rows overwrite.
 */
export interface ContactText extends RowPosition {
  readonly email: string;
  /** True if the person is sent as `unsubscribed`. */
  readonly optsOut: boolean;
  /** Writes the contact as JSON, with the same result as JSON.stringify. */
  write(to: JsonWriter): void;
}

interface TextOptions {
  readonly signal: AbortSignal;
  /** Called with each block of rows, before its people are yielded. */
  onRows?(rows: readonly AnyRow[], table: Table): void;
}

/**
 * Yields the people whom svc sends as contacts, as JSON, including those who are unchanged. It yields a few hundred at
 * a time, so that memory is bounded.
 */
export async function* contactTexts(
  list: SurveyedList,
  { signal, onRows }: TextOptions,
): AsyncGenerator<readonly ContactText[]> {
  for (const table of list.survey.tables) {
    const textsOf = createTextReader(table, list);
    for await (const rows of readByteRows(table, { signal })) {
      onRows?.(rows, table);
      yield textsOf(rows);
    }
  }
}

function createTextReader(table: Table, list: SurveyedList) {
  const writeOrdinary = createOrdinaryWriter(table, list.survey);
  let rowNumber = 0;
  return (rows: readonly AnyRow[]): ContactText[] => {
    const texts: ContactText[] = [];
    for (const row of rows) {
      const text = writeOrdinary(row, rowNumber++) ?? writeOther(table, row, list);
      if (text) {
        texts.push(text);
      }
    }
    return texts;
  };
}

function writeOther(table: Table, row: AnyRow, list: SurveyedList): ContactText | undefined {
  const contact = contactOfRow(decideRow(list, parseRecord(table, toTextRow(row))));
  return (
    contact && {
      source: table.source.index,
      line: row.line,
      email: contact.email,
      optsOut: contact.status === 'unsubscribed',
      write: (to) => to.writeJson(JSON.stringify(contact)),
    }
  );
}

/**
 * Makes a function that writes a row as JSON directly from its bytes. It works for ordinary rows of subscribed people
 * whose address is not repeated, if the table has no topics or the like. The survey knows these rows, so their state is
 * not read again. For any other row it returns undefined, and `writeOther` writes the row.
 */
function createOrdinaryWriter(
  table: Table,
  { options, repeated }: RereadData,
): (row: AnyRow, rowNumber: number) => ContactText | undefined {
  const { attributes, columnIndexes, topics, subscribedRows } = table;
  const areDistinct = new Set(attributes.map(({ key }) => key)).size === attributes.length;
  if (
    subscribedRows === undefined ||
    columnIndexes.name >= 0 ||
    topics.length > 0 ||
    options.empty !== 'keep' ||
    !areDistinct
  ) {
    return () => undefined;
  }
  const writeCells = createCellWriter(table);
  const source = table.source.index;
  return (row, rowNumber) => {
    if (!isByteRow(row) || !hasBit(subscribedRows, rowNumber)) {
      return undefined;
    }
    const { bytes, offsets } = row.block;
    const cell = row.first + columnIndexes.email;
    const text = cellText(row, columnIndexes.email);
    // Nearly all addresses are canonical. A test of the bytes costs less than that of the text.
    const email = isPlainAddress(bytes, cellStart(offsets, cell), cellEnd(offsets, cell)) ? text : plainAddress(text);
    return email === undefined || repeated.has(email)
      ? undefined
      : { source, line: row.line, email, optsOut: false, write: (to) => writeCells(to, email, row) };
  };
}

/**
 * Makes a function that writes a subscribed person as JSON from the filled cells. The fields are in the order of
 * `buildContact`, so that both ways give the same bytes.
 */
function createCellWriter({ attributes, columnIndexes }: Table) {
  const nameFields = [
    { index: columnIndexes.first_name, key: FIRST_NAME },
    { index: columnIndexes.last_name, key: LAST_NAME },
  ].filter(({ index }) => index >= 0);
  const keyedFields = attributes.map(({ index, key }) => ({
    index,
    first: Buffer.from(`,"attributes":{${JSON.stringify(key)}:`),
    next: Buffer.from(`,${JSON.stringify(key)}:`),
  }));
  return (to: JsonWriter, email: string, row: ByteRow) => {
    to.writeJsonBytes(EMAIL);
    to.writeString(email);
    for (const { index, key } of nameFields) {
      writeField(to, key, row, index);
    }
    let hasAttributes = false;
    for (const { index, first, next } of keyedFields) {
      hasAttributes = writeField(to, hasAttributes ? next : first, row, index) || hasAttributes;
    }
    to.writeJsonBytes(hasAttributes ? END_OF_TWO : END);
  };
}

const EMAIL = Buffer.from('{"email":');
const FIRST_NAME = Buffer.from(',"first_name":');
const LAST_NAME = Buffer.from(',"last_name":');
const END = Buffer.from('}');
const END_OF_TWO = Buffer.from('}}');

/** Writes a key and a cell without outer blanks. Writes nothing and returns false if the cell is blank. */
function writeField(to: JsonWriter, key: Uint8Array, row: ByteRow, index: number): boolean {
  const { bytes, offsets } = row.block;
  const start = cellStart(offsets, row.first + index);
  const end = cellEnd(offsets, row.first + index);
  if (end === start) {
    return false;
  }
  if ((cellMarkBits(offsets, row.first + index) & DOUBLED_QUOTE_MARK) === 0 && !hasBlankEdge(bytes, start, end)) {
    to.writeJsonBytes(key);
    if (!to.writePlainString(bytes, start, end)) {
      to.writeString(cellText(row, index));
    }
    return true;
  }
  const text = cellText(row, index).trim();
  if (text !== '') {
    to.writeJsonBytes(key);
    to.writeString(text);
  }
  return text !== '';
}

import type { BatchContact } from '../../wire/shapes.ts';
import { contactOfRow, decideRow, type SurveyedList } from '../batch/row-decision.ts';
import { type AnyRow, type RawRow, toTextRow } from '../csv/row-types.ts';
import type { Table } from '../mapping/table.ts';
import { effectiveReading, type ParsedRecord, parseRecord } from '../record/parse-record.ts';

/** The first rows of a table that look like contacts, for the preview of the plan. Duplicates are not merged yet. */
export interface PreviewRows {
  readonly rows: readonly RawRow[];
  /** Takes the row if it looks like a contact and if there is room. */
  offer(row: AnyRow, record: ParsedRecord): void;
}

/** The largest number of rows in a preview: from one table, and from all tables. */
const MAX_ROWS_OF_TABLE = 20;
const MAX_ROWS = 1_000;

/** Makes a function that creates the preview of a table. All its previews together have at most `MAX_ROWS` rows. */
export function createPreviews(): () => PreviewRows {
  let room = MAX_ROWS;
  return () => {
    const rows: RawRow[] = [];
    return {
      rows,
      offer(row, record) {
        if (rows.length < MAX_ROWS_OF_TABLE && room > 0 && looksLikeContact(record)) {
          rows.push(toTextRow(row));
          room--;
        }
      },
    };
  };
}

// True for a row that is probably sent as a contact. Another row of the person, or the meaning of a blank, can still
// prevent it.
function looksLikeContact({ table, email, statusReading, problem }: ParsedRecord): boolean {
  const { state } = effectiveReading(table, statusReading);
  const mayBeSent = state === 'subscribed' || state === 'unsubscribed' || statusReading.unknown === '';
  return email !== undefined && !problem && mayBeSent;
}

const MAX_PREVIEWED = 5;

interface PreviewedTable {
  readonly table: Table;
  readonly previewRows: PreviewRows['rows'];
}

/** The first contacts of a list, as they will be sent. */
export function previewContacts(list: SurveyedList, tables: readonly PreviewedTable[]): BatchContact[] {
  const contacts = tables
    .values()
    .flatMap(({ table, previewRows }) => previewRows.map((row) => parseRecord(table, row)))
    .map((record) => contactOfRow(decideRow(list, record)))
    .filter((contact) => contact !== undefined);
  return [...contacts.take(MAX_PREVIEWED)];
}

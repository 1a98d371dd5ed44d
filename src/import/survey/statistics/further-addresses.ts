import { personKey } from '../../../wire/person-key.ts';
import type { FoundMention } from '../../dedupe/merge-rows.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, exampleAt } from './examples.ts';

export type FurtherAddresses = ReturnType<typeof createFurtherAddresses>;

/** Makes empty counts of rows that have further addresses besides that of their person. */
export function createFurtherAddresses({ addressColumns: { found } }: Table) {
  const createByColumn = () => new Map(found.map(({ index }) => [index, createExamples()]));
  return {
    /** Rows with several addresses of one person. svc uses one of them and does not send the others. */
    unused: createExamples(),
    /** By column index: the rows in which the column has the address of a second person. */
    secondPeople: createByColumn(),
    /**
     * By column index: the people whose state was decided by a mention in this column. For a column about other people
     * (`Referred by`): the people whose state it would have decided.
     */
    mentions: createByColumn(),
  };
}

/** Counts a row if it has further addresses. */
export function collectFurtherAddresses(addresses: FurtherAddresses, record: ParsedRecord): void {
  if (record.warning || record.others?.found) {
    collectFound(addresses, record);
  }
}

function collectFound({ unused, secondPeople }: FurtherAddresses, record: ParsedRecord): void {
  const { table, email, others, warning } = record;
  if (warning) {
    addExample(unused, () => exampleAt(record, warning.column, warning.detail));
  }
  const keyOfPerson = personKey(email ?? '');
  for (const { email: other, column } of others?.found ?? []) {
    const rows = personKey(other) === keyOfPerson ? undefined : secondPeople.get(column.index);
    rows && addExample(rows, () => exampleAt(record, table.header[column.index], other));
  }
}

/** Counts a person whose state a mention in another row decided. The merge finds these people. */
export function collectMention({ mentions }: FurtherAddresses, table: Table, mention: FoundMention): void {
  const { line, email, column } = mention;
  const people = mentions.get(column.index);
  people && addExample(people, () => exampleAt({ table, line }, table.header[column.index], email));
}

import type { Finding } from '../../../base/finding.ts';
import { joinAtMost, plural, shellWord, shortenForMessage } from '../../../base/lib/text.ts';
import { namesRole } from '../../../platforms/lib/headers.ts';
import { stateSourceOf } from '../../../platforms/lib/state-columns.ts';
import { findNamedColumns } from '../../mapping/answers/named-columns.ts';
import { columnName, mapFlag } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import { splitName } from '../../record/contact-fields.ts';
import { sourceLabel } from '../../source/source.ts';
import { consentColumnFindings } from './attributes.ts';
import { findingsOrPass, headerExamples, type ListCheck, type TableWithStatistics } from './check-context.ts';

/**
 * Says how svc reads the columns of each table. Stops if the address column of a table is unclear. Names proof of
 * consent that is not sent (C8).
 */
export const columnsCheck: ListCheck = ({ tables }) => {
  let readCount = 0;
  const findings = tables.flatMap(({ table }) => {
    const emails = table.answers.maps.filter(({ target }) => target.kind === 'email');
    const isMapped = emails.some(({ column }) => findNamedColumns(table.header, column).length > 0);
    const stop = addressStop(table, isMapped);
    readCount += stop ? 0 : 1;
    return stop ? [stop] : [...(readCount <= MAX_SUMMARIES ? [summaryFinding(table)] : []), ...noteFindings(table)];
  });
  const consent = consentColumnFindings(tables.map(({ table }) => table));
  return findingsOrPass(
    [...findings, ...otherTables(readCount), ...consent, ...emptyList(tables)],
    'columns',
    'nothing to read',
  );
};

/** How many tables the check describes. An archive can have thousands of them; the report shows how svc read each. */
const MAX_SUMMARIES = 1_000;

function otherTables(readCount: number): readonly Finding[] {
  const message = `${plural(readCount - MAX_SUMMARIES, 'more table is', 'more tables are')} read: see "inputs" in report.json`;
  return readCount > MAX_SUMMARIES ? [{ check: 'columns', level: 'pass', message }] : [];
}

/**
 * Warns about a list without rows. Also warns about a file without rows beside other files, because its export probably
 * failed. A part of an archive may be empty: a platform also exports a file for a status that no person has.
 */
function emptyList(tables: readonly TableWithStatistics[]): readonly Finding[] {
  const empty = tables.filter(({ statistics }) => statistics.rows === 0).map(({ table: { source } }) => source);
  const files = empty.filter(({ entry }) => entry === undefined).map(sourceLabel);
  const isAll = empty.length === tables.length;
  const holders = isAll ? 'the list holds' : `${joinAtMost(files, 5)} ${files.length === 1 ? 'holds' : 'hold'}`;
  return tables.length > 0 && (isAll || files.length > 0)
    ? [{ check: 'columns', level: 'warn', message: `${holders} no rows: there is a header and nothing below it` }]
    : [];
}

// The stop for a table whose address column is unclear. Undefined if it is clear.
function addressStop(table: Table, isMapped: boolean): Finding | undefined {
  const label = sourceLabel(table.source);
  if (table.dialect.headerLine === 0 && table.width > 1 && !isMapped) {
    const columnIndex =
      (table.columnIndexes.email < 0 ? (table.addressCandidates[0] ?? 0) : table.columnIndexes.email) + 1;
    return {
      ...columnsStop(
        `${label} has no header line, so its columns have no names`,
        mapFlag(table, String(columnIndex), 'email'),
      ),
      when: `If column ${columnIndex} holds the address; each other column to be sent needs a --map of its own`,
      otherwise: table.addressCandidates
        .filter((index) => index !== columnIndex - 1)
        .map((index) => ({
          when: `If column ${index + 1} holds the address`,
          flags: mapFlag(table, String(index + 1), 'email'),
        })),
      ...headerExamples(table, [columnIndex - 1]),
    };
  }
  if (table.columnIndexes.email < 0) {
    return { ...withoutAddress(table), ...headerExamples(table, [...table.header.keys()]) };
  }
  const candidates = isMapped ? [] : table.addressColumns.usable;
  if (candidates.length > 1 && candidates.some((index) => namesRole(table.header[index] ?? ''))) {
    const quotedHeaders = candidates.map((index) => JSON.stringify(table.header[index])).join(', ');
    const answers = candidates.map((chosen) => ({
      when: addressCondition(table, chosen, candidates.length),
      flags: [chosen, ...candidates.filter((index) => index !== chosen)]
        .map((index) => mapFlag(table, columnName(table, index), index === chosen ? 'email' : 'ignore'))
        .join(' '),
    }));
    const message = `${label}: ${candidates.length} columns may hold the address, of different people: ${quotedHeaders}`;
    const [first, ...otherwise] = answers;
    const stop = columnsStop(message, first?.flags ?? '');
    return { ...stop, when: first?.when, otherwise, ...headerExamples(table, candidates) };
  }
  return undefined;
}

// The condition for taking this column as the address. If a row has several people, its status may be that of only one.
function addressCondition(table: Table, index: number, people: number): string {
  const name = JSON.stringify(columnName(table, index));
  return people > 1 && table.reading.stateSource !== undefined
    ? `Only if the status of each row is that of the person in ${name}`
    : `If the address is in ${name}`;
}

// The stop for a table without an address column. It offers columns with an `@`. If there are none, or if the first
// line names a person, no flag can help.
function withoutAddress(table: Table): Finding {
  const holding = table.addressCandidates.map((index) => JSON.stringify(columnName(table, index))).slice(0, 12);
  const where = holding.length > 0 ? `addresses are in ${holding.join(', ')}` : `there are ${headerList(table)}`;
  const message = `${sourceLabel(table.source)}: no column is read as the address; ${where}`;
  if (table.isText) {
    return columnsStop(
      `${message}. The first line names a person, so it is no header`,
      'Give a file with nothing but the address in its column, or add a header line',
    );
  }
  const columnCount = table.addressColumns.found.length;
  const [first, ...others] = table.addressCandidates.map((index) => ({
    when: addressCondition(table, index, columnCount),
    flags: mapFlag(table, columnName(table, index), 'email'),
  }));
  return first === undefined
    ? columnsStop(
        `${message}. No cell of the first rows holds an "@"`,
        table.source.entry === undefined
          ? 'Nothing can be read from this file: give one with a column of addresses'
          : 'Unpack the archive, and give the lists in it, each with a column of addresses',
      )
    : { ...columnsStop(message, first.flags), when: first.when, otherwise: others };
}

function summaryFinding(table: Table): Finding {
  const fields = Object.entries(table.columnIndexes)
    .filter(([, index]) => index >= 0)
    .map(([field, index]) => `${field} from ${JSON.stringify(table.header[index] || `column ${index + 1}`)}`);
  const state = stateSourceOf(table.reading) ?? 'nowhere';
  const message = `${sourceLabel(table.source)} is read as ${table.platform}: ${fields.join(', ')}; ${plural(table.attributes.length, 'attribute')}; state from ${state}`;
  const { headerLine, hasSepLine } = table.dialect;
  const remark =
    headerLine === 0
      ? '; it has no header line'
      : headerLine > (hasSepLine ? 2 : 1)
        ? `; the header is line ${headerLine}, and the lines above it are left out`
        : '';
  return { check: 'columns', level: remark === '' ? 'pass' : 'warn', message: message + remark };
}

function noteFindings(table: Table): readonly Finding[] {
  if (table.fullName === undefined) {
    return [];
  }
  const { index, example } = table.fullName;
  const column = columnName(table, index);
  const message = `${sourceLabel(table.source)}: ${JSON.stringify(column)} is sent as it is, not as first and last name`;
  return [
    columnsWarning(
      example === undefined ? message : `${message}. As a name, ${nameSplitText(example)}`,
      mapFlag(table, column, 'name'),
    ),
  ];
}

function nameSplitText(name: string): string {
  const { first_name, last_name } = splitName(name);
  const last = last_name === undefined ? 'no last name' : `last name ${JSON.stringify(last_name)}`;
  return `${JSON.stringify(shortenForMessage(name))} would be first name ${JSON.stringify(first_name)}, ${last}`;
}

function headerList({ header }: Table): string {
  const shown = header
    .slice(0, 12)
    .map((name, index) => (name.trim() === '' ? `column ${index + 1}` : shellWord(name)));
  return shown.join(' ') + (header.length > shown.length ? ` and ${header.length - shown.length} more` : '');
}

const columnsStop = (message: string, hint: string): Finding => ({ check: 'columns', level: 'stop', message, hint });
const columnsWarning = (message: string, hint: string): Finding => ({
  check: 'columns',
  level: 'warn',
  message,
  hint,
});

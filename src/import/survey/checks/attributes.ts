import type { Finding } from '../../../base/finding.ts';
import { plural } from '../../../base/lib/text.ts';
import { attributeKey, type OfferKey } from '../../../platforms/lib/attribute-keys.ts';
import { OPT_OUT_MEANINGS } from '../../consent-columns/column-meaning.ts';
import { columnName, mapFlag } from '../../mapping/column-names.ts';
import { isReservedKey } from '../../mapping/map-flag.ts';
import type { KeyedColumn, Table } from '../../mapping/table.ts';
import { sourceLabel } from '../../source/source.ts';
import { examplesForFinding } from '../statistics/examples.ts';
import type { CountedCollision } from '../statistics/unsent-values.ts';
import {
  findingsOrPass,
  headerExamples,
  type ListCheck,
  rowsFinding,
  type TableWithStatistics,
} from './check-context.ts';
import { candidatesOf, likeliestOf } from './status-candidates.ts';

/**
 * Finds columns that share an attribute key. Stops if a row or a person has two different values for the key, otherwise
 * warns.
 */
export const attributeCollisionCheck: ListCheck = ({ tables }) =>
  findingsOrPass(
    tables.flatMap(({ table, statistics }) =>
      statistics.attributes.collisions.map((collision) => collisionFinding(table, collision)),
    ),
    'attribute_collision',
    'no two columns have the same attribute key',
  );

/** Stops at columns whose attribute key the service drops without an error (F4). */
export const reservedAttributeCheck: ListCheck = ({ tables }) =>
  findingsOrPass(
    keylessFindings(tables, ({ table }, column) =>
      isReservedKey(column.key) ? reservedFinding(table, column) : undefined,
    ),
    'attribute_reserved',
    'no column becomes a reserved attribute key',
  );

/** Finds headers of which no valid attribute key can be made (F3). */
export const attributeKeyCheck: ListCheck = ({ tables, offerKey }) =>
  findingsOrPass(
    keylessFindings(tables, (surveyed, column) =>
      column.key === '' ? namelessFinding(surveyed, column, offerKey) : undefined,
    ),
    'attribute_key',
    'each header gives a valid attribute key',
  );

// The findings about columns that can't be sent, each with the rows that fill the column.
function keylessFindings(
  tables: readonly TableWithStatistics[],
  findingOf: (surveyed: TableWithStatistics, column: KeyedColumn) => Finding | undefined,
): readonly Finding[] {
  return tables.flatMap((surveyed) =>
    surveyed.table.keylessColumns.flatMap((column) => {
      const rows = surveyed.statistics.attributes.keyless.get(column.index);
      const finding = findingOf(surveyed, column);
      return rows && finding ? rowsFinding(rows, finding) : [];
    }),
  );
}

function collisionFinding(table: Table, { key, columns, lostValues }: CountedCollision): Finding {
  const quotedHeaders = columns.map(({ header }) => JSON.stringify(header)).join(' and ');
  // The hint changes a column that is not about the status, if there is one.
  const maySayLeft = ({ index }: KeyedColumn) => givesState(table, index) || isAboutOptOut(table, index);
  const last = columns.findLast((column) => !maySayLeft(column)) ?? (columns.at(-1) as KeyedColumn);
  const field = maySayLeft(last) ? 'status' : `attributes.${key}_2`;
  const hint = mapFlag(table, columnName(table, last.index), field);
  if (lostValues.total === 0) {
    const message = `${sourceLabel(table.source)}: ${quotedHeaders} both become ${key}; no row has two different values, so one is sent`;
    const indexes = columns.map(({ index }) => index);
    return { check: 'attribute_collision', level: 'warn', message, hint, ...headerExamples(table, indexes) };
  }
  const message = `${sourceLabel(table.source)}: ${quotedHeaders} both become ${key}, and ${plural(lostValues.total, 'row')} would lose one of two values`;
  const first = {
    when: 'To send the first of them only',
    flags: mapFlag(table, columnName(table, last.index), 'ignore'),
  };
  const otherwise = field === 'status' ? [] : [first];
  return { check: 'attribute_collision', level: 'stop', message, hint, otherwise, ...examplesForFinding(lostValues) };
}

function reservedFinding(table: Table, { index, key, header }: KeyedColumn): Finding {
  const message = `${sourceLabel(table.source)}: ${JSON.stringify(header)} would become the attribute ${key}, which the service ignores`;
  const column = columnName(table, index);
  const isTaken = Object.entries(table.columnIndexes).some(([field, columnIndex]) => field === key && columnIndex >= 0);
  const renamed = mapFlag(table, column, isTaken ? `attributes.${key}_2` : key);
  const otherwise = [{ when: 'To leave the column out', flags: mapFlag(table, column, 'ignore') }];
  return { check: 'attribute_reserved', level: 'stop', message, hint: renamed, otherwise };
}

// True for a column that gives a state. Notes are left out, because svc searches them even if they are sent as
// attributes.
function givesState({ consentColumns }: Table, index: number): boolean {
  return consentColumns.some((column) => column.index === index && column.holdsStates && column.meaning !== 'text');
}

// True for a column about opt-outs, such as `Out`, even if its first rows give no state. A later row may say that the
// person left.
function isAboutOptOut({ consentColumns }: Table, index: number): boolean {
  return consentColumns.some((column) => column.index === index && OPT_OUT_MEANINGS.has(column.meaning));
}

function namelessFinding(surveyed: TableWithStatistics, { index, header }: KeyedColumn, offerKey: OfferKey): Finding {
  const { table } = surveyed;
  const what =
    header.trim() === '' ? `column ${index + 1} has no name` : `no key can be made of ${JSON.stringify(header)}`;
  const column = columnName(table, index);
  const keep = mapFlag(table, column, `attributes.${offerKey(header, index + 1)}`);
  const message = `${sourceLabel(table.source)}: ${what}`;
  const warning = (why: string, hint?: string): Finding => ({
    check: 'attribute_key',
    level: 'warn',
    message: message + why,
    ...(hint !== undefined && { hint }),
  });
  // A status column is not sent, so it needs no key.
  if (givesState(table, index)) {
    return warning('; the column holds the status and is not sent');
  }
  // There is no hint: a later row may say that the person left, and `--map` would hide that (C11).
  if (mayKeepMailAway(table, header)) {
    return warning('; the column may say who left and is not sent');
  }
  // If another check offers this column as the status, svc only warns here, because a column has only one use.
  const isOffered = likeliestOf(candidatesOf(surveyed)).some((candidate) => candidate.index === index);
  // svc also only warns about a blank header, or one of punctuation such as `#`: such columns usually have row numbers.
  if (isOffered || !/[\p{L}\p{N}\p{S}]/u.test(header)) {
    return warning(', so the column is not sent', keep);
  }
  const otherwise = [{ when: 'To leave the column out', flags: mapFlag(table, column, 'ignore') }];
  return { check: 'attribute_key', level: 'stop', message, hint: keep, otherwise };
}

/**
 * Warns about columns with proof of consent that are not sent. Tables that have the same such columns share one
 * finding.
 */
export function consentColumnFindings(tables: readonly Table[]): readonly Finding[] {
  const alike = Map.groupBy(tables, (table) => unsentProofHeaders(table).join(', '));
  return [...alike].flatMap(([names, [first, ...others]]) => {
    if (names === '' || first === undefined) {
      return [];
    }
    const more = others.length === 0 ? '' : ` and ${others.length} more like it`;
    const isOne = unsentProofHeaders(first).length === 1;
    const subject = isOne ? 'this column proves consent and is' : 'these columns prove consent and are';
    const hint = keepingFlags([first, ...others], tables).join(' ');
    const message = `${sourceLabel(first.source)}${more}: ${subject} not sent: ${names}`;
    return [{ check: 'columns', level: 'warn', message, hint: hint || undefined }];
  });
}

// The flags that send the proof of consent as attributes, one for each column. If such a flag would also change a table
// that needs none, each flag names its table.
function keepingFlags(alike: readonly Table[], tables: readonly Table[]): readonly string[] {
  const headersByTable = alike.map((table) =>
    unsentProofHeaders(table).filter((header) => !mayKeepMailAway(table, header)),
  );
  const [first = []] = headersByTable;
  const isSame = headersByTable.every((headers) => headers.join() === first.join());
  const isShared =
    isSame && tables.every((table) => alike.includes(table) || !first.some((header) => table.header.includes(header)));
  const flagOf = (table: Pick<Table, 'answeredAs'>, header: string) =>
    mapFlag(table, header, `attributes.${attributeKey(header)}`);
  return isShared
    ? first.map((header) => flagOf({}, header))
    : alike.flatMap((table, index) => (headersByTable[index] ?? []).map((header) => flagOf(table, header)));
}

function unsentProofHeaders(table: Table): readonly string[] {
  const isSent = (header: string) => table.attributes.some((column) => column.header === header);
  return (table.reading.proofHeaders ?? []).filter((header) => !isSent(header));
}

// True for a column whose cells count for the status. With a `--map`, these cells would not count, and opted-out people
// would be signed up (C11).
function mayKeepMailAway({ consentColumns, header }: Table, name: string): boolean {
  const column = consentColumns.find(({ index }) => header[index] === name);
  const isProof =
    (column?.filledMeansHappened || column?.holdsDates) &&
    (column.meaning === 'agreed' || column.meaning === 'confirmed');
  return column !== undefined && column.meaning !== 'text' && !isProof;
}

import { isEmptyValue } from '../../platforms/lib/blank-cells.ts';
import {
  rankOf,
  reasonOf,
  type State,
  type StatusReading,
  withoutMailboxState,
  withoutSuppression,
} from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import { findMark } from '../consent-columns/other-columns/address-marks.ts';
import { combineReadings, keepsMailAway } from '../consent-columns/several-columns/combine-readings.ts';
import type { RawRow, RowProblem } from '../csv/row-types.ts';
import { mayBeOptOut } from '../mapping/state/default-status.ts';
import { BELOW_OTHER_HEADER, SVC_STATE_INDEX, type Table } from '../mapping/table.ts';
import { plainAddress, readAddress } from '../values/address.ts';
import { valuesOfCells } from '../values/cell-values.ts';
import { findDomainOf, wholeDomain } from '../values/domains.ts';
import {
  addressesElsewhere,
  asCorrected,
  type FoundAddress,
  findAddress,
  isMistypedAddress,
  namedAddresses,
  peopleInCell,
  type RowAddress,
} from './row-addresses.ts';
import {
  badTextProblem,
  MISALIGNED_READING,
  otherAddressColumnProblem,
  otherHeaderProblem,
  stateOfMisalignedRow,
  stillCutOffProblem,
  tooManyFieldsProblem,
} from './row-problems.ts';
import { ROWS_IN_QUOTES, rowsInQuotesProblem } from './rows-in-quotes.ts';

/**
 * What a row is about. `person`: one person. `no_address`: a person without an address, on a platform where that is
 * usual. `whole_domain`: all people of a domain for which the user gave an answer.
 */
type RowKind = 'person' | 'no_address' | 'whole_domain';

/** People whom a row mentions beside its own person, and the state that the row gives them. */
interface NamedPeople {
  readonly emails: readonly string[];
  readonly statusReading: StatusReading;
  /** Addresses that may be another person's, such as those that svc corrected. The row suppresses none of them. */
  readonly found?: readonly FoundAddress[];
}

/**
 * One row, parsed alone. State and address are set even if there is a problem: opt-outs in rejected rows count (C9).
 */
export interface ParsedRecord {
  readonly table: Table;
  readonly line: number;
  readonly kind: RowKind;
  /** The cells of the input, without the columns that svc adds to a rejects file. */
  readonly cells: readonly string[];
  /** The canonical address. Undefined if none could be read. */
  readonly email: string | undefined;
  /** Other people whom the row mentions, and the state that it gives them (C9). */
  readonly others: NamedPeople | undefined;
  /** True if the address itself is the problem. Then svc can't write even an opt-out of the row. */
  readonly addressFault: boolean;
  /** True if the service may trim or lower-case the address in another way than svc (F8). */
  readonly ambiguousAddress: boolean;
  /**
   * The state that this row alone gives. A blank status is still `unknown: ''` here; `effectiveReading` replaces it.
   */
  readonly statusReading: StatusReading;
  /**
   * The suppression that the row asks for. Set if `statusReading` is only an opt-out, because svc is not sure which
   * mailbox the row means.
   */
  readonly loweredFrom: State | undefined;
  readonly problem: RowProblem | undefined;
  /** A problem that svc reports without rejecting the row. */
  readonly warning: RowProblem | undefined;
}

/** Parses one row, without side effects. For ordinary rows `createOrdinaryRowReader` gives the same result faster. */
export function parseRecord(table: Table, cutRow: RawRow): ParsedRecord {
  const row = withShapeProblem(table, cutRow);
  const written = table.svcColumns === 0 ? row.cells : row.cells.slice(table.svcColumns);
  const place = findAddress(table, written);
  const { index, beside, found } = place;
  const cell = written[index] ?? '';
  const cells = valuesOfCells(table, written);
  const misplaced = otherHeaderProblem(table, row);
  const isAlone = misplaced === undefined && beside.length === 0 && found.every(({ column }) => column.isOfOtherPeople);
  const svcState = table.svcColumns === 0 ? '' : (row.cells[SVC_STATE_INDEX] ?? '');
  const ownReading = table.stateOf(cells, svcState);
  const mayLackAddress = table.reading.isAddressOptional === true && cell.trim() === '' && isAlone;
  if (mayLackAddress && isWhole(table, row) && !optsOutOthers(table, cells, ownReading)) {
    return { kind: 'no_address', table, line: row.line, cells, ...NO_PERSON };
  }
  if (isAlone && table.domains.has(wholeDomain(cell) ?? '')) {
    return { kind: 'whole_domain', table, line: row.line, cells, ...NO_PERSON };
  }
  const problem =
    misplaced ??
    row.problem ??
    tooManyFieldsProblem(table, cells) ??
    (row.isBroken ? badTextProblem(table, cells) : undefined);
  const email = plainAddress(cell);
  const asCut = cells.length === table.width ? ownReading : stateOfMisalignedRow(table, cells, { ownReading, problem });
  const statusReading = misplaced ? MISALIGNED_READING : withDomainAnswer(asCut, table.domains, email);
  if (
    email !== undefined &&
    beside.length === 0 &&
    found.length === 0 &&
    !isBehindUnusable(table, cells, index) &&
    (row.problem === undefined || row.problem.column !== table.header[index])
  ) {
    const otherPeople =
      (problem && peopleInMisalignedRow({ table, cells, email, problem })) ??
      findPersonBehindMark(table, cell, statusReading);
    return personRecord({ table, line: row.line, cells, email, statusReading, problem, others: otherPeople });
  }
  return withAddress({ table, line: row.line, cells, statusReading, problem }, { ...place, cell }, row.problem);
}

// The row with the problem of its shape, if it has one. svc asks the user about backslashes, so that problem comes
// first.
function withShapeProblem(table: Table, row: RawRow): RawRow {
  const inQuotes = row.problem?.reason === BACKSLASH ? undefined : rowsInQuotesProblem(table, row);
  const problem = inQuotes ?? row.problem ?? stillCutOffProblem(table, row) ?? otherAddressColumnProblem(table, row);
  return problem === row.problem ? row : { ...row, problem };
}

const BACKSLASH = 'backslash_before_quote';

// True if no wrong cell can have the address: the row was cut at the right places, or is only too short or too long and
// has no `@`. Of any other row, svc can't say that it has no address.
function isWhole({ svcColumns, width }: Table, { cells, problem }: RawRow): boolean {
  return problem === undefined && (cells.length === svcColumns + width || !cells.some((cell) => cell.includes('@')));
}

// True if the row may opt out, and a column of names has an address. The cells may be swapped, so the opt-out holds for
// that address too.
function optsOutOthers(table: Table, cells: readonly string[], ownReading: StatusReading): boolean {
  const reading = effectiveReading(table, ownReading);
  const mayOptOut = reading.unknown !== undefined || rankOf(reading.state) < rankOf('subscribed');
  return (mayOptOut || mayBeOptOut(table, reading)) && addressesElsewhere({ table, cells }, true).length > 0;
}

// Combines the state of a row with the user's answer for the domain of its address, such as `--status-map
// @example.org=skip`. The answer `subscribed` changes no state.
function withDomainAnswer(
  reading: StatusReading,
  answers: ReadonlyMap<string, StatusReading>,
  email: string | undefined,
): StatusReading {
  const answer =
    answers.size === 0 || email === undefined ? undefined : answers.get(findDomainOf(answers, email) ?? '');
  return answer && keepsMailAway(answer) ? combineReadings(reading, answer) : reading;
}

/** The status reading of a row. A blank status gets the state that blanks have in this table (`blankStatus`). */
export function effectiveReading(table: Table, statusReading: StatusReading): StatusReading {
  return statusReading.unknown === '' ? table.blankStatus : statusReading;
}

export function personRecord(row: PersonRow): PersonRecord {
  // The fields are written one by one, because a spread would slow down each row.
  return {
    kind: 'person',
    table: row.table,
    line: row.line,
    cells: row.cells,
    email: row.email,
    others: row.others,
    addressFault: false,
    ambiguousAddress: false,
    statusReading: row.statusReading,
    loweredFrom: undefined,
    problem: row.problem,
    warning: undefined,
  };
}

/** A parsed row with an address. */
export type PersonRecord = ParsedRecord & { readonly email: string };

type PersonRow = Pick<PersonRecord, 'table' | 'line' | 'cells' | 'email' | 'statusReading'> &
  Partial<Pick<PersonRecord, 'problem' | 'others'>>;

const NO_PERSON = {
  email: undefined,
  others: undefined,
  addressFault: false,
  ambiguousAddress: false,
  statusReading: NONE,
  loweredFrom: undefined,
  problem: undefined,
  warning: undefined,
} as const;

type UnreadRow = Pick<ParsedRecord, 'table' | 'line' | 'cells' | 'statusReading' | 'problem'>;

function withAddress(row: UnreadRow, place: RowAddress, parserProblem: RowProblem | undefined): ParsedRecord {
  const { header, width } = row.table;
  const { cell, index, beside, unsent, found } = place;
  const column = header[index] ?? '';
  // In a list with one column, two addresses in a cell are two people.
  const read = readAddress(cell, width > 1);
  const ownReading = withDomainAnswer(row.statusReading, row.table.domains, read.email);
  // The CSV parser had to correct the text of this cell, so the address may be wrong.
  const isDoubtful = parserProblem?.column === column;
  const people = peopleInCell(isDoubtful ? `${cell} ${cell.slice(0, -parserProblem.detail.length)}` : cell);
  const isCorrected = isDoubtful || people.isCorrected;
  const statusReading =
    isCorrected && read.problem
      ? withoutSuppression(effectiveReading(row.table, ownReading))
      : isBehindUnusable(row.table, row.cells, index)
        ? withoutMailboxState(effectiveReading(row.table, ownReading))
        : ownReading;
  const { state } = effectiveReading(row.table, ownReading);
  const unsure =
    people.emails.length === 0
      ? addressesElsewhere(row, isEmptyValue(cell))
      : asCorrected(isCorrected ? people.emails : []);
  const otherEmails = [...(read.others ?? []), ...unsent].filter((other) => other !== read.email);
  return {
    ...row,
    statusReading,
    loweredFrom: statusReading.state === 'unsubscribed' && reasonOf(state) !== undefined ? state : undefined,
    kind: 'person',
    email: isDoubtful ? undefined : read.email,
    others: peopleInMisalignedRow({ ...row, email: read.email }) ?? {
      emails: isCorrected ? beside : [...people.emails, ...beside],
      statusReading,
      found: [...found, ...unsure],
    },
    addressFault: isDoubtful || read.problem !== undefined,
    ambiguousAddress: read.email !== undefined && plainAddress(read.email) === undefined,
    problem: row.problem ?? (read.problem && { ...read.problem, column }),
    warning: otherEmails.length > 0 ? { reason: 'other_addresses', column, detail: otherEmails.join(' ') } : undefined,
  };
}

// True if the state of the row may be about another mailbox: an earlier address column has text that is probably meant
// as an address. False with `--reason`, because the user then gives the state of each row.
function isBehindUnusable({ addressColumns, stateBesideReason }: Table, cells: readonly string[], index: number) {
  const at = addressColumns.usable.indexOf(index);
  const isMeant = (column: number) => LIKE_ADDRESS.test(cells[column] ?? '');
  return at > 0 && stateBesideReason === undefined && addressColumns.usable.slice(0, at).some(isMeant);
}

// Matches text that is probably meant as an address: `gus [at] example.com`, `gus at example.com`, `gusexample.com`.
const LIKE_ADDRESS = /@|[([{]\s?at\s?[)\]}]|\sat\s|[\p{L}\p{N}][.,]\p{L}{2,}(?![\p{L}\p{N}])/iu;

// The people in a row that was cut at the wrong places. Any of its cells may have an address, and their state is
// unknown. Undefined for a row that was cut correctly.
function peopleInMisalignedRow({
  table,
  cells,
  email,
  problem,
}: Omit<UnreadRow, 'line' | 'statusReading'> & Pick<ParsedRecord, 'email'>) {
  const isElsewhere = email === undefined && (cells.length > table.width || cells.length <= table.columnIndexes.email);
  // A quote after a backslash may close too early or too late, so its cell can hold other rows too.
  const mayHoldRows =
    problem?.reason === ROWS_IN_QUOTES || (problem?.reason === BACKSLASH && cells.some((cell) => /[\r\n]/.test(cell)));
  const parts = mayHoldRows ? cells.flatMap((cell) => cell.split(table.dialect.delimiter ?? '\n')) : cells;
  return isElsewhere || mayHoldRows || problem?.reason === BELOW_OTHER_HEADER
    ? { emails: parts.flatMap(namedAddresses), statusReading: MISALIGNED_READING }
    : undefined;
}

/**
 * The person behind an address with a mark (`UNSUB-anna@example.com`) or a typing error (`anna@example.com.`). The row
 * then also counts for anna@example.com, if it keeps mail away, has an unknown word, or has no state in an opt-out
 * list. Undefined for any other row, and for an address with neither a mark nor a typing error.
 */
export function findPersonBehindMark(
  table: Table,
  cell: string,
  statusReading: StatusReading,
): NamedPeople | undefined {
  const counts = statusReading.unknown !== undefined || keepsMailAway(statusReading);
  if (!(counts || mayBeOptOut(table, statusReading))) {
    return undefined;
  }
  const marked = findMark(cell);
  const address = marked?.address ?? (isMistypedAddress(cell) ? cell : undefined);
  return address === undefined ? undefined : { emails: [], statusReading, found: asCorrected(namedAddresses(address)) };
}

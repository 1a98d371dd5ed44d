import { addToCount, type RowPosition, rowKey } from '../../base/lib/rows.ts';
import { rankOf, reasonOf, type State } from '../../platforms/lib/states.ts';
import type { MergedRow, Person, StagedRow } from '../../runs/people/people.ts';
import type { RowProblem } from '../csv/row-types.ts';
import type { FoundAddressColumn } from '../mapping/address-columns.ts';
import type { PersonCollision } from '../mapping/collisions.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { ContactFields } from '../record/contact-fields.ts';
import { createFieldMerge, type FieldMerge } from './merge-fields.ts';
import { type ParsedRow, readStagedRows } from './staging.ts';

/** What became of all rows of one address. One row is written for the person; the others are merged or rejected. */
interface MergedPerson {
  readonly person: Person;
  /** False if all rows were rejected. svc then sends nothing about the person, and only stores the state. */
  readonly written: boolean;
  readonly collisions: readonly PersonCollision[];
  /** True if a row chooses a topic that another row refuses. The topic is not sent. */
  readonly differInTopics: boolean;
  /** How many rows were merged into the written row. `firstMerged` has the first of them. */
  readonly merged: number;
  readonly firstMerged: readonly MergedRow[];
  readonly rejected: ReadonlyMap<string, number>;
  /**
   * The mention that decided the state: another person's row has this address with an error that svc corrected, or in a
   * column whose header is not about addresses. Only a mention in a column about other people (`Referred by`) decides
   * nothing: svc just reports it.
   */
  readonly mention: FoundMention | undefined;
  /** Set if one row skips the person and another row subscribes the person. The person is then sent. */
  readonly outweighed: OutweighedSkip | undefined;
  /**
   * True if one row subscribes the person, and another has a blank status about which svc asks. An answer that skips
   * blanks does not skip this person.
   */
  readonly subscribedBesideBlank: boolean;
}

/** A row that skips a person (`skipped`), and the row that subscribes the same person (`by`). */
export interface OutweighedSkip {
  readonly skipped: RowPosition;
  readonly by: RowPosition;
}

/**
 * A person whom another person's row mentions, with an address that svc corrected, or in a column whose header is not
 * about addresses.
 */
export interface FoundMention extends RowPosition {
  readonly email: string;
  readonly column: FoundAddressColumn;
}

/**
 * Merges the rows of one address, given in the order of the list. The most restrictive state wins, even that of a
 * rejected row (C7, C9). If svc must ask about a row, the person has no state, unless the person is suppressed. For
 * each field the last value that isn't blank wins; with `--duplicates reject` only the written row and refused topics
 * count. The rows are read once and not kept in memory, because one address can have a million rows.
 */
export function mergeRows(rows: Iterable<StagedRow>, duplicates: ReadingOptions['duplicates']): MergedPerson {
  const rejectsRepeats = duplicates === 'reject';
  const fieldMerge = createFieldMerge();
  const addFields = rejectsRepeats ? fieldMerge.addRefusals : fieldMerge.add;
  const group = groupOf(readStagedRows(rows), addFields);
  const writtenRow = writtenRowOf(group);
  if (writtenRow && rejectsRepeats) {
    fieldMerge.add(writtenRow);
  }
  const { fields, collisions, differInTopics } = fieldMerge.result();
  return {
    collisions,
    differInTopics,
    person: writtenRow
      ? personOf(writtenRow, group, fields)
      : { ...personOf(group.strictest, group, {}), ...NO_POSITION },
    written: writtenRow !== undefined,
    mention: writtenRow && mentionOf(group),
    outweighed: writtenRow && outweighedSkipOf(group),
    subscribedBesideBlank:
      writtenRow !== undefined && group.onlyBlanksUnknown && group.strictest.state === 'subscribed',
    ...outcomesOf(group, writtenRow, rejectsRepeats),
  };
}

function mentionOf({ strictest, unknown, ignoredMention, openMention }: RowGroup): FoundMention | undefined {
  const isSubscribed = strictest.state === 'subscribed';
  const other = unknown ? openMention : ignoredMention;
  const { row, payload } = isSubscribed ? (other ?? strictest) : strictest;
  const { email, source, line } = row;
  return payload.column && { email, source, line, column: payload.column };
}

function outweighedSkipOf({ strictest, unknown, firstSkipped }: RowGroup): OutweighedSkip | undefined {
  return strictest.state === 'subscribed' && !unknown && firstSkipped
    ? { skipped: firstSkipped.row, by: strictest.row }
    : undefined;
}

function outcomesOf(
  { validRows, firstValidRows, problems }: RowGroup,
  writtenRow: ParsedRow | undefined,
  rejectsRepeats: boolean,
) {
  const rejected = new Map(problems);
  // One row is written for the person, so it is not among the others.
  const otherRows = validRows - (writtenRow && !writtenRow.payload.problem ? 1 : 0);
  if (writtenRow?.payload.problem) {
    addToCount(rejected, writtenRow.payload.problem.reason, -1);
  }
  if (!rejectsRepeats) {
    rejected.delete(DUPLICATE_CODE);
  }
  const isMerged = writtenRow !== undefined && !rejectsRepeats;
  const into = writtenRow && { source: writtenRow.row.source, line: writtenRow.row.line };
  return {
    rejected,
    merged: isMerged ? otherRows : 0,
    firstMerged:
      isMerged && into
        ? firstValidRows.filter((row) => rowKey(row) !== rowKey(into)).map((row) => ({ ...row, mergedInto: into }))
        : [],
  };
}

// The position of a person whose rows were all rejected.
const NO_POSITION = { source: -1, line: 0, reason: undefined };

const DUPLICATE_CODE = 'duplicate_email';

/** The problem of a row that repeats an address, with `--duplicates reject`. */
export function duplicateProblem(
  row: Pick<StagedRow, 'email' | 'source'>,
  into: Pick<StagedRow, 'source' | 'line'>,
): RowProblem {
  const where = row.source === into.source ? `line ${into.line}` : `input ${into.source + 1}, line ${into.line}`;
  return { reason: DUPLICATE_CODE, column: '', detail: `${row.email} is on ${where} already` };
}

interface RowGroup {
  readonly strictest: ParsedRow;
  /** The first row that mentions the person in a column of other people. Its state does not count. */
  readonly ignoredMention: ParsedRow | undefined;
  /** The first row that mentions the person in another column, and about whose state svc asks. */
  readonly openMention: ParsedRow | undefined;
  readonly firstSkipped: ParsedRow | undefined;
  readonly dates: ReadonlyMap<State, string>;
  /** True if a row has a status word that svc does not understand, or a blank status about which svc asks. */
  readonly unknown: boolean;
  /** True if a row has a blank status about which svc asks, and no row has another unknown word. */
  readonly onlyBlanksUnknown: boolean;
  /**
   * `firstValid`: the first row without a problem. `firstWithAddress`: the first row whose address has no problem. Rows
   * that only mention the person don't count.
   */
  readonly firstValid: ParsedRow | undefined;
  readonly firstWithAddress: ParsedRow | undefined;
  /** How many rows have no problem. `firstValidRows` has the first of them. */
  readonly validRows: number;
  readonly firstValidRows: readonly RowPosition[];
  /** How many rows have each problem. Valid rows after the first one count as `duplicate_email`. */
  readonly problems: ReadonlyMap<string, number>;
}

/** How many valid rows are stored: the row into which the others are merged, and five others as examples. */
const MAX_FIRST_ROWS = 6;

// Collects what `mergeRows` needs to know about the rows. The rows come from disk and are read only once, so this loop
// also passes them to `addFields`.
function groupOf(rows: Iterable<ParsedRow>, addFields: FieldMerge['add']): RowGroup {
  const dates = new Map<State, string>();
  let strictest: ParsedRow | undefined;
  let ignoredMention: ParsedRow | undefined;
  let openMention: ParsedRow | undefined;
  let firstSkipped: ParsedRow | undefined;
  let firstValid: ParsedRow | undefined;
  let firstWithAddress: ParsedRow | undefined;
  let hasUnknown = false;
  let hasUnknownWord = false;
  let validRows = 0;
  const firstValidRows: RowPosition[] = [];
  const problems = new Map<string, number>();
  for (const parsed of rows) {
    const { row, state, payload } = parsed;
    addFields(parsed);
    strictest = strictest && !outranks(parsed, strictest) ? strictest : parsed;
    ignoredMention ??= payload.column?.isOfOtherPeople === true ? parsed : undefined;
    openMention ??= payload.column && payload.unknown !== undefined ? parsed : undefined;
    firstSkipped ??= state === 'skip' ? parsed : undefined;
    hasUnknown ||= payload.unknown !== undefined;
    hasUnknownWord ||= payload.unknown !== undefined && payload.unknown !== '';
    if (row.optOutDate !== undefined) {
      dates.set(state, row.optOutDate);
    }
    if (payload.witness === true) {
      continue;
    }
    firstWithAddress ??= payload.addressFault === true ? undefined : parsed;
    if (payload.problem) {
      addToCount(problems, payload.problem.reason, 1);
      continue;
    }
    // The duplicates are counted in the order of the rows, because reports list reasons in that order.
    if (firstValid) {
      addToCount(problems, DUPLICATE_CODE, 1);
    }
    firstValid ??= parsed;
    validRows++;
    if (firstValidRows.length < MAX_FIRST_ROWS) {
      firstValidRows.push({ source: row.source, line: row.line });
    }
  }
  // The assertion is safe: a group has at least one row.
  return {
    strictest: strictest as ParsedRow,
    ignoredMention,
    openMention,
    firstSkipped,
    dates,
    unknown: hasUnknown,
    onlyBlanksUnknown: hasUnknown && !hasUnknownWord,
    firstValid,
    firstWithAddress,
    validRows,
    firstValidRows,
    problems,
  };
}

// True if the state of the row `next` wins. If both states are equal, any other row wins over a mention whose address
// may be wrong or another person's (`payload.column`).
function outranks(next: ParsedRow, strictest: ParsedRow): boolean {
  const order = rankOf(next.state) - rankOf(strictest.state);
  return order < 0 || (order === 0 && strictest.payload.column !== undefined && next.payload.column === undefined);
}

// The row that is written: the first one without a problem. If all rows have problems, a suppression is written from
// the first row with a valid address, because it needs only an address.
function writtenRowOf({ strictest, firstValid, firstWithAddress }: RowGroup): ParsedRow | undefined {
  return firstValid || reasonOf(strictest.state) === undefined ? firstValid : firstWithAddress;
}

function personOf({ row }: ParsedRow, { strictest, dates, unknown }: RowGroup, fields: ContactFields): Person {
  const { email, source, line } = row;
  const { state } = strictest;
  const reason = reasonOf(state);
  const isUnknown = reason === undefined && unknown;
  return {
    email,
    source,
    line,
    state: isUnknown ? 'none' : state,
    optOutDate: dates.get(state),
    why: isUnknown ? 'unknown_status' : strictest.payload.why,
    reason,
    payload: JSON.stringify({ fields: reason === undefined ? fields : {} }),
  };
}

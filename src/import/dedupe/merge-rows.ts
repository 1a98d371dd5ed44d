import { rankOf, reasonOf, type State } from '../../platforms/lib/states.ts';
import type { MergedRow, Person, StagedRow } from '../../runs/store/people.ts';
import type { PersonCollision } from '../mapping/collisions.ts';
import type { DraftFields, ReadingOptions, RowProblem } from '../types.ts';
import { createFieldMerge, type FieldMerge } from './merge-fields.ts';
import { type ReadRow, readStagedRows } from './staged-payload.ts';

/** The outcome of all rows of one address. Each row appears exactly once. */
export interface MergedPerson {
  readonly person: Person;
  /** False if every row was rejected. Nothing is written then; only the state of the person is recorded. */
  readonly written: boolean;
  readonly collisions: readonly PersonCollision[];
  /** All rows except the one that the person is written for. Each was merged into it, or rejected. */
  others(): Iterable<OtherRow>;
}

/** A row that was merged into the row of its person, or that was rejected. */
export type OtherRow =
  | { readonly kind: 'merged'; readonly merged: MergedRow }
  | { readonly kind: 'rejected'; readonly row: StagedRow; readonly problem: RowProblem };

/**
 * Merges the rows of one address, given in list order. The most restrictive state wins, from any row, even from a row
 * that is rejected (rules C7, C9). For each field, the last value that isn't empty wins. The rows are read several
 * times and never held in memory, because one address can stand in a million rows.
 */
export function mergeRows(rows: Iterable<StagedRow>, duplicates: ReadingOptions['duplicates']): MergedPerson {
  const read = readStagedRows(rows);
  const repeats = duplicates === 'reject';
  const together = createFieldMerge();
  const group = survey(read, repeats ? undefined : together);
  const principal = principalOf(group);
  if (principal && repeats) {
    together.add(principal);
  }
  const { fields, collisions } = together.result();
  return {
    collisions,
    person: principal ? personOf(principal, group, fields) : { ...personOf(group.strongest, group, {}), ...NOWHERE },
    written: principal !== undefined,
    others: () => othersOf(read, principal?.row, repeats),
  };
}

function* othersOf(rows: Iterable<ReadRow>, into: StagedRow | undefined, repeats: boolean): Generator<OtherRow> {
  for (const { row, payload } of rows) {
    const isPrincipal = into?.source === row.source && into.line === row.line;
    if (payload.witness === true || isPrincipal) {
      continue;
    }
    const problem = payload.problem ?? (repeats && into ? duplicateProblem(row, into) : undefined);
    if (problem) {
      yield { kind: 'rejected', row, problem };
    } else if (into) {
      const { source, line } = into;
      yield { kind: 'merged', merged: { source: row.source, line: row.line, into: { source, line } } };
    }
  }
}

// Sentinel: every row was rejected, so no row is the one that the person is written for.
const NOWHERE = { source: -1, line: 0, reason: undefined };

/** Why a row that repeats an address is rejected under --duplicates reject. */
export function duplicateProblem(
  row: Pick<StagedRow, 'email' | 'source'>,
  into: Pick<StagedRow, 'source' | 'line'>,
): RowProblem {
  const where = row.source === into.source ? `line ${into.line}` : `input ${into.source + 1}, line ${into.line}`;
  return { reason: 'duplicate_email', column: '', detail: `${row.email} is on ${where} already` };
}

/** The combined content of all rows of one address. */
interface Group {
  readonly strongest: ReadRow;
  /** The latest date of each state. */
  readonly dates: ReadonlyMap<State, string>;
  /** True if a row holds a status word that isn't understood. */
  readonly unknown: boolean;
  /**
   * The first row without a problem, and the first row whose address has no problem. Rows that only mention the person
   * don't count.
   */
  readonly clean: ReadRow | undefined;
  readonly addressed: ReadRow | undefined;
}

// A group on disk is read in one go, so `together` collects the fields of all rows meanwhile.
function survey(rows: Iterable<ReadRow>, together: FieldMerge | undefined): Group {
  const dates = new Map<State, string>();
  let strongest: ReadRow | undefined;
  let clean: ReadRow | undefined;
  let addressed: ReadRow | undefined;
  let unknown = false;
  for (const one of rows) {
    const { row, state, payload } = one;
    together?.add(one);
    strongest = strongest && rankOf(strongest.state) <= rankOf(state) ? strongest : one;
    unknown ||= payload.unknown !== undefined;
    if (row.at !== undefined) {
      dates.set(state, row.at);
    }
    if (payload.witness !== true) {
      clean ??= payload.problem ? undefined : one;
      addressed ??= payload.addressFault === true ? undefined : one;
    }
  }
  // A group has at least one row.
  return { strongest: strongest as ReadRow, dates, unknown, clean, addressed };
}

// The person is written for the first row without a problem. A suppression needs only the address. So it is written
// even if every row has a problem, unless the address is the problem.
function principalOf({ strongest, clean, addressed }: Group): ReadRow | undefined {
  return clean || reasonOf(strongest.state) === undefined ? clean : addressed;
}

function personOf({ row }: ReadRow, { strongest, dates, unknown }: Group, fields: DraftFields): Person {
  const { email, source, line } = row;
  const { state } = strongest;
  const reason = reasonOf(state);
  const isUnknown = reason === undefined && unknown;
  return {
    email,
    source,
    line,
    state: isUnknown ? 'none' : state,
    at: dates.get(state),
    why: isUnknown ? 'unknown_status' : strongest.payload.why,
    reason,
    payload: JSON.stringify({ fields: reason === undefined ? fields : {} }),
  };
}

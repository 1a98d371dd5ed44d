import type { KeptRow, MergedRow, Person } from '../journal/people.ts';
import { type Clashing, clashesBetween, type PersonClash } from './clashes.ts';
import { isState, rankOf, reasonOf } from './states.ts';
import type { DraftFields, ReadingOptions, RowProblem, State } from './types.ts';

/** What a kept row carries for the fold, beside its state and date. */
export interface KeptPayload {
  readonly fields: DraftFields;
  readonly why?: string | undefined;
  readonly unknown?: string | undefined;
  readonly problem?: RowProblem | undefined;
  readonly addressFault?: boolean | undefined;
  readonly clashes?: Clashing | undefined;
  /** True where the row is about somebody else and only names this person: its state counts, the row is counted there. */
  readonly witness?: boolean | undefined;
}

/** What became of all rows of one address; every row is in exactly one place. */
export interface Folded {
  readonly person: Person;
  /** False where every row was rejected: nothing is written, and the person is only remembered for their state. */
  readonly written: boolean;
  readonly merged: readonly MergedRow[];
  readonly rejected: readonly { readonly row: KeptRow; readonly problem: RowProblem }[];
  readonly clashes: readonly PersonClash[];
}

/**
 * Folds the rows of one address, given in the order of the list. The most restrictive state wins, whichever row it is on
 * and whatever else is wrong with that row (rules C7, C9); of the fields, the last value that isn't empty.
 */
export function fold(rows: readonly KeptRow[], duplicates: ReadingOptions['duplicates']): Folded {
  const read = rows.map((row) => ({ row, state: stateOf(row), payload: readPayload(row.payload) }));
  const strongest = read.reduce(
    (best, next) => (rankOf(next.state) < rankOf(best.state) ? next : best),
    read[0] as ReadRow,
  );
  const own = read.filter(({ payload }) => payload.witness !== true);
  const principal = principalOf(own, strongest);
  const others = own.filter((one) => one !== principal);
  const into = principal?.row;
  const repeats = duplicates === 'reject';
  const parts = principal && repeats ? [principal] : own;
  return {
    clashes: clashesBetween(parts.filter(({ payload }) => !payload.problem)),
    person: principal
      ? personOf(principal, { strongest, parts, all: read })
      : { ...personOf(strongest, { strongest, parts: [], all: read }), ...NOWHERE },
    written: principal !== undefined,
    merged: others.flatMap(({ row, payload }) =>
      into && !payload.problem && !repeats
        ? [{ source: row.source, line: row.line, into: { source: into.source, line: into.line } }]
        : [],
    ),
    rejected: others.flatMap(({ row, payload }) => {
      const problem = payload.problem ?? (repeats && into ? duplicateProblem(row, into) : undefined);
      return problem ? [{ row, problem }] : [];
    }),
  };
}

// No row of the list is here, so no row takes itself for the one that stands for the person.
const NOWHERE = { source: -1, line: 0, reason: undefined };

/** The fields kept with a person or a row. */
export function readPayload(payload: string): KeptPayload {
  // Written by this program alone, as JSON of a KeptPayload.
  return JSON.parse(payload) as KeptPayload;
}

/** Why a row is refused that repeats an address, under --duplicates reject. */
export function duplicateProblem(
  row: Pick<KeptRow, 'email' | 'source'>,
  into: Pick<KeptRow, 'source' | 'line'>,
): RowProblem {
  const where = row.source === into.source ? `line ${into.line}` : `input ${into.source + 1}, line ${into.line}`;
  return { reason: 'duplicate_email', column: '', detail: `${row.email} is on ${where} already` };
}

interface ReadRow {
  readonly row: KeptRow;
  readonly state: State;
  readonly payload: KeptPayload;
}

function stateOf(row: KeptRow): State {
  return isState(row.state) ? row.state : 'none';
}

// The person is written for the first row without a fault. A suppression needs nothing but the address, so it is written
// even when all rows are faulty, as long as the address isn't the fault.
function principalOf(rows: readonly ReadRow[], strongest: ReadRow): ReadRow | undefined {
  const clean = rows.find(({ payload }) => !payload.problem);
  if (clean || reasonOf(strongest.state) === undefined) {
    return clean;
  }
  return rows.find(({ payload }) => payload.addressFault !== true);
}

interface Group {
  readonly strongest: ReadRow;
  /** Rows whose fields count. */
  readonly parts: readonly ReadRow[];
  readonly all: readonly ReadRow[];
}

function personOf(principal: ReadRow, { strongest, parts, all }: Group): Person {
  const { email, source, line } = principal.row;
  const { state } = strongest;
  const reason = reasonOf(state);
  const unknown = reason === undefined && all.some(({ payload }) => payload.unknown !== undefined);
  const clean = reason === undefined ? parts.filter(({ payload }) => !payload.problem) : [];
  return {
    email,
    source,
    line,
    state: unknown ? 'none' : state,
    at: all.findLast((one) => one.state === state && one.row.at !== undefined)?.row.at,
    why: unknown ? 'unknown_status' : strongest.payload.why,
    reason,
    payload: JSON.stringify({ fields: clean.map(({ payload }) => payload.fields).reduce(mergeFields, {}) }),
  };
}

function mergeFields(one: DraftFields, next: DraftFields): DraftFields {
  const merged: { first_name?: string; last_name?: string } = {};
  const first = last(one.first_name, next.first_name);
  const second = last(one.last_name, next.last_name);
  if (first !== undefined) {
    merged.first_name = first;
  }
  if (second !== undefined) {
    merged.last_name = second;
  }
  const attributes = mergeValues(one.attributes, next.attributes);
  const topics = mergeValues(one.topics, next.topics);
  return { ...merged, ...(attributes && { attributes }), ...(topics && { topics }) };
}

type Values = Readonly<Record<string, string>> | undefined;

function mergeValues(one: Values, next: Values): Values {
  if (one === undefined || next === undefined) {
    return one ?? next;
  }
  const merged: Record<string, string> = { ...one };
  for (const [key, value] of Object.entries(next)) {
    if (value !== '' || !Object.hasOwn(merged, key)) {
      merged[key] = value;
    }
  }
  return merged;
}

function last(one: string | undefined, next: string | undefined): string | undefined {
  return next === undefined || next === '' ? (one ?? next) : next;
}

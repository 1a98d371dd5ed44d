/** What a unit of work is: one POST and all its attempts. */
export type UnitKind = 'suppressions' | 'contacts' | 'enrollment' | 'creation';

/** pending: intent is on disk, no answer yet. done: answered and recorded. refused: the service said no. doubt: nobody knows. */
export type RequestState = 'pending' | 'done' | 'refused' | 'doubt';

/** One unit as kept in run.db. `key` is the idempotency key of the current generation. */
export interface Unit {
  readonly id: number;
  readonly kind: UnitKind;
  /** Chunk index, or position among the suppression calls of a reason; parts of a halved batch have a path: `17.0.1`. */
  readonly name: string;
  readonly key: string;
  readonly generation: number;
  readonly rows: number;
  /** Milliseconds by the service's clock at which the first byte of the key may have gone out. */
  readonly firstSentAt: number;
  readonly state: RequestState;
  readonly answer: UnitAnswer | undefined;
  /** SHA-256 of the exact body, where it was given. */
  readonly bodyHash?: string;
  /** What a creation needs to be finished by a resume. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What the answer to a unit said, in the journal's words. */
export interface UnitAnswer {
  readonly status: number;
  readonly replayed: boolean;
  /** True after an attempt of this run whose answer was lost: a replay may tell of it, a fresh answer may come on top of it. */
  readonly ours?: boolean | undefined;
  readonly created: number;
  readonly updated: number;
  readonly alreadySuppressed: number;
  /** `error.code` of a refusal, or the outcome of an enrolment, or the id of a created thing. */
  readonly word?: string | undefined;
  readonly failures: readonly RowFailure[];
}

/** One row that the service refused on its own. */
export interface RowFailure {
  readonly source: number;
  readonly line: number;
  readonly code: string;
  readonly detail?: string | undefined;
}

/** A refused row and the unit it was sent in. */
export interface RecordedFailure extends RowFailure {
  readonly kind: UnitKind;
  readonly unit: string;
}

/** A row of `units`, with the types that the STRICT schema holds it to. */
interface RequestRow {
  readonly id: number;
  readonly kind: UnitKind;
  readonly name: string;
  readonly key: string;
  readonly generation: number;
  readonly rows: number;
  readonly first_sent_at: number;
  readonly body_hash: string | null;
  readonly details: string | null;
  readonly state: RequestState;
  readonly answer: string | null;
}

/** A unit from its row; its failures are asked for only where there is an answer. */
export function readRequest(record: unknown, failuresOf: (id: number) => readonly unknown[]): Unit {
  const row = record as RequestRow;
  const { id, kind, name, key, generation, rows, state } = row;
  return {
    id,
    kind,
    name,
    key,
    generation,
    rows,
    firstSentAt: row.first_sent_at,
    state,
    answer: row.answer === null ? undefined : readAnswer(row.answer, failuresOf(id)),
    ...(row.body_hash !== null && { bodyHash: row.body_hash }),
    ...(row.details !== null && { details: JSON.parse(row.details) }),
  };
}

/** An answer as kept in its unit's row; the failures have rows of their own. */
export function writeAnswer({ failures: _, ...answer }: UnitAnswer): string {
  return JSON.stringify(answer);
}

/** A failure joined with its unit, without the columns that hold nothing. */
export function readFailure(record: unknown): RecordedFailure {
  return withoutNulls(record) as RecordedFailure;
}

function readAnswer(text: string, failures: readonly unknown[]): UnitAnswer {
  return { ...JSON.parse(text), failures: failures.map((failure) => withoutNulls(failure) as RowFailure) };
}

function withoutNulls(record: unknown): unknown {
  return Object.fromEntries(Object.entries(record as object).filter(([, value]) => value !== null));
}

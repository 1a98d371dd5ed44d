import type { RowPosition } from '../../base/lib/rows.ts';

export type RequestKind = 'suppressions' | 'contacts' | 'enrollment' | 'creation';

/**
 * The state of a write request. `pending`: it will be sent, or is in flight. `done`: the service accepted it.
 * `refused`: the service refused it, or it certainly had no effect. `doubt`: its outcome is unknown.
 */
export type RequestState = 'pending' | 'done' | 'refused' | typeof OUTCOME_UNKNOWN;

/** The state of a request whose outcome is unknown, as run.db stores it. */
export const OUTCOME_UNKNOWN = 'doubt';

/**
 * One write request (a POST and all its attempts), as run.db records it. `key` is the idempotency key for `keyVersion`.
 */
export interface RecordedRequest {
  readonly id: number;
  readonly kind: RequestKind;
  /**
   * The name of the request among requests of its kind. For a contact batch it is the index of the batch. The halves of
   * batch 17 are `17.0` and `17.1`; the halves of `17.0` are `17.0.0` and `17.0.1`.
   */
  readonly name: string;
  readonly key: string;
  readonly keyVersion: number;
  readonly rows: number;
  /** When this key was first used, in milliseconds of the service's clock. */
  readonly firstSentAt: number;
  readonly state: RequestState;
  readonly response: RecordedResponse | undefined;
}

/** The response to a request, as recorded in the journal. */
export interface RecordedResponse {
  readonly status: number;
  readonly replayed: boolean;
  /** True if the response of an earlier attempt was lost. Then a replay may describe a write of this run. */
  readonly ours?: boolean | undefined;
  /** True for a replay that can't describe a write of this run, because no earlier attempt had an effect. */
  readonly ofOtherRun?: boolean | undefined;
  /** True if certainly no attempt of the request had an effect. Earlier versions of svc did not record it. */
  readonly hadNoEffect?: boolean | undefined;
  /**
   * When the response arrived, in milliseconds of the service's clock. Undefined for a replay, and if the service shows
   * no time.
   */
  readonly at?: number | undefined;
  readonly created: number;
  readonly updated: number;
  readonly alreadySuppressed: number;
  /**
   * `error.code` of a refusal, or the outcome word of an enrollment, or a word of svc. `halved`: a bisected batch.
   * `created`, `updated`: a contact that was sent alone. `unknown`: an enrollment that only the user can resolve.
   * `resolved`: the user decided that a person was not enrolled.
   */
  readonly word?: string | undefined;
  readonly failures: readonly RowFailure[];
}

/** The word of a request that the service refused with a 400, and that svc sent again in two halves. */
export const BISECTED = 'halved';

/** The fields of a response that changed no row. Callers add the other fields. */
export const EMPTY_RESPONSE = {
  replayed: false,
  created: 0,
  updated: 0,
  alreadySuppressed: 0,
  failures: [],
} as const satisfies Partial<RecordedResponse>;

/** What the journal records about a request if certainly no attempt had an effect. */
export const NO_EFFECT: RecordedResponse = { ...EMPTY_RESPONSE, status: 0, hadNoEffect: true };

/** A row that the service refused, with its error code. */
export interface RowFailure extends RowPosition {
  readonly code: string;
  readonly detail?: string | undefined;
}

/** A refused row, with the kind and the name of its request. */
export interface RecordedFailure extends RowFailure {
  readonly kind: RequestKind;
  readonly requestName: string;
}

/** The name of the enrollment request of a row: `0.17` for line 17 of the first input. */
export function enrollmentRequestName({ source, line }: RowPosition): string {
  return `${source}.${line}`;
}

/**
 * SQL that is true if a refusal is the outcome of its row, for `failures` joined with `units`. If a person was enrolled
 * and then refused as a contact, the outcome of the row is the enrollment.
 */
export const IS_ROW_OUTCOME = `NOT (units.kind = 'contacts' AND EXISTS (
  SELECT 1 FROM units AS enrollment WHERE enrollment.kind = 'enrollment' AND enrollment.state <> 'refused'
    AND enrollment.name = failures.source || '.' || failures.line))`;

/** A row of the table `units`, which has the requests. The table is STRICT, so SQLite checks these types. */
interface RequestRow {
  readonly id: number;
  readonly kind: RequestKind;
  readonly name: string;
  readonly key: string;
  readonly generation: number;
  readonly rows: number;
  readonly first_sent_at: number;
  readonly state: RequestState;
  readonly answer: string | null;
}

/** Converts a row of `units`. Reads its failures only if there is a response. */
export function readRequest(record: unknown, failuresOf: (id: number) => readonly unknown[]): RecordedRequest {
  const row = record as RequestRow;
  const { id, kind, name, key, generation, rows, state } = row;
  return {
    id,
    kind,
    name,
    key,
    keyVersion: generation,
    rows,
    firstSentAt: row.first_sent_at,
    state,
    response: row.answer === null ? undefined : readResponse(row.answer, failuresOf(id)),
  };
}

/** The response as JSON for `units`, without its failures, which have a table of their own. */
export function writeResponse({ failures: _, ...response }: RecordedResponse): string {
  return JSON.stringify(response);
}

/** Converts a row of `failures`, joined with its request. Leaves out empty columns. */
export function readFailure(record: unknown): RecordedFailure {
  return withoutNulls(record) as RecordedFailure;
}

function readResponse(text: string, failures: readonly unknown[]): RecordedResponse {
  return { ...JSON.parse(text), failures: failures.map((failure) => withoutNulls(failure) as RowFailure) };
}

function withoutNulls(record: unknown): unknown {
  return Object.fromEntries(Object.entries(record as object).filter(([, value]) => value !== null));
}

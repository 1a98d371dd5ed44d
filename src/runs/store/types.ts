import type { SvcError } from '../../base/errors.ts';
import type { SuppressionReason } from '../../wire/words.ts';

/** What a unit of work is: one POST and all its attempts. */
export type UnitKind = 'suppressions' | 'contacts' | 'enrollment' | 'creation';

/** pending: intent is on disk, no answer yet. done: answered and recorded. refused: the service said no. doubt: nobody knows. */
export type UnitState = 'pending' | 'done' | 'refused' | 'doubt';

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
  readonly state: UnitState;
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
export interface UnitFailure extends RowFailure {
  readonly kind: UnitKind;
  readonly unit: string;
}

/** What must be known to continue a run: written once, before anything is sent. */
export interface RunHeader {
  readonly run: string;
  readonly command: string;
  /** True once a person, or --yes, agreed to what the run writes (M7). A resume of such a run asks no more. */
  readonly agreed?: boolean;
  /** Options as plain data, enough to build the same stages again. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly origin: string;
  readonly destination:
    | { readonly kind: string; readonly id: string; readonly name: string; readonly createdAt: string }
    | undefined;
  /** In the order given. `sha256` and `size` (bytes) are those of the run's copy. */
  readonly inputs: readonly {
    readonly path: string;
    readonly sha256: string;
    readonly size: number;
    /** Absolute path of the file that was copied, and what it was then; left out for pipes and standard input. */
    readonly original?: { readonly place: string; readonly stamp: string };
  }[];
  /** SHA-256 of the API key, first 16 hex characters: tells another key from the same one, nothing more. */
  readonly keyFingerprint: string;
  readonly startedAt: number;
  readonly version: number;
}

/** A line of `svc runs ls`. */
export interface RunSummary {
  readonly run: string;
  readonly command: string;
  readonly status: string;
  readonly origin: string;
  readonly destination: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly folder: string;
  /** Bytes of the copies of its inputs that are still kept. */
  readonly copiedBytes: number;
  readonly unknown: number;
  /** True when nothing is left to continue. */
  readonly finished?: boolean;
  readonly phase?: string;
  readonly exitCode?: number;
  readonly destinationId?: string;
  /** Why it can't be read just now, where it is not damaged. */
  readonly problem?: SvcError;
}

export type SuppressionCounts = Readonly<Partial<Record<SuppressionReason, number>>>;

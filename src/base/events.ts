/** The phases of a long run, in their order. */
export type Phase =
  | 'copy'
  | 'survey'
  | 'plan'
  | 'suppressions'
  | 'first_batch'
  | 'contacts'
  | 'enrollments'
  | 'export'
  | 'check'
  | 'verify'
  | 'report'
  | 'done';

export type WaitReason = 'rate_limit' | 'reserve' | 'retry' | 'in_flight_elsewhere' | 'too_many_retries' | 'lock';

export interface WaitCause {
  readonly reason: WaitReason;
  /** The failure that led to a retry. */
  readonly cause?: string | undefined;
  /** Requests a minute by --rate, if svc waits because of that limit. */
  readonly rate?: number | undefined;
}

/** An event of a long run. Runs emit events, and renderers show them. A renderer returns nothing to the run. */
export type RunEvent =
  /**
   * A phase began. `total` is the number of its units, if known. Units are bytes for copy and survey, and rows for the
   * other phases. `done`: units that an earlier process of the run finished.
   */
  | {
      readonly type: 'phase';
      readonly phase: Phase;
      readonly total?: number | undefined;
      readonly done?: number;
      readonly unit?: 'bytes' | 'rows';
    }
  /** `done` of `total` units of the phase. `rows` counts the rows so far if the unit is bytes. */
  | { readonly type: 'progress'; readonly phase: Phase; readonly done: number; readonly rows?: number }
  /** A wait of `ms` begins. */
  | ({ readonly type: 'wait'; readonly ms: number } & WaitCause)
  /**
   * Work that can't be counted begins, such as `reading standard input`. The value undefined ends it, and so does the
   * next phase.
   */
  | { readonly type: 'doing'; readonly what: string | undefined }
  /** One attempt of a request begins; its `request` event ends it. `page` counts the pages of a list from 1. */
  | {
      readonly type: 'asking';
      readonly method: string;
      readonly path: string;
      readonly attempt: number;
      readonly page?: number | undefined;
    }
  /** One attempt of a request ended. `status` is undefined if no response came. Holds no keys, bodies or addresses. */
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number | undefined;
      readonly ms: number;
      readonly attempt: number;
      readonly requestId: string | undefined;
      readonly remaining: number | undefined;
      /** Requests a minute that the service grants, if the response states it. */
      readonly limit?: number | undefined;
      readonly replayed: boolean;
      readonly problem: string | undefined;
    }
  /** A message to show at once. */
  | { readonly type: 'note'; readonly message: string };

/** Receives events. It must return at once and never throw. */
export type Emit = (event: RunEvent) => void;

/** The phases of a long run, in the order in which they run. */
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
  /** The failure because of which svc retries. */
  readonly cause?: string | undefined;
  /** The limit of --rate in requests a minute, if svc waits because of it. */
  readonly rate?: number | undefined;
}

/** An event of a long run. A run emits events and a renderer shows them. The run never depends on the renderer. */
export type RunEvent =
  /**
   * A phase began. `total` is the number of its units, if it is known. A unit is a byte for copy and survey, and a row
   * for other phases. `done` is how many units an earlier process of the run has finished.
   */
  | {
      readonly type: 'phase';
      readonly phase: Phase;
      readonly total?: number | undefined;
      readonly done?: number;
      readonly unit?: 'bytes' | 'rows';
    }
  /** The phase has finished `done` of its units. If the units are bytes, `rows` is the number of rows so far. */
  | { readonly type: 'progress'; readonly phase: Phase; readonly done: number; readonly rows?: number }
  /** A wait of `ms` milliseconds begins. */
  | ({ readonly type: 'wait'; readonly ms: number } & WaitCause)
  /**
   * Work that can't be counted begins, such as `reading standard input`. It ends with the next phase, or with an event
   * whose `what` is undefined.
   */
  | { readonly type: 'doing'; readonly what: string | undefined }
  /**
   * One attempt of a request begins. It ends with its `request` event. `page` is the number of a page of a list, from
   * 1.
   */
  | {
      readonly type: 'asking';
      readonly method: string;
      readonly path: string;
      readonly attempt: number;
      readonly page?: number | undefined;
    }
  /**
   * One attempt of a request ended. `status` is undefined if no response arrived. The event has no keys, bodies or
   * addresses.
   */
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number | undefined;
      readonly ms: number;
      readonly attempt: number;
      readonly requestId: string | undefined;
      readonly remaining: number | undefined;
      /** The requests a minute that the service allows, if the response says so. */
      readonly limit?: number | undefined;
      readonly replayed: boolean;
      readonly problem: string | undefined;
    }
  /** A message to show immediately. */
  | { readonly type: 'note'; readonly message: string };

/** Gets events. It must return at once and never throw. */
export type Emit = (event: RunEvent) => void;

/** The parts of a long run, in the order they come. */
export type Phase =
  | 'copy'
  | 'survey'
  | 'plan'
  | 'suppressions'
  | 'first_batch'
  | 'contacts'
  | 'enrollments'
  | 'export'
  | 'verify'
  | 'report'
  | 'done';

/** Why nothing moves for a while. */
export type WaitReason = 'rate_limit' | 'reserve' | 'retry' | 'in_flight_elsewhere' | 'too_many_retries' | 'lock';

/** What a long run tells whoever watches. The engine emits; renderers look; nothing comes back. */
export type RunEvent =
  /** A phase began. `total` counts its units (rows, or bytes for copy and survey), where known. */
  | {
      readonly type: 'phase';
      readonly phase: Phase;
      readonly total?: number | undefined;
      readonly unit?: 'bytes' | 'rows';
    }
  /** `done` of `total` units of the phase; `rows` read so far where the unit is bytes. */
  | { readonly type: 'progress'; readonly phase: Phase; readonly done: number; readonly rows?: number }
  /** A wait of `ms` begins, for this reason. `cause`: the failure behind a retry, in words. */
  | { readonly type: 'wait'; readonly reason: WaitReason; readonly ms: number; readonly cause?: string | undefined }
  /** Work without units begins, `reading standard input`, or ends. It also ends where a phase begins. */
  | { readonly type: 'doing'; readonly what: string | undefined }
  /** One attempt of a request begins; its `request` event ends it. `page` counts the pages of a list, from 1. */
  | {
      readonly type: 'asking';
      readonly method: string;
      readonly path: string;
      readonly attempt: number;
      readonly page?: number | undefined;
    }
  /** One attempt of a request ended. `status` is undefined when no answer came. Never holds keys, bodies or addresses. */
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number | undefined;
      readonly ms: number;
      readonly attempt: number;
      readonly requestId: string | undefined;
      readonly remaining: number | undefined;
      /** Requests a minute that the service grants, where it says so. */
      readonly limit?: number | undefined;
      readonly replayed: boolean;
      readonly problem: string | undefined;
    }
  /** Something a person should read now. */
  | { readonly type: 'note'; readonly message: string };

/** Takes events; must return at once and never throw. */
export type Emit = (event: RunEvent) => void;

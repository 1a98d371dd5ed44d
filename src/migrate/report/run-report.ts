import type { Phase, WaitReason } from '../../base/events.ts';
import type { ExitCode } from '../../base/lib/exit.ts';
import type { Finding } from '../../import/survey/finding.ts';
import type { ListStatistics } from '../../import/survey/list-statistics.ts';
import type { SuppressionCounts } from '../../runs/store/suppressed-people.ts';
import type { BatchContact } from '../../wire/shapes.ts';

export type RunStatus =
  | 'completed'
  | 'partial'
  | 'stopped'
  | 'failed'
  | 'refused'
  | 'interrupted'
  | 'planned'
  | 'unverified'
  | 'later'
  | 'busy'
  | 'bug';

/** What a run will do: plain data, printed before it happens. */
export interface Plan {
  /** Distinct addresses to suppress, by reason. */
  readonly suppressions: SuppressionCounts;
  /** Other spellings of these addresses, which are suppressed too (F8). Absent if there are none. */
  readonly respelled?: number;
  /** People to write as contacts, `unsubscribed` of them with that status. */
  readonly contacts: number;
  readonly unsubscribed: number;
  readonly batches: number;
  /** Requests in all: writes, reads before, read-back and verification. */
  readonly requests: number;
  readonly estimated_seconds: number;
  /** Column header to attribute key. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys that would become new custom fields ("at most", F6). */
  readonly new_fields: readonly string[];
  /** People to enroll, with one request each. */
  readonly enrollments?: number;
  /** People of earlier lists whom --gone unsubscribe may opt out. */
  readonly opt_outs?: number;
}

/** One count for each outcome. All but `read` sum to `read`. */
export interface RowCounts extends OutcomeCounts {
  readonly created: number;
  readonly updated: number;
  readonly suppressed: number;
  readonly already_suppressed: number;
  /** People of --only-changed who are as the service last accepted them. */
  readonly unchanged?: number;
}

/** The outcomes that every kind of run has. */
export interface OutcomeCounts {
  readonly read: number;
  readonly merged: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failed: number;
  readonly unsent: number;
  readonly unknown: number;
}

export interface VerificationCheck {
  readonly check: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

export interface Verification {
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly checks: readonly VerificationCheck[];
}

/** The report of a run: printed by --json, stored as report.json. New fields may appear. */
export interface RunReport<Rows extends OutcomeCounts = RowCounts> {
  readonly object: 'run_report';
  readonly run: string;
  /** Present if the command continued a run of an earlier command. */
  readonly resumed?: true;
  readonly command: string;
  readonly status: RunStatus;
  readonly exit_code: ExitCode;
  readonly dry_run: boolean;
  readonly phase: Phase;
  readonly origin: string | null;
  readonly audience: { readonly id: string; readonly name: string } | null;
  readonly automation?: { readonly id: string; readonly name: string } | null;
  readonly inputs: readonly ReportInput[];
  readonly rows: Rows;
  /** Rows whose response was a replay. They are counted again here, outside the sum. */
  readonly rows_replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly plan: Plan;
  readonly preview: readonly BatchContact[];
  readonly findings: readonly Finding[];
  readonly requests: {
    readonly sent: number;
    readonly retried: number;
    readonly replayed: number;
    readonly rate_limited: number;
  };
  readonly verification: Verification;
  /** What the list holds, for charts. Absent in reports of older versions. */
  readonly list?: ListStatistics;
  /** When the run sent rows, and when it waited. Absent in reports of older versions. */
  readonly timeline?: Timeline;
  readonly gone?: GoneCounts;
  readonly files: Readonly<Record<string, string | readonly string[]>>;
  readonly next: readonly string[];
  /** Why the run ended, if it did not end well. */
  readonly error?: ReportError;
}

/** When a run sent rows, and when it waited. Times are ISO 8601. */
export interface Timeline {
  /** When the run began, also if this command resumed it. */
  readonly started_at: string;
  readonly ended_at: string;
  /** Rows by the moment of their request, at most 60 equal spans of time. Spans without rows are left out. */
  readonly sent: readonly { readonly at: string; readonly rows: number }[];
  /** Waits of a second or more of the last command, at most 100. */
  readonly waits: readonly { readonly at: string; readonly ms: number; readonly reason: WaitReason }[];
}

export interface GoneCounts {
  readonly missing: number;
  /** How many of `missing` were in the last list. */
  readonly since_last_list: number;
  readonly unsubscribed: number;
  /** People who have no contact in the audience, or who had opted out of it before. */
  readonly left_before: number;
  readonly reported: number;
}

export interface ReportInput {
  readonly path: string;
  readonly entry?: string;
  readonly sha256: string;
  readonly platform: string;
  readonly encoding: string;
  readonly delimiter: string | null;
  /** Set if cells are not quoted as in RFC 4180, or if a flag sets the quote. Null if cells are never quoted. */
  readonly quote?: string | null;
  readonly escape?: string;
  readonly rows: number;
  /** Header as written, and its target: `email`, `attributes.city`, `state`, `not sent`. */
  readonly columns?: readonly { readonly header: string; readonly target: string }[];
  /** Where the state of a row comes from. Absent if the input has no state. */
  readonly state?: ReportState;
  /** Columns of notes in which svc finds nothing about consent, with the number of different values, up to 1,000. */
  readonly notes?: readonly { readonly column: string; readonly values: number }[];
}

/** Where the states of an input come from, and what their values mean. */
export interface ReportState {
  /** For example `file name` or `column "Status"`. */
  readonly from: string;
  readonly columns: readonly {
    readonly column: string;
    /** Each value with its rows, also by the state of the whole row: at most fifty, the most frequent first. */
    readonly values: readonly {
      readonly value: string;
      readonly rows: number;
      readonly states: Readonly<Record<string, number>>;
    }[];
  }[];
}

export interface ReportError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exit_code: ExitCode;
  readonly request_id?: string;
}

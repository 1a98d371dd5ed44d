import type { Phase } from '../base/events.ts';
import type { ExitCode } from '../base/lib/exit.ts';
import type { Finding } from '../import/survey/survey-types.ts';
import type { SuppressionCounts } from '../runs/store/people.ts';
import type { BatchContact } from '../wire/shapes.ts';

/** How a run ended, in the words of the report. */
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

/** What a run is going to do: plain data, printed before it happens. */
export interface Plan {
  /** Distinct addresses to suppress, by reason. */
  readonly suppressions: SuppressionCounts;
  /** People to write as contacts, `unsubscribed` of them with that status. */
  readonly contacts: number;
  readonly unsubscribed: number;
  readonly batches: number;
  /** Requests in all: writes, reads before, read-back and verification. */
  readonly requests: number;
  readonly estimated_seconds: number;
  /** Column header to attribute key. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys that would be born as custom fields ("at most": rule F6). */
  readonly new_fields: readonly string[];
  /** People to enrol, each with a request of their own. */
  readonly enrollments?: number;
}

/** One count per fate; all but `read` sum to `read`. */
export interface RowCounts extends OutcomeCounts {
  readonly created: number;
  readonly updated: number;
  readonly suppressed: number;
  readonly already_suppressed: number;
}

/** The fates that every kind of run has. */
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

/** The report of a run: printed by --json, kept as report.json. New fields may appear. */
export interface RunReport<Rows extends OutcomeCounts = RowCounts> {
  readonly object: 'run_report';
  readonly run: string;
  /** There when the command went on with a run that an earlier one had begun. */
  readonly resumed?: true;
  readonly command: string;
  readonly status: RunStatus;
  readonly exit_code: ExitCode;
  readonly dry_run: boolean;
  /** The phase the run was in when it ended. */
  readonly phase: Phase;
  readonly origin: string | null;
  readonly audience: { readonly id: string; readonly name: string } | null;
  /** Where people are enrolled. */
  readonly automation?: { readonly id: string; readonly name: string } | null;
  readonly inputs: readonly ReportInput[];
  readonly rows: Rows;
  /** Rows whose answer was a replay; counted again here, outside the sum. */
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
  readonly files: Readonly<Record<string, string | readonly string[]>>;
  readonly next: readonly string[];
  /** Why it ended, where it did not end well. */
  readonly error?: ReportError;
}

export interface ReportInput {
  readonly path: string;
  readonly entry?: string;
  readonly sha256: string;
  readonly platform: string;
  readonly encoding: string;
  readonly delimiter: string | null;
  /** Where cells are not quoted as RFC 4180 says, or a flag says how they are; null where they are never quoted. */
  readonly quote?: string | null;
  readonly escape?: string;
  readonly rows: number;
  /** Header as written, and what it becomes: `email`, `attributes.city`, `state`, `not sent`. */
  readonly columns?: readonly { readonly header: string; readonly target: string }[];
  /** Where the state of a row comes from; absent where the input holds none. */
  readonly state?: ReportState;
}

/** Where the states of an input come from, and what its values meant. */
export interface ReportState {
  /** `file name`, `column "Status"`. */
  readonly from: string;
  readonly columns: readonly {
    readonly column: string;
    /** Each value with its rows, and those by the state of the whole row; at most fifty, the most frequent first. */
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

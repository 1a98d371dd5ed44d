import type { ClientStats } from '../../api/http/service-connection.ts';
import type { Phase, WaitReason } from '../../base/events.ts';
import type { Finding } from '../../base/finding.ts';
import type { ExitCode } from '../../base/lib/errors.ts';
import type { ListStatistics } from '../../import/survey/list-statistics.ts';
import type { SuppressionCounts } from '../../runs/people/suppressed-people.ts';
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

/** What a run will do, as it is shown before the first write. */
export interface Plan {
  /** Distinct addresses to suppress, by reason. */
  readonly suppressions: SuppressionCounts;
  /** The number of further spellings of these addresses. svc suppresses them too (F8). Absent if there are none. */
  readonly respelled?: number;
  /** The number of people to write as contacts. `unsubscribed` counts the people who get this status. */
  readonly contacts: number;
  readonly unsubscribed: number;
  readonly batches: number;
  /** The estimated number of all requests: reads of the account, writes, read-back of the canary, verification. */
  readonly requests: number;
  readonly estimated_seconds: number;
  /** The attribute key of each column, by its header. */
  readonly keys: Readonly<Record<string, string>>;
  /** Attribute keys of which the service may make custom fields. Some of these fields may exist already (F6). */
  readonly new_fields: readonly string[];
  /** The number of people to enroll. Each costs one request. */
  readonly enrollments?: number;
  /** The number of missing people whom --gone unsubscribe opts out. Some of them may have opted out already. */
  readonly opt_outs?: number;
}

/** The rows of an import by outcome. All counts except `read` sum to `read`. */
export interface RowCounts extends OutcomeCounts {
  readonly created: number;
  readonly updated: number;
  readonly suppressed: number;
  readonly already_suppressed: number;
  /** With --only-changed: people whose content in the list is what the audience last accepted. They are not sent. */
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

/**
 * The report of a run, as --json prints it and report.json stores it. Scripts read it, so a field may be added, but
 * none may be renamed or removed.
 */
export interface RunReport<Rows extends OutcomeCounts = RowCounts> {
  readonly object: 'run_report';
  readonly run: string;
  /** Present if this command continued a run that an earlier command began. */
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
  /** Rows whose response was a replay. They also count in `rows`. */
  readonly rows_replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly plan: Plan;
  readonly preview: readonly BatchContact[];
  readonly findings: readonly Finding[];
  readonly requests: ClientStats;
  readonly verification: Verification;
  /** What the list holds, for charts. Absent in reports of older versions. */
  readonly list?: ListStatistics;
  /** When the run sent rows, and when it waited. Absent in reports of older versions. */
  readonly timeline?: Timeline;
  readonly gone?: MissingCounts;
  /**
   * People whom `automations enroll --create-contacts` wrote as contacts. They also count in `rows`. `unknown`: no
   * response is recorded.
   */
  readonly contacts?: Readonly<Record<'created' | 'updated' | 'unknown', number>>;
  readonly files: Readonly<Record<string, string | readonly string[]>>;
  readonly next: readonly string[];
  /** Why the run ended, if it did not end well. */
  readonly error?: ReportError;
}

/** When a run sent rows, and when it waited. Times are ISO 8601. */
export interface Timeline {
  /** When the first command of the run began. */
  readonly started_at: string;
  readonly ended_at: string;
  /**
   * Rows by the time of their request. The time of the run is cut into at most 60 equal spans; spans without rows are
   * left out.
   */
  readonly sent: readonly { readonly at: string; readonly rows: number }[];
  /** The waits of a second or more during the last command, at most 100. */
  readonly waits: readonly { readonly at: string; readonly ms: number; readonly reason: WaitReason }[];
}

/** Numbers of people who are missing in this list, by what svc did about them. */
export interface MissingCounts {
  readonly missing: number;
  /** How many of `missing` were in the last list. */
  readonly since_last_list: number;
  readonly unsubscribed: number;
  /** People who had opted out of the audience, were suppressed, or had no contact there at two look-ups. */
  readonly left_before: number;
  readonly reported: number;
  /** People without a contact at one look-up. The next run looks them up again. */
  readonly not_found?: number;
}

/** How svc read one input. */
export interface ReportInput {
  readonly path: string;
  readonly entry?: string;
  readonly sha256: string;
  readonly platform: string;
  readonly encoding: string;
  readonly delimiter: string | null;
  /**
   * The quote character, if it differs from the double quote of RFC 4180 or if a flag sets it. Null if cells are never
   * quoted.
   */
  readonly quote?: string | null;
  readonly escape?: string;
  readonly rows: number;
  /** The header of each column, and where its cells go: `email`, `attributes.city`, `state`, `not sent`. */
  readonly columns?: readonly { readonly header: string; readonly target: string }[];
  /** Where the states of the input come from. Absent if the input does not say who is subscribed. */
  readonly state?: ReportState;
  /**
   * Columns with free text in which svc found nothing about consent. `values` is the number of different texts, up to
   * 1,000.
   */
  readonly notes?: readonly { readonly column: string; readonly values: number }[];
}

/** Where the states of an input come from, and what the values of these columns mean. */
export interface ReportState {
  /** For example `file name` or `column "Status"`. */
  readonly from: string;
  readonly columns: readonly {
    readonly column: string;
    /**
     * The fifty most frequent values, the most frequent first. `states`: how many rows with this value have each state,
     * such as `subscribed`. Other columns may have decided the state.
     */
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

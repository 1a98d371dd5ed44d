import type { Finding, FindingExample } from '../../base/finding.ts';
import type { TableReading } from '../../platforms/lib/platform.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import type { RereadData } from '../batch/row-decision.ts';
import type { EndOfConsent } from '../consent-columns/headers/date-headers.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { ListStatistics } from './list-statistics.ts';
import type { ConsentEnds } from './statistics/consent-end-statistics.ts';
import type { NoteCount, ValueCounts } from './statistics/value-counts.ts';

/** How many rows were rejected for one reason, with at most five examples. */
export interface RejectionCount {
  readonly reason: string;
  readonly total: number;
  readonly examples: readonly FindingExample[];
}

/** How svc read one input, for the report. */
export interface InputReading {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly sha256: string;
  /** True if `sha256` is the hash of the file itself, and not of unpacked bytes. */
  readonly isWholeFile: boolean;
  readonly platform: string;
  readonly dialect: Dialect;
  readonly reading: TableReading;
  readonly rows: number;
  /** The values of the status columns, by column index. */
  readonly values: ValueCounts;
  /** Columns of notes, each with the number of different cells in which svc found nothing about consent. */
  readonly notes: readonly NoteCount[];
}

/** The header cells of the list. In a rejects file the first columns are those of svc, and are left out. */
export function headerOf({ reading, dialect }: InputReading): readonly string[] {
  return dialect.header.slice(Math.max(0, dialect.header.length - reading.columns.length));
}

/** A list with rows about opted-out people without a readable address. */
export interface UnreadInput {
  readonly name: string;
  readonly rows: number;
  /** The number of rows about opted-out people without a readable address. */
  readonly unread: number;
  /**
   * How many of these rows svc sends although their address is not complete (`ben@example`). Only the service rejects
   * them.
   */
  readonly sent: number;
  /**
   * True if the unread rows are no sign of a wrong file. They are less than half of the rows, or the list is no opt-out
   * list and subscribes people.
   */
  readonly few?: true;
  readonly examples: readonly FindingExample[];
}

/** A column of an input that says until when a consent holds. */
export interface InputConsentEnds extends Omit<ConsentEnds, 'index'> {
  /** The name of the input for messages. */
  readonly input: string;
  /** The name of the column for messages. */
  readonly column: string;
  /** The name of the column for --map. */
  readonly answeredAs: string;
  /** What ends on the days of the column, such as the consent or a membership. */
  readonly end: EndOfConsent;
}

/** The results of the survey. All are plain data, except the functions. */
export interface Survey {
  readonly inputs: readonly InputReading[];
  readonly rows: {
    readonly read: number;
    readonly rejected: number;
    readonly merged: number;
    /** The number of skipped rows, by reason: `pending`, `no_consent`… */
    readonly skipped: Readonly<Record<string, number>>;
  };
  /** The rejected rows, by reason, with the first few of each. */
  readonly rejections?: readonly RejectionCount[];
  /** The lists with rows about opted-out people without a readable address. */
  readonly unread?: readonly UnreadInput[];
  /** The columns that say until when a consent holds, with the days for people who will be subscribed. */
  readonly consentEnds?: readonly InputConsentEnds[];
  /** The number of different addresses to suppress, by reason. */
  readonly suppressions: Readonly<Partial<Record<SuppressionReason, number>>>;
  /** The number of people who are written as contacts. `unsubscribed` is how many of them are sent as opted out. */
  readonly contacts: number;
  readonly unsubscribed: number;
  /**
   * The number of people whom `--only-changed` leaves out, because the audience already has their content.
   * `rereadContacts` does not yield them.
   */
  readonly unchanged?: number;
  readonly batches: number;
  /** The attribute key of each header whose column becomes an attribute. */
  readonly keys: Readonly<Record<string, string>>;
  /** The attribute keys that at least one contact has. */
  readonly usedKeys: readonly string[];
  readonly preview: readonly BatchContact[];
  readonly list: ListStatistics;
  readonly findings: readonly Finding[];
  /**
   * The findings about typed answers that count for no row, or that miss cells with more text: `Plan:Pro=skip` and the
   * cell `Pro/VIP`.
   */
  readonly unusedAnswers?: readonly Finding[];
  /** How many cells refuse a topic for a subscribed person. svc does not write a refusal. */
  readonly refusedTopics?: number;
  /** The headers of columns that show who reads mail. After a run svc suggests mailing these people first. */
  readonly engagement: readonly string[];
  /**
   * False if no row has this canonical address. True is wrong only if another address has the same 64-bit hash, which
   * almost never happens.
   */
  mayContain(email: string): boolean;
  /**
   * True if a row that does not subscribe its person names this canonical address beside its own. No other row may sign
   * this address up (C9).
   */
  keepsAway(email: string): boolean;
  /** The number of addresses that the service may trim or lower-case in another way than svc (F8). */
  readonly ambiguousAddresses: number;
}

/** A survey, and the data for later reads of the same list. It is not plain data, so it is never stored. */
export interface RereadableSurvey extends Survey, RereadData {
  /** The indexes of the inputs that may have rejected rows. */
  readonly inputsWithRejects: ReadonlySet<number>;
  /** The number of people who may be enrolled; see `rereadEnrollees`. */
  readonly enrollable: number;
}

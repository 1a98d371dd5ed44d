import type { TableReading } from '../../platforms/lib/platform.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import type { ConsentEnds } from './date-statistics.ts';
import type { Finding, FindingExample } from './finding.ts';
import type { ListStatistics } from './list-statistics.ts';
import type { NoteCount, ValueCounts } from './value-counts.ts';

/** The number of rows that were rejected for one reason, with at most five examples. */
export interface RejectionCount {
  readonly reason: string;
  readonly total: number;
  readonly examples: readonly FindingExample[];
}

export interface InputReading {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly sha256: string;
  readonly platform: string;
  readonly dialect: Dialect;
  readonly reading: TableReading;
  readonly rows: number;
  /** Values of the status columns, by index. */
  readonly values: ValueCounts;
  /** Columns of notes, with the number of different cells in which svc finds nothing about consent. */
  readonly notes: readonly NoteCount[];
}

/** A list with rows of opted-out people that name no person. */
export interface UnreadInput {
  readonly name: string;
  readonly rows: number;
  /** Rows that name no person. */
  readonly unread: number;
  /** True if most rows of the list can be read, or if it is no opt-out list. */
  readonly few?: true;
  readonly examples: readonly FindingExample[];
}

/** A column of an input that says until when a consent holds. */
export interface InputConsentEnds extends Omit<ConsentEnds, 'at'> {
  /** The name of the input for messages. */
  readonly input: string;
  /** The name of the column for --map. */
  readonly column: string;
}

/** The results of the survey. Plain data except for the functions. */
export interface Survey {
  readonly inputs: readonly InputReading[];
  readonly rows: {
    readonly read: number;
    readonly rejected: number;
    readonly merged: number;
    /** Rows skipped by policy, by reason: `pending`, `no_consent`… */
    readonly skipped: Readonly<Record<string, number>>;
  };
  /** Rejected rows by reason, with the first few of each. */
  readonly rejections?: readonly RejectionCount[];
  /** Lists with rows of opted-out people that name no person. */
  readonly unread?: readonly UnreadInput[];
  /** When the consents of people to subscribe end. */
  readonly consentEnds?: readonly InputConsentEnds[];
  /** Distinct addresses to suppress, by reason. */
  readonly suppressions: Readonly<Partial<Record<SuppressionReason, number>>>;
  /** Distinct people to write as contacts. `unsubscribed` of them are sent as opted out. */
  readonly contacts: number;
  readonly unsubscribed: number;
  /** People whose content the service last accepted (--only-changed). They are not among `contacts`. */
  readonly unchanged?: number;
  readonly batches: number;
  /** Header to attribute key, for every column that becomes an attribute. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys that at least one contact carries. */
  readonly usedKeys: readonly string[];
  readonly preview: readonly BatchContact[];
  readonly list: ListStatistics;
  readonly findings: readonly Finding[];
  /**
   * Names of columns that show how engaged people are. The advice after a run is to mail the most engaged ones first.
   */
  readonly engagement: readonly string[];
  /** False if no row of the list has this canonical address; this is certain. True may be wrong once in 2^64. */
  mayHold(email: string): boolean;
}

export interface LastReading {
  readonly tables: readonly Table[];
  readonly options: ReadingOptions;
  /** Addresses that may be repeated. `people` holds those that are. */
  readonly repeated: Pick<AddressHashSet, 'has'>;
}

/** A survey with the data for later reads of the same list. It isn't plain data and isn't stored. */
export interface Reading extends Survey, LastReading {
  /** Indexes of the inputs that have rejected rows. */
  readonly withRejects: ReadonlySet<number>;
  /** Number of people who may be enrolled (see `enrollees`). */
  readonly enrollable: number;
}

import type { BatchContact } from '../../wire/shapes.ts';
import type { SuppressionReason } from '../../wire/words.ts';
import type { Dialect, TableReading } from '../types.ts';
import type { ValueCounts } from './value-counts.ts';

/** A finding of a check: what, where, what will happen, which flag changes it. */
export interface Finding {
  readonly check: string;
  readonly level: 'pass' | 'warn' | 'stop' | 'skipped';
  readonly message: string;
  /** The flags to add, the likeliest answer; the whole command once the command line is known. Prose where no flag helps. */
  readonly hint?: string | undefined;
  /** The flags of the hint, where it is a whole command: shell text. */
  readonly flags?: string | undefined;
  /** When the hint is right, where that isn't plain. */
  readonly when?: string | undefined;
  /** Other answers, each with when it is right. */
  readonly otherwise?: readonly OtherAnswer[];
  readonly examples?: readonly FindingExample[];
  readonly total?: number;
}

/** Flags as shell text, and when they are the right ones. */
export interface OtherAnswer {
  readonly when: string;
  readonly flags: string;
}

export interface FindingExample {
  readonly file: string;
  readonly line: number;
  readonly column?: string | undefined;
  readonly value?: string | undefined;
}

/** How many rows were rejected for one reason; at most five examples. */
export interface RejectionCount {
  readonly reason: string;
  readonly total: number;
  readonly examples: readonly FindingExample[];
}

/** How one input was understood. */
export interface InputReading {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly sha256: string;
  readonly platform: string;
  readonly dialect: Dialect;
  readonly reading: TableReading;
  readonly rows: number;
  /** Values of the columns that tell the state, by position. */
  readonly values: ValueCounts;
}

/** What the survey learned. Plain data but for the readings' functions. */
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
  /** Distinct addresses to suppress, by reason. */
  readonly suppressions: Readonly<Partial<Record<SuppressionReason, number>>>;
  /** Distinct people to write as contacts, and how many of them as unsubscribed. */
  readonly contacts: number;
  readonly unsubscribed: number;
  readonly batches: number;
  /** Header to attribute key, for every column that becomes an attribute. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys that at least one contact carries. */
  readonly usedKeys: readonly string[];
  readonly preview: readonly BatchContact[];
  readonly findings: readonly Finding[];
  /** Column names by which to mail the most engaged first. */
  readonly engagement: readonly string[];
  /** False for certain when no row of the list has this canonical address; true may be wrong once in 2^64. */
  mayHold(email: string): boolean;
}

import type { State, StatusReading } from './states.ts';

export type ColumnTarget =
  | {
      readonly kind: 'email' | 'first_name' | 'last_name' | 'name' | 'status' | 'unsubscribed_at' | 'reason' | 'ignore';
    }
  /** A further address column. It is used if the first has no address, and not sent as a value. */
  | { readonly kind: 'other_email' }
  /** Read by the platform's own state rule, and not sent. */
  | { readonly kind: 'state_part' }
  | { readonly kind: 'attribute'; readonly key: string }
  | { readonly kind: 'topic'; readonly topic: string }
  /** Written by svc into a rejects file. */
  | { readonly kind: 'svc'; readonly name: string };

/** What a platform module sees of a table when it decides how to read it. */
export interface TableShape {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly header: readonly string[];
  /** The first few rows. */
  readonly sample: readonly (readonly string[])[];
}

/** How a platform reads one of its tables. */
export interface TableReading {
  /** One target per column of the header. */
  readonly columns: readonly ColumnTarget[];
  /**
   * The origin of the state as text for messages: `file name`, `column "Status"`. Undefined if the table holds no
   * state.
   */
  readonly stateFrom: string | undefined;
  /** The state of a row. */
  stateOf(cells: readonly string[]): StatusReading;
  /** Zone of dates that have none; overridden by --timezone. */
  readonly timezone?: string | undefined;
  /** Order of the platform's dates, if known; overridden by --date-order. */
  readonly dateOrder?: DateOrder | undefined;
  /**
   * Unix seconds and Excel serials are only read if the platform is known to write them (rule F9: dates are never
   * guessed).
   */
  readonly dateForm?: 'unix' | 'excel' | undefined;
  /** The column that shows how engaged people are, so that the user can mail the most engaged ones first. */
  readonly engagement?: string | undefined;
  /** Consent columns that are not sent by default. The plan names them (rule C8). */
  readonly consentColumns?: readonly string[];
  /** The word that gives a row its state. It lets --status-map override words that the platform knows. */
  wordOf?(cells: readonly string[]): string | undefined;
  /** Headers that sound like consent but aren't about it on this platform. */
  readonly notConsent?: readonly string[];
  /** Words of this platform, for a column that --map names as the status. */
  readonly words?: ReadonlyMap<string, StatusReading>;
  /** False for rows whose date is not the date of their opt-out, although it is in that column. */
  datesOptOut?(cells: readonly string[]): boolean;
  /** Columns whose cells may hold a list of values in quotes: `"VIP","Blog, weekly"`. */
  readonly quotedLists?: readonly number[];
  /** The value to offer for --default-status if this table holds no state and `subscribed` isn't right. */
  readonly offers?: State | undefined;
  /** True if people without any address are usual. Their rows are skipped (`no_address`) instead of rejected. */
  readonly addressOptional?: boolean;
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** A platform: one file in platforms/, listed in platforms/registry.ts. */
export interface Platform {
  readonly id: string;
  readonly title: string;
  /** How certain it is that the table is from this platform: 0 no, 1 to 100. `generic` returns 1. */
  certainty(shape: TableShape): number;
  read(shape: TableShape): TableReading;
  /** The encoding of a file with this name if it isn't UTF-8; undefined if only its text can decide. */
  legacyEncoding?(name: string): string | undefined;
}

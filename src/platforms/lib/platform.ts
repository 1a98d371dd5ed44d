import type { State, StatusReading } from './states.ts';

/** What svc does with a column: the field that it becomes, or why it is not sent. */
export type ColumnTarget =
  | {
      readonly kind: 'email' | 'first_name' | 'last_name' | 'name' | 'status' | 'unsubscribed_at' | 'reason' | 'ignore';
    }
  /** A further address column, for rows without a main address. An opt-out of the row also counts for its address. */
  | { readonly kind: 'other_email' }
  /** A column that the platform's state rule reads. It is not sent. */
  | { readonly kind: 'state_part' }
  | { readonly kind: 'attribute'; readonly key: string }
  | { readonly kind: 'topic'; readonly topic: string };

/** The kinds of columns that decide about the state of a person. */
export const STATE_COLUMN_KINDS: ReadonlySet<ColumnTarget['kind']> = new Set([
  'status',
  'reason',
  'state_part',
  'unsubscribed_at',
]);

/** The kinds of columns with addresses. */
export const ADDRESS_COLUMN_KINDS: ReadonlySet<ColumnTarget['kind'] | undefined> = new Set([
  'email',
  'other_email',
] as const);

/** The kinds of columns with the name of the person. */
export const NAME_COLUMN_KINDS: ReadonlySet<ColumnTarget['kind'] | undefined> = new Set([
  'first_name',
  'last_name',
  'name',
] as const);

/** What a platform sees of a table when it decides how to read it. */
export interface TableShape {
  readonly path: string;
  readonly entry: string | undefined;
  readonly name: string;
  readonly header: readonly string[];
  /** The first rows, as cells. */
  readonly sample: readonly (readonly string[])[];
}

/** How svc reads one table of a platform. */
export interface TableReading {
  /** What each column becomes, in the order of the header. */
  readonly columns: readonly ColumnTarget[];
  /**
   * Where the state comes from, for messages: `file name` or `column "Status"`. Undefined if the table has no state.
   */
  readonly stateSource: string | undefined;
  /**
   * The columns that are a status only because `--status-map` names words of them. `stateSource` does not name them.
   */
  readonly answeredSource?: string | undefined;
  stateOf(cells: readonly string[]): StatusReading;
  /** The time zone of dates without one. The flag `--timezone` overrides it. */
  readonly timezone?: string | undefined;
  /**
   * The order of day, month and year, if the platform always writes dates in the same order. The flag `--date-order`
   * overrides it.
   */
  readonly dateOrder?: DateOrder | undefined;
  /**
   * `unix` for dates in seconds, `excel` for serial numbers. svc reads such numbers as dates only if the platform is
   * known to write them, because dates are never guessed (F9).
   */
  readonly dateForm?: 'unix' | 'excel' | undefined;
  /** The header of a column that shows who reads mail, for example a rating. Users can mail these people first. */
  readonly engagement?: string | undefined;
  /** Headers of columns with proof of consent. svc does not send them; the plan names them (C8). */
  readonly proofHeaders?: readonly string[];
  /** The cell that gives a row its state. With it `--status-map` can override words that the platform knows. */
  statusWordOf?(cells: readonly string[]): string | undefined;
  /** Headers that sound like consent but are not about it on this platform. */
  readonly notConsentHeaders?: readonly string[];
  /** The platform's status words, for a column that the user names as the status with `--map`. */
  readonly words?: ReadonlyMap<string, StatusReading>;
  /**
   * False if the opt-out column of this row contains another date. For example, it is the sign-up date of a subscribed
   * person.
   */
  isOptOutDate?(cells: readonly string[]): boolean;
  /** Indexes of columns whose cells may contain a list of quoted values: `"VIP","Blog, weekly"`. */
  readonly quotedLists?: readonly number[];
  /** The state that svc suggests for `--default-status`, if the table has no state and `subscribed` would be wrong. */
  readonly suggestedState?: State | undefined;
  /** True if the platform has people without an address. Their rows are then skipped (`no_address`), not rejected. */
  readonly isAddressOptional?: boolean;
}

/** The order of year, month and day in a date. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** A platform whose exports svc can read. Each has a file in platforms/ and an entry in platforms/registry.ts. */
export interface Platform {
  readonly id: string;
  readonly title: string;
  /**
   * How certain it is that this platform wrote the table, from 1 to 100; 0 if it did not. `generic` always returns 1.
   */
  certainty(shape: TableShape): number;
  read(shape: TableShape): TableReading;
  /** The encoding of files with this name, if the platform does not write UTF-8. Undefined if the bytes must decide. */
  legacyEncoding?(name: string): string | undefined;
}

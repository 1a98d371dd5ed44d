import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import type { Table } from '../mapping/table.ts';
import type { ReadingOptions } from '../types.ts';
import type { Survey } from './survey-types.ts';

/** The data that the last read of a list needs. */
export interface LastReading {
  readonly tables: readonly Table[];
  readonly options: ReadingOptions;
  /** Addresses that may be repeated. The people of those that are repeated are in `people`. */
  readonly repeated: Pick<AddressHashSet, 'has'>;
}

/** A survey with the data for later reads of the same list. It isn't plain data and isn't stored. */
export interface Reading extends Survey, LastReading {
  /** Indexes of the inputs that have rejected rows. */
  readonly faulty: ReadonlySet<number>;
  /** Number of people who may be enrolled (see `enrollees`). */
  readonly enrollable: number;
}

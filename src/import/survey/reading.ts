import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import type { Table } from '../mapping/table.ts';
import type { ReadingOptions } from '../types.ts';
import type { Survey } from './survey-types.ts';

/** What the last read of a list has to know of it. */
export interface LastReading {
  readonly tables: readonly Table[];
  readonly options: ReadingOptions;
  /** Addresses that may have come twice; the people of those that did are in `people`. */
  readonly repeated: Pick<AddressHashSet, 'has'>;
}

/** A survey together with what later reads of the same list need. Not plain data; it isn't stored. */
export interface Reading extends Survey, LastReading {
  /** Inputs, by index, with rows that are rejected. */
  readonly faulty: ReadonlySet<number>;
  /** People who may be enrolled (see `enrollees`). */
  readonly enrollable: number;
}

import { openDatabase } from '../../base/os/sqlite.ts';
import { mergedPeople } from '../../runs/store/people.ts';
import { createAddressHashSet } from '../dedupe/address-hash-set.ts';
import { type ReadingOptions, readAnswers } from '../mapping/answers.ts';
import { openTables } from '../mapping/open-tables.ts';
import type { Table } from '../mapping/table.ts';
import type { InputFile } from '../source/input-copy.ts';
import { openInputs } from '../source/open.ts';
import type { Reading } from '../survey/survey-types.ts';
import type { Surveyed } from './row-outcome.ts';

/** Plain data to open a surveyed list again, for example in another thread. */
export interface ListLocation {
  /** The run's own copies of its inputs. */
  readonly files: readonly InputFile[];
  /** Path of the database with the people of the survey. */
  readonly people: string;
  readonly options: ReadingOptions;
  /** For each table the results that need the whole table, see `finalizeTable`. */
  readonly finalized: readonly FinalizedTable[];
  /** The key of the address hashes. */
  readonly seed: string;
}

type FinalizedTable = Pick<Table, 'blank'> & Pick<Table['dateStyle'], 'order'>;

/** The values that `finalizeTable` added to the tables of a reading. */
export function finalizedOf({ tables }: Reading): FinalizedTable[] {
  return tables.map(({ blank, dateStyle: { order } }) => ({ blank, order }));
}

/** A surveyed list for its last read; `close` closes the database of its people. */
export async function reopenList(place: ListLocation): Promise<Surveyed & { close(): void }> {
  const { files, options, finalized } = place;
  const sources = await openInputs(files);
  const { tables } = await openTables(sources, options, readAnswers(options));
  const db = openDatabase(place.people);
  const people = mergedPeople(db);
  // Every address in `people` counts as repeated. For an address that occurs once, the lookup gives the same outcome.
  const repeated = createAddressHashSet(place.seed);
  for (const email of people.emails()) {
    repeated.add(email);
  }
  const reading = {
    options,
    repeated,
    tables: tables.map((table, at) => ({ ...table, ...finalize(table, finalized[at]) })),
  };
  return { reading, people, close: () => db.close() };
}

function finalize(
  { blank, dateStyle }: Table,
  finalized: FinalizedTable | undefined,
): Pick<Table, 'blank' | 'dateStyle'> {
  return { blank: finalized?.blank ?? blank, dateStyle: { ...dateStyle, order: finalized?.order ?? dateStyle.order } };
}

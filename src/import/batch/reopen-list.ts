import { openDatabase } from '../../base/os/sqlite.ts';
import { mergedPeople } from '../../runs/store/people.ts';
import { createAddressHashSet } from '../dedupe/address-hash-set.ts';
import { readAnswers } from '../mapping/answers.ts';
import { openTables } from '../mapping/open-tables.ts';
import type { Table } from '../mapping/table.ts';
import type { InputFile } from '../source/input-copy.ts';
import { openInputs } from '../source/open.ts';
import type { Reading } from '../survey/reading.ts';
import type { ReadingOptions } from '../types.ts';
import type { Surveyed } from './last-read.ts';

/** Plain data from which a surveyed list can be opened once more, in another thread for instance. */
export interface ListLocation {
  /** The run's own copies of its inputs. */
  readonly files: readonly InputFile[];
  /** Path of the database in which the survey left its people. */
  readonly people: string;
  readonly options: ReadingOptions;
  /** For each table what only the survey of the whole of it could tell, see `settleTable`. */
  readonly settled: readonly Settled[];
  /** Keys the fingerprints. */
  readonly seed: string;
}

type Settled = Pick<Table, 'blank'> & Pick<Table['dateStyle'], 'order'>;

/** What `settleTable` added to the tables of a reading. */
export function settledOf({ tables }: Reading): Settled[] {
  return tables.map(({ blank, dateStyle: { order } }) => ({ blank, order }));
}

/** A surveyed list as its last read needs it; `close` lets go of its people. */
export async function reopenList(place: ListLocation): Promise<Surveyed & { close(): void }> {
  const { files, options, settled } = place;
  const sources = await openInputs(files);
  const { tables } = await openTables(sources, options, readAnswers(options));
  const db = openDatabase(place.people);
  const people = mergedPeople(db);
  // Whoever is in `people` is looked up there; that the survey met some addresses only once makes no difference.
  const repeated = createAddressHashSet(place.seed);
  for (const email of people.emails()) {
    repeated.add(email);
  }
  const reading = {
    options,
    repeated,
    tables: tables.map((table, at) => ({ ...table, ...settle(table, settled[at]) })),
  };
  return { reading, people, close: () => db.close() };
}

function settle({ blank, dateStyle }: Table, settled: Settled | undefined): Pick<Table, 'blank' | 'dateStyle'> {
  return { blank: settled?.blank ?? blank, dateStyle: { ...dateStyle, order: settled?.order ?? dateStyle.order } };
}

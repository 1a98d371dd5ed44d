import { createHash, type Hash } from 'node:crypto';
import type { Emit } from '../../base/events.ts';
import { type BitSet, createBitSet } from '../../base/lib/bit-set.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { reasonOf } from '../../platforms/lib/states.ts';
import type { People } from '../../runs/store/people.ts';
import { type AnyRow, cellEnd, cellStart, isByteRow, type RawRow, textRow } from '../csv/byte-row.ts';
import { readTableBytes } from '../csv/read-tables.ts';
import { type AddressHashSet, createAddressHashSet } from '../dedupe/address-hash-set.ts';
import { createStagingWriter, dateIsOpen, hasAddress, mentionsOf, stagedRow } from '../dedupe/staging.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { createOrdinaryReader } from '../record/ordinary-row.ts';
import { effectiveReading, type PersonRecord, parseRecord } from '../record/parse-record.ts';
import type { Source } from '../source/source.ts';
import { countListRow, createListCounts, type ListCounts } from './list-statistics.ts';
import { type ColumnStatistics, collectRow, createColumnStatistics } from './statistics/column-statistics.ts';
import { countRow, createTableCounts, type TableCounts } from './table-counts.ts';

export interface ReadingContext {
  readonly people: People;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** The key for the hashes of addresses: 16 hex digits. */
  readonly seed: string;
}

export interface TableFirstRead {
  readonly table: Table;
  readonly sha256: string;
  readonly statistics: ColumnStatistics;
  readonly tableCounts: TableCounts;
  readonly list: ListCounts;
  /** The first rows that look like contacts, for the preview of the plan. Duplicates are not merged yet. */
  readonly candidates: readonly RawRow[];
  /** True if some rows must wait for the second read, because their date can't be read yet. */
  readonly open: boolean;
  /** The ordinary rows, by their number in the table from 0. Each is only about the person of its own address. */
  readonly ordinaryRows: BitSet;
}

export interface FirstRead {
  readonly tableReads: readonly TableFirstRead[];
  readonly all: AddressHashSet;
  /** Addresses that occur twice, or seem to because their hash equals that of another. */
  readonly repeated: AddressHashSet;
  /** The index in `tableReads` of the last table that may have repeated addresses. */
  readonly lastRepeat: number;
  /** The number of addresses that the service may trim or lower-case in another way than svc (F8). */
  readonly ambiguousAddress: number;
}

/**
 * The first read of a survey; `second-read.ts` is the second. It takes each row once, and makes the counts, the
 * address hashes and the statistics. Rows that suppress a person go to `people`.
 */
export async function firstRead(
  tables: readonly Table[],
  options: ReadingOptions,
  context: ReadingContext,
): Promise<FirstRead> {
  const state = {
    all: createAddressHashSet(context.seed),
    repeated: createAddressHashSet(context.seed),
    mentioned: createAddressHashSet(context.seed),
    lastRepeat: -1,
    ambiguousAddress: 0,
    candidates: 0,
    progress: createReadProgress(context.emit),
  };
  const tableReads: TableFirstRead[] = [];
  context.emit({ type: 'phase', phase: 'survey', total: totalBytes(tables), unit: 'bytes' });
  for (const table of tables) {
    tableReads.push(await readTable(table, tableReads.length, { options, context, state }));
  }
  const { all, repeated, lastRepeat, ambiguousAddress } = state;
  return { tableReads, all, repeated, lastRepeat, ambiguousAddress };
}

interface Reader {
  readonly options: ReadingOptions;
  readonly context: ReadingContext;
  readonly state: {
    readonly all: AddressHashSet;
    readonly repeated: AddressHashSet;
    /** Further addresses in rows that have an opt-out. */
    readonly mentioned: AddressHashSet;
    lastRepeat: number;
    ambiguousAddress: number;
    candidates: number;
    readonly progress: ReadProgress;
  };
}

/** The largest number of preview rows, from one table and from all. */
const CANDIDATES = 20;
const ALL_CANDIDATES = 1_000;

async function readTable(table: Table, position: number, { options, context, state }: Reader): Promise<TableFirstRead> {
  const hash = createHash('sha256');
  const statistics = createColumnStatistics(table);
  const tableCounts = createTableCounts();
  const list = createListCounts(table.header);
  const candidates: RawRow[] = [];
  // Made again when fewer columns are candidates, because the others need no decoding.
  const readerNow = () =>
    createOrdinaryReader(table, [list.signUpIndex, ...table.endsOfConsent, ...statistics.status.candidates.keys()]);
  let ordinary = readerNow();
  let candidateCount = statistics.status.candidates.size;
  const ordinaryRows = createBitSet();
  let open = false;
  let rowNumber = -1;

  const writer = createStagingWriter(context.people);
  const repeats = (email: string, again: boolean) => {
    if (again) {
      state.repeated.add(email);
      state.lastRepeat = position;
    }
  };
  const readRow = (row: AnyRow) => {
    const usual = ordinary(row);
    rowNumber++;
    if (usual) {
      ordinaryRows.add(rowNumber);
    }
    const record = usual ?? parseRecord(table, textRow(row));
    collectRow(statistics, record);
    countRow(tableCounts, record, 1);
    countListRow(list, record);
    for (const { email } of mentionsOf(record)) {
      state.mentioned.add(email);
      repeats(email, state.all.has(email));
    }
    if (!hasAddress(record)) {
      return;
    }
    state.ambiguousAddress += record.ambiguousAddress ? 1 : 0;
    repeats(
      record.email,
      (usual ? addOrdinary(state.all, row, usual) : state.all.add(record.email)) || state.mentioned.has(record.email),
    );
    const { state: rowState } = effectiveReading(table, record.statusReading);
    if (reasonOf(rowState) !== undefined) {
      open ||= dateIsOpen(record);
      writer.add(stagedRow(record, options.empty));
    } else if (
      candidates.length < CANDIDATES &&
      state.candidates < ALL_CANDIDATES &&
      !record.problem &&
      (rowState === 'subscribed' || rowState === 'unsubscribed' || record.statusReading.unknown === '')
    ) {
      candidates.push(textRow(row));
      state.candidates++;
    }
  };

  const source = withHash(table.source, hash, state.progress);
  for await (const rows of readTableBytes({ ...table, source }, { signal: context.signal })) {
    rows.forEach(readRow);
    if (statistics.status.candidates.size < candidateCount) {
      candidateCount = statistics.status.candidates.size;
      ordinary = readerNow();
    }
    state.progress.rows(rows.length);
  }
  writer.flush();
  return { table, sha256: hash.digest('hex'), statistics, tableCounts, list, candidates, open, ordinaryRows };
}

// Adds the address of an ordinary row. Hashing its bytes costs less than hashing its text.
function addOrdinary(all: AddressHashSet, row: AnyRow, { table, cells, email }: PersonRecord): boolean {
  const index = table.columnIndexes.email;
  if (!isByteRow(row) || email !== cells[index]) {
    return all.add(email);
  }
  const { bytes, offsets } = row.block;
  return all.addAscii(bytes, cellStart(offsets, row.first + index), cellEnd(offsets, row.first + index));
}

/** The number of bytes of all tables. Undefined if one size is not known in advance. */
export function totalBytes(tables: readonly Table[]): number | undefined {
  const sizes = tables.map(({ source }) => source.size);
  return sizes.every((size) => size !== undefined) ? sumOf(sizes) : undefined;
}

/** Reports the progress of a read after each batch of rows. */
interface ReadProgress {
  bytes(count: number): void;
  rows(count: number): void;
}

export function createReadProgress(emit: Emit): ReadProgress {
  let done = 0;
  let rows = 0;
  return {
    bytes: (count) => {
      done += count;
    },
    rows: (count) => {
      rows += count;
      emit({ type: 'progress', phase: 'survey', done, rows });
    },
  };
}

// Hashes the bytes while they are parsed, so that svc notices a file that changes between two reads.
function withHash(source: Source, hash: Hash, progress: ReadProgress): Source {
  return {
    ...source,
    async *bytes() {
      for await (const part of source.bytes()) {
        hash.update(part);
        progress.bytes(part.length);
        yield part;
      }
    },
  };
}

/**
 * Completes a table after the first read: with the order of its dates, and the meaning of a blank status. If all its
 * status cells are blank, the table has no state, and the run may stop to ask (C4).
 */
export function finalizeTable({ table, statistics }: Pick<TableFirstRead, 'table' | 'statistics'>): Table {
  const { status } = statistics;
  const unknown = [...status.unknown.words.values()];
  const order = table.dateStyle.order ?? provenBy(statistics);
  const silent = table.blankStatus.unknown === '' && status.known === 0 && unknown.every(({ word }) => word === '');
  const blankStatus = silent && unknown.length > 0 ? table.withoutStatus : table.blankStatus;
  return { ...table, blankStatus, dateStyle: { ...table.dateStyle, order } };
}

function provenBy({ dates: { dmy, mdy } }: ColumnStatistics): 'dmy' | 'mdy' | undefined {
  if (dmy.total > 0 && mdy.total > 0) {
    return undefined;
  }
  return dmy.total > 0 ? 'dmy' : mdy.total > 0 ? 'mdy' : undefined;
}

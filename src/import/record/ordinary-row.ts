import { reasonOf } from '../../platforms/lib/states.ts';
import { mayHoldState } from '../consent-columns/stray/stray-words.ts';
import { type AnyRow, type ByteRow, cellText, isByteRow, MARK_BITS, SEPARATED } from '../csv/byte-row.ts';
import type { Table } from '../mapping/table.ts';
import { plainAddress } from './address.ts';
import { hasBlankEdge } from './cells.ts';
import { effective, type ParsedRecord, withoutMark } from './parse-record.ts';

/** Reads a row as `parseRecord` does, if it is ordinary. A cell whose text has no use holds FILLED instead. */
export type OrdinaryReader = (row: AnyRow) => OrdinaryRecord | undefined;
type OrdinaryRecord = ParsedRecord & { readonly email: string };

/** Stands for the text of a cell that has no use. It is no word of leaving. */
const FILLED = 'x';
const [UNUSED, STRAY, NEEDED] = [0, 1, 2];

/**
 * Creates a reader of the rows that a list is full of: every cell is there and needs no trimming, the address is plain,
 * and the state is known and suppresses no person. It looks at bytes and decodes only the cells that count. All other
 * rows are left to `parseRecord`. `further` are indexes of more columns whose text is needed.
 */
export function createOrdinaryReader(table: Table, further: readonly number[] = []): OrdinaryReader {
  if (!isSimple(table)) {
    return () => undefined;
  }
  const { width } = table;
  const emailIndex = table.columnIndexes.email;
  const roles = rolesOf(table, further);
  const filled = new Uint8Array(width);
  /** The cells of a row for its state: the text that counts. Undefined if a cell needs trimming. */
  const speakingCells = (row: ByteRow): string[] | undefined => {
    const { bytes, offsets } = row.block;
    const cells: string[] = [];
    for (let at = 0; at < width; at++) {
      const place = 2 * (row.first + at);
      const start = offsets[place] as number;
      const marked = offsets[place + 1] as number;
      const end = marked >> MARK_BITS;
      filled[at] = Number(end > start);
      cells[at] = '';
      if (end > start) {
        if (hasBlankEdge(bytes, start, end)) {
          return undefined;
        }
        const role = roles[at];
        if (
          role === NEEDED ||
          (role === STRAY && mayHoldState({ bytes, start, end, isList: (marked & SEPARATED) !== 0 }))
        ) {
          cells[at] = cellText(row, at);
        }
      }
    }
    return cells;
  };
  return (row) => {
    const cells = isByteRow(row) && row.count === width ? speakingCells(row) : undefined;
    const cell = cells && (cells[emailIndex] as string);
    const email = cell && plainAddress(cell);
    if (!cells || !email) {
      return undefined;
    }
    const statusReading = table.stateOf(cells, '');
    const suppresses = reasonOf(effective(table, statusReading).state) !== undefined;
    if (suppresses || statusReading.unknown !== undefined || withoutMark(cell, statusReading) !== undefined) {
      return undefined;
    }
    for (let at = 0; at < width; at++) {
      if (filled[at] === 1 && cells[at] === '') {
        cells[at] = FILLED;
      }
    }
    return {
      kind: 'person',
      table,
      line: row.line,
      cells,
      email,
      others: undefined,
      addressFault: false,
      ambiguousAddress: false,
      statusReading,
      problem: undefined,
      warning: undefined,
    };
  };
}

function isSimple({ svcColumns, addressColumns, quotedLists, reading }: Table): boolean {
  const { usable, other } = addressColumns;
  return (
    svcColumns === 0 &&
    usable.length === 1 &&
    other.length === 0 &&
    quotedLists.length === 0 &&
    reading.datesOptOut === undefined
  );
}

function rolesOf(table: Table, further: readonly number[]): Uint8Array {
  const { width, columns, columnIndexes, consent, stray, stateColumns, candidates, clashes, keyless } = table;
  const roles = new Uint8Array(width).fill(stateColumns === undefined ? NEEDED : UNUSED);
  const needed = [
    columnIndexes.email,
    ...consent.map(({ at }) => at),
    ...(stateColumns ?? []),
    ...columns.flatMap(({ kind }, at) => (STATE_KINDS.has(kind) ? [at] : [])),
    ...candidates,
    ...clashes.flatMap((collision) => collision.columns.map(({ at }) => at)),
    ...keyless.map(({ at }) => at),
    ...further,
  ];
  for (const at of stray) {
    roles[at] = Math.max(STRAY, roles[at] as number);
  }
  for (const at of needed.filter((index) => index >= 0)) {
    roles[at] = NEEDED;
  }
  return roles;
}

const STATE_KINDS: ReadonlySet<string> = new Set(['status', 'reason', 'state_part', 'unsubscribed_at']);

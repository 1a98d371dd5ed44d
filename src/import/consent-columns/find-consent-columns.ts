import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { bareWord, columnsReadBy, NONE, remember } from '../../platforms/lib/words.ts';
import { EVENT_WORDS } from './cells/mail-events.ts';
import { groupState, noteState } from './cells/notes.ts';
import { cellReadingAt, type RecognizedTable, shapeCells } from './column-meaning.ts';
import { asQuestion } from './combine-readings.ts';
import { mayMeanMail } from './headers/header-predicates.ts';
import type { CellReading, HeaderReading } from './headers/read-header.ts';
import type { ColumnPlace } from './other-columns/opt-out-words.ts';
import { optOutReader, optOutState } from './other-columns/read-words.ts';
import { readCell } from './read-cell.ts';
import { keyOf } from './value-words.ts';

/** A column that can hold opt-outs, and how its cells are read. Column indexes count from 0. */
export interface ConsentColumn extends CellReading {
  readonly at: number;
  /** False if the header is ambiguous and no cell of the first rows holds a state. */
  readonly speaks: boolean;
  /** The state that a cell gives its row. Results are cached, because a million rows hold only a few words. */
  stateOf(cell: string): StatusReading;
}

/**
 * All columns that can hold opt-outs, by their header or their values, except those that the platform reads itself. A
 * recognized platform gives columns a role but hides none (rule C10: evidence outranks recognition).
 */
export function consentColumns(table: RecognizedTable): readonly ConsentColumn[] {
  const read = platformColumns(table);
  return table.columns.flatMap((target, at) => {
    if (ROLES.has(target.kind) || read.has(at) || hasOwnDates(table, at) || isKnown(table, at)) {
      return [];
    }
    const column = cellReadingAt(table, at);
    return column && !isLeftOut(table, at, column) ? [withRule(column, at, shapeCells(table, at))] : [];
  });
}

function withRule(column: CellReading, at: number, cells: readonly string[]): ConsentColumn {
  const isText = column.meaning === 'text';
  const ownState = (cell: string): StatusReading => {
    if (isText) {
      return column.groups ? groupState(cell) : noteState(cell);
    }
    const read = readCell(cell, column);
    // A clear word counts under an ambiguous header too. Columns of reasons and of events are read like notes.
    const further = column.meaning === 'reason' || column.words === EVENT_WORDS ? noteState : optOutState;
    const isKnown = column.words?.has(keyOf(cell)) ?? false;
    return read === NONE && !column.sure && !isKnown ? further(cell) : read;
  };
  const place = placeIn(column);
  const outOfPlace = column.sure ? () => NONE : optOutReader(place);
  const stateOf = remember((cell: string): StatusReading => {
    const read = ownState(cell);
    const further = read.state === 'none' && read.unknown === undefined ? outOfPlace(cell) : NONE;
    const found = further === NONE ? read : further;
    // A person with the previous status `unsubscribed` may have come back.
    const status = column.past || column.doubtful ? asQuestion(found, cell) : found;
    return status.unknown === undefined ? status : { ...status, at };
  });
  const speaks = cells.some((cell) => (isText ? ownState(cell).state !== 'none' : ownState(cell) !== NONE));
  return { ...column, at, stateOf, speaks: column.sure || speaks };
}

// A status or a tag may have the name of something, so fewer words count as opt-outs there.
function placeIn({ meaning, foreign }: CellReading): ColumnPlace {
  return foreign ? 'foreign' : meaning === 'status' || meaning === 'text' ? 'name' : 'other';
}

const ROLES: ReadonlySet<ColumnTarget['kind']> = new Set(['email', 'first_name', 'last_name', 'name', 'topic', 'svc']);

// A platform may define which dates of its column are opt-out dates.
function hasOwnDates({ columns, reading }: RecognizedTable, at: number): boolean {
  return columns[at]?.kind === 'unsubscribed_at' && reading.datesOptOut !== undefined;
}

/**
 * True if --map sends a column of this meaning elsewhere, or nowhere: the user says that it isn't about mail (C10).
 * Notes are read nevertheless, because `--map Notes=attributes.notes` only says where to send them.
 */
export function isLeftOut({ columns, named }: RecognizedTable, at: number, found: HeaderReading | undefined): boolean {
  const kind = columns[at]?.kind;
  return (
    named.has(at) && (kind === 'ignore' || kind === 'attribute') && found !== undefined && found.meaning !== 'text'
  );
}

function isKnown({ shape, reading }: RecognizedTable, at: number): boolean {
  const header = bareWord(shape.header[at] ?? '');
  return (reading.notConsent ?? []).some((name) => bareWord(name) === header);
}

const PROBE = 'svcprobe';

/** Columns that change the result of the platform's own rule. */
export function platformColumns({ shape, reading }: Pick<RecognizedTable, 'shape' | 'reading'>): ReadonlySet<number> {
  const blank = shape.header.map(() => '');
  const silent = JSON.stringify(reading.stateOf(blank));
  const mayCount = columnsReadBy(reading.stateOf) ?? [...shape.header.keys()];
  return new Set(mayCount.filter((at) => JSON.stringify(reading.stateOf(blank.with(at, PROBE))) !== silent));
}

/** Indexes of columns in which users may recognize consent, although svc doesn't. */
export function candidateColumns(table: RecognizedTable, found: readonly ConsentColumn[]): readonly number[] {
  // Under an ambiguous header, some words may be understood and others not.
  const speaking = found
    .filter(({ speaks, sure, detail, meaning }) => speaks && (sure || detail || meaning === 'text'))
    .map(({ at }) => at);
  const taken = new Set([...platformColumns(table), ...speaking, ...table.named]);
  return table.columns.flatMap(({ kind }, at) =>
    (kind === 'attribute' || kind === 'ignore') && !taken.has(at) && mayMeanMail(table.shape.header[at] ?? '')
      ? [at]
      : [],
  );
}

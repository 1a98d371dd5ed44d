import { memoize } from '../../base/lib/memoize.ts';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { bareWord, columnsReadBy, isDeniedAnswer, NONE } from '../../platforms/lib/status-words.ts';
import { EVENT_WORDS } from './cells/mail-results.ts';
import { groupReader, stateOfCallNote, stateOfNote } from './cells/notes.ts';
import { bitAsDigit } from './cells/yes-and-no.ts';
import { cellReadingAt, type RecognizedTable, sampleCells } from './column-meaning.ts';
import { namesMembership } from './headers/date-headers.ts';
import { mayMeanMail } from './headers/header-predicates.ts';
import type { CellReading, HeaderReading } from './headers/header-reading.ts';
import { withLostLetters } from './lost-letters.ts';
import type { OtherColumnKind } from './other-columns/opt-out-words.ts';
import { optOutReader, optOutState } from './other-columns/read-words.ts';
import { mayEndAccount } from './other-columns/words-below-headers.ts';
import { readCell } from './read-cell.ts';
import { askAboutRefusals } from './sentences/refusals.ts';
import { questionReading, toQuestionReading, unknownReading } from './several-columns/combine-readings.ts';
import { isAboutAllMail } from './topics/topic-headers.ts';
import { endsSubscription } from './words/end-words.ts';
import { readYesNo, wordLookupKey } from './words/value-words.ts';

/** A consent column, and how svc reads its cells. */
export interface ConsentColumn extends CellReading {
  readonly index: number;
  /**
   * True if the column may give rows a state: svc asks about its unknown cells, or one of its first cells gives a
   * state.
   */
  readonly holdsStates: boolean;
  /** True for a topic column whose header is about mail as a whole, such as `Marketing consent`. */
  readonly isTopic?: true;
  /** The state that a cell gives its row. Results are cached, because even a million rows have few different words. */
  stateOf(cell: string): StatusReading;
}

/**
 * Finds the consent columns of a table by header and values. It leaves out addresses, names, topic columns about one
 * kind of mail, columns that `--map` excludes, and columns that the platform reads itself. It searches the tables of
 * platforms too, because evidence against mail counts more than the rules of the platform (C10).
 */
export function findConsentColumns(table: RecognizedTable): readonly ConsentColumn[] {
  const read = platformColumns(table);
  return table.columns.flatMap((target, index) => {
    if (
      KINDS_WITHOUT_CONSENT.has(target.kind) ||
      (target.kind === 'topic' && !isAboutAllMail(table.shape.header[index] ?? '')) ||
      read.has(index) ||
      hasOwnDates(table, index) ||
      isKnown(table, index)
    ) {
      return [];
    }
    const column = cellReadingAt(table, index);
    if (column === undefined || isExcludedByMap(table, index, column)) {
      return [];
    }
    const found = withRule(column, index, sampleCells(table, index));
    return [target.kind === 'topic' ? { ...found, isTopic: true as const } : found];
  });
}

function withRule(column: CellReading, index: number, cells: readonly string[]): ConsentColumn {
  const isText = column.meaning === 'text';
  const ownState = withLostLetters(isText ? textReader(column) : answerReader(column));
  const readOptOutWords = column.asksAboutUnknown ? () => NONE : furtherReader(column);
  const stateOf = memoize((cell: string): StatusReading => {
    const byRule = ownState(cell);
    const byOptOutWord = byRule.state === 'none' && byRule.unknown === undefined ? readOptOutWords(cell) : NONE;
    const reading = byOptOutWord === NONE ? byRule : byOptOutWord;
    // svc asks if the header may not be about mail. It also asks about a previous status such as `unsubscribed`,
    // because the person may have signed up again.
    const status = column.isPreviousStatus || column.needsConfirmation ? toQuestionReading(reading, cell) : reading;
    return status.unknown === undefined ? status : inColumn(status, index);
  });
  const isState = isText ? ({ state }: StatusReading) => state !== 'none' : (read: StatusReading) => read !== NONE;
  const holdsStates = column.asksAboutUnknown || cells.some((cell) => isState(ownState(cell)));
  return { ...column, index, stateOf, holdsStates };
}

// Makes the reader of cells that are no answer. It finds opt-out words, and asks about the end of a subscription.
function furtherReader(column: CellReading): (cell: string) => StatusReading {
  const ofWords = optOutReader(otherKindOf(column));
  const { meaning, headerWords = '' } = column;
  if (meaning !== 'agreed' && !namesMembership(headerWords)) {
    return ofWords;
  }
  // `beside` is empty, because headers about parcels or events do not change what this column is about.
  const read = askAboutRefusals(headerWords, ofWords, { beside: [], cells: [] }) ?? ofWords;
  return (cell) => {
    const status = read(cell);
    return status === NONE && meaning === 'agreed' && endsSubscription(cell) ? questionReading(cell) : status;
  };
}

function textReader({ holdsGroups, isAboutCalls, headerWords }: CellReading): (cell: string) => StatusReading {
  return holdsGroups ? groupReader(headerWords) : isAboutCalls ? stateOfCallNote : stateOfNote;
}

// Adds the index of its column to the reading, and to each of its further unknown words.
function inColumn(reading: StatusReading, index: number): StatusReading {
  const furtherUnknowns = reading.furtherUnknowns?.map((further) => inColumn(further, index));
  return { ...reading, unknownIndex: index, furtherUnknowns };
}

// Makes the reader of a column that is no column of notes. A clear opt-out word counts even if the header is unclear.
function answerReader(column: CellReading): (cell: string) => StatusReading {
  // Columns with reasons and with mail events are read like notes.
  const readFurther = column.meaning === 'reason' || column.words === EVENT_WORDS ? stateOfNote : optOutState;
  return (cell) => {
    const read = deniedBySymbol(readCell(column.holdsBits ? bitAsDigit(cell) : cell, column), cell);
    const isKnown = column.words?.has(wordLookupKey(cell)) ?? false;
    if (read === NONE && column.isStatusOfOtherThing && mayEndAccount(cell, column.headerWords)) {
      return unknownReading(cell.trim());
    }
    return read === NONE && !column.asksAboutUnknown && !isKnown ? readFurther(cell) : read;
  };
}

// A yes beside a symbol that denies the yes is a question. `❌ no` stays a no, also under `Unsubscribed`.
function deniedBySymbol(reading: StatusReading, cell: string): StatusReading {
  const signsUp = reading.state === 'subscribed' || reading.agreesToMail === true;
  const isNo = readYesNo(cell) === false;
  return signsUp && isDeniedAnswer(cell, { isNo }) ? unknownReading(cell.trim()) : reading;
}

// The kind of the column. The kind decides which opt-out words count in the column. Fewer words count in a column of
// statuses or tags, because a status or a tag can be a name.
function otherKindOf({ meaning, isStatusOfOtherThing, headerWords = '' }: CellReading): OtherColumnKind {
  if (namesMembership(headerWords)) {
    return 'other';
  }
  return isStatusOfOtherThing ? 'foreign' : meaning === 'status' || meaning === 'text' ? 'name' : 'other';
}

const KINDS_WITHOUT_CONSENT: ReadonlySet<ColumnTarget['kind']> = new Set(['email', 'first_name', 'last_name', 'name']);

// True for an opt-out date column in which the platform decides which dates are dates of an opt-out.
function hasOwnDates({ columns, reading }: RecognizedTable, index: number): boolean {
  return columns[index]?.kind === 'unsubscribed_at' && reading.isOptOutDate !== undefined;
}

/**
 * True if `--map` excludes the column from the consent columns: the user ignores it or made it an attribute (C10).
 * False for a column of notes: `--map Notes=attributes.notes` only says where to send the notes, and svc still reads
 * them.
 */
export function isExcludedByMap(
  { columns, named }: RecognizedTable,
  index: number,
  headerReading: HeaderReading | undefined,
): boolean {
  const kind = columns[index]?.kind;
  const hasOtherUse = kind === 'ignore' || kind === 'attribute';
  return named.has(index) && hasOtherUse && headerReading !== undefined && headerReading.meaning !== 'text';
}

function isKnown({ shape, reading }: RecognizedTable, index: number): boolean {
  const header = bareWord(shape.header[index] ?? '');
  return (reading.notConsentHeaders ?? []).some((name) => bareWord(name) === header);
}

const PROBE_TEXT = 'svcprobe';

/**
 * The indexes of the columns from which the platform reads the state. To find them, svc puts a text into one column at
 * a time, and checks whether the platform's state changes.
 */
export function platformColumns({ shape, reading }: Pick<RecognizedTable, 'shape' | 'reading'>): ReadonlySet<number> {
  const blank = shape.header.map(() => '');
  const stateOfBlank = JSON.stringify(reading.stateOf(blank));
  const mayCount = columnsReadBy(reading.stateOf) ?? [...shape.header.keys()];
  return new Set(
    mayCount.filter((index) => JSON.stringify(reading.stateOf(blank.with(index, PROBE_TEXT))) !== stateOfBlank),
  );
}

/** The indexes of columns that may say more about consent than svc understood. `statusCandidates` selects from them. */
export function possibleConsentColumns(
  table: RecognizedTable,
  consentColumns: readonly ConsentColumn[],
): readonly number[] {
  // The column of an unclear header is not in `understood`, because svc may understand only some of its words.
  const understood = consentColumns
    .filter(
      ({ holdsStates, asksAboutUnknown, filledMeansHappened, meaning }) =>
        holdsStates && (asksAboutUnknown || filledMeansHappened || meaning === 'text'),
    )
    .map(({ index }) => index);
  const taken = new Set([...platformColumns(table), ...understood, ...table.named]);
  return table.columns.flatMap(({ kind }, index) =>
    (kind === 'attribute' || kind === 'ignore') &&
    !taken.has(index) &&
    !isKnown(table, index) &&
    mayMeanMail(table.shape.header[index] ?? '')
      ? [index]
      : [],
  );
}

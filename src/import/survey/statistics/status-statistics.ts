import { STATE_COLUMN_KINDS } from '../../../platforms/lib/platform.ts';
import { namesTotal } from '../../consent-columns/cells/headings.ts';
import { CUT_OFF_ROW } from '../../csv/cut-off-row.ts';
import { DISTRUSTED_SUBSCRIBED } from '../../mapping/state/state-rule.ts';
import { IN_SVC_STATE } from '../../mapping/state/svc-state.ts';
import { BELOW_OTHER_HEADER, SVC_COLUMNS, SVC_STATE_INDEX, type Table } from '../../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import { ROWS_IN_QUOTES } from '../../record/rows-in-quotes.ts';
import {
  type Contradictions,
  collectBlankConsent,
  collectContradiction,
  createBlankConsents,
} from './consent-conflicts.ts';
import { collectConsentEnds, createConsentEnds } from './consent-end-statistics.ts';
import { addExample, createExamples, type Examples, exampleAt, exampleAtAddress } from './examples.ts';
import { collectGroupStarts, createGroupStarts } from './headings.ts';
import {
  collectNotes,
  countCandidates,
  countValues,
  createCandidates,
  createNoteValues,
  createValueCounts,
} from './value-counts.ts';

export type StatusStatistics = ReturnType<typeof createStatusStatistics>;

/** What the rows of a table say about who is subscribed. */
export function createStatusStatistics(table: Table) {
  const values = createValueCounts(table);
  return {
    /** The number of rows whose state is subscribed, also by the default status. */
    subscribed: 0,
    /**
     * The number of rows that have a state, also by the default status, or that agree to mail without giving a state.
     */
    known: 0,
    unknown: createUnknownWords(),
    /** Rows of a rejects file whose cell in svc_state is no state. */
    unknownSvcStates: createExamples(),
    /** The number of rows with a blank or unknown status in which another column agrees to mail. */
    agreedBesideBlank: 0,
    withoutStatus: createExamples(),
    /** Rejected rows that name a person and have no state. */
    rejectedWithoutStatus: createExamples(),
    /** How many rows of `withoutStatus` say subscribed in an opt-out list, so that svc does not believe them. */
    distrustedRows: 0,
    /** Rows without a state of their own that got the default status. */
    defaulted: createExamples(),
    /** Rejected rows that name a person and have a status that svc does not understand. */
    doubtful: createExamples(),
    values,
    groupStarts: createGroupStarts(values),
    notes: createNoteValues(table),
    blankConsents: createBlankConsents(table),
    contradictions: new Map() as Contradictions,
    consentEnds: createConsentEnds(table),
    /** The values of columns that may contain the status, in rows without a state. */
    candidates: createCandidates(table),
  };
}

/**
 * Counts the status of a row. A row without a valid address, or cut at the wrong places, counts only if it names a
 * person and has no clear status. If it has no readable address, it can also begin a group.
 */
export function collectStatus(status: StatusStatistics, record: ParsedRecord): void {
  if (!isReliable(record)) {
    collectUnreliable(status, record);
    return;
  }
  const { table, cells, statusReading } = record;
  const { state } = effectiveReading(table, statusReading);
  countValues(status.values, cells, state);
  collectGroupStarts(status, record);
  collectNotes(status.notes, cells);
  collectBlankConsent(status.blankConsents, record, state);
  collectContradiction(status.contradictions, record, state);
  if (state === 'subscribed') {
    status.subscribed++;
    collectConsentEnds(status.consentEnds, record);
  }
  if (!hasOwnState(record)) {
    countCandidates(status.candidates, cells);
  }
  countReading(status, record);
}

function collectUnreliable(status: StatusStatistics, record: ParsedRecord): void {
  if (record.email === undefined && !isMisaligned(record) && !namesTotal(record.cells)) {
    collectGroupStarts(status, record);
  }
  if (isDoubtful(record)) {
    addExample(status.doubtful, () => exampleAtAddress(record, record.cells.join(' | ')));
  } else if (record.statusReading.state === 'none' && namesPerson(record)) {
    addExample(status.rejectedWithoutStatus, () => exampleAtAddress(record));
  }
}

function countReading(status: StatusStatistics, record: ParsedRecord): void {
  const { table, statusReading } = record;
  if (statusReading.unknown !== undefined) {
    collectUnknownWords(status, record);
    status.agreedBesideBlank += statusReading.agreesToMail ? 1 : 0;
  } else if (statusReading.state === 'none') {
    status.known += statusReading.agreesToMail ? 1 : 0;
    status.distrustedRows += statusReading === DISTRUSTED_SUBSCRIBED ? 1 : 0;
    addExample(status.withoutStatus, () => exampleAtAddress(record));
  } else {
    status.known++;
    if (statusReading === table.withoutStatus) {
      addExample(status.defaulted, () => exampleAtAddress(record));
    }
  }
}

// True if a word of the row gives it a state, or is a word that svc does not understand.
function hasOwnState({ table, statusReading }: ParsedRecord): boolean {
  const { unknown, state } = statusReading;
  return unknown === undefined ? state !== 'none' && statusReading !== table.withoutStatus : unknown !== '';
}

// True if the status of a row counts: the row has a valid address and is cut at the right places.
function isReliable(record: ParsedRecord): boolean {
  return record.email !== undefined && !record.addressFault && !isMisaligned(record);
}

function isMisaligned({ problem }: ParsedRecord): boolean {
  return problem !== undefined && MISALIGNED.has(problem.reason);
}

const MISALIGNED: ReadonlySet<string> = new Set([
  'too_many_fields',
  'text_after_closing_quote',
  'backslash_before_quote',
  ROWS_IN_QUOTES,
  CUT_OFF_ROW,
  BELOW_OTHER_HEADER,
]);

// True if a row names a person, and svc does not understand its status.
function isDoubtful(record: ParsedRecord): boolean {
  const { statusReading, others } = record;
  return namesPerson(record) && (statusReading.unknown !== undefined || others?.statusReading.unknown !== undefined);
}

function namesPerson({ email, others }: ParsedRecord): boolean {
  const hasOwnAddress = others?.found?.some(({ column }) => !column.isOfOtherPeople) ?? false;
  return email !== undefined || hasOwnAddress || (others?.emails.length ?? 0) > 0;
}

/** A word that svc does not understand, and the rows that have it. */
export interface UnknownWord {
  readonly word: string;
  /** The index of the column with the word. Undefined if the word is in no single column. */
  readonly index: number | undefined;
  /** True if the rows with the word are too short, so that the word may belong to a later column. */
  readonly misplaced: boolean;
  readonly examples: Examples;
}

interface UnknownWords {
  /**
   * The unknown words. A key has the column index, `misplaced` and the word: `3:false:cold`. For a blank the word is
   * empty.
   */
  readonly words: Map<string, UnknownWord>;
  /**
   * The sum over all words counts a row with three unknown words three times. This number, here 2, is subtracted from
   * the sum, so that each row counts once (L5).
   */
  repeated: number;
}

const MAX_DISTINCT_WORDS = 1_000;
const OTHER_WORDS = { word: 'other words', index: undefined, misplaced: false } as const;

function createUnknownWords(): UnknownWords {
  return { words: new Map(), repeated: 0 };
}

/** Counts a row whose status has a word that svc does not understand, once for each such word. */
function collectUnknownWords({ unknown, unknownSvcStates }: StatusStatistics, record: ParsedRecord): void {
  const { furtherUnknowns = [] } = record.statusReading;
  const all = [record.statusReading, ...furtherUnknowns];
  const ofList = all.filter(({ unknownIndex }) => unknownIndex !== IN_SVC_STATE);
  for (const { unknown: word } of all.filter((reading) => !ofList.includes(reading))) {
    addExample(unknownSvcStates, () => exampleAt(record, SVC_COLUMNS[SVC_STATE_INDEX], word));
  }
  unknown.repeated += Math.max(0, ofList.length - 1);
  for (const reading of ofList) {
    const { unknown: word = '', unknownIndex: index = stateColumn(record), misplaced = false } = reading;
    addExample(entryOf(unknown, { word, index, misplaced }), () =>
      exampleAt(record, index === undefined ? undefined : record.table.header[index], word),
    );
  }
}

// The examples of rows with this word. All words after the thousandth share one entry, so that memory is bounded.
function entryOf({ words }: UnknownWords, found: Omit<UnknownWord, 'examples'>): Examples {
  const counted = words.size < MAX_DISTINCT_WORDS || words.has(keyOf(found)) ? found : OTHER_WORDS;
  const entry = words.get(keyOf(counted)) ?? { ...counted, examples: createExamples() };
  words.set(keyOf(counted), entry);
  return entry.examples;
}

function keyOf({ word, index, misplaced }: Omit<UnknownWord, 'examples'>): string {
  return `${index}:${misplaced}:${word}`;
}

// The index of the column that contains the unknown word. Undefined if no column does, because a platform can read
// several columns together.
function stateColumn({ table, cells, statusReading }: ParsedRecord): number | undefined {
  const word = (statusReading.unknown ?? '').trim();
  const stateIndex = table.columns.findIndex(
    ({ kind }, index) =>
      kind !== 'unsubscribed_at' && STATE_COLUMN_KINDS.has(kind) && (cells[index] ?? '').includes(word),
  );
  // If no status column has the word, a column that is sent as an attribute may have it.
  const columnIndex = stateIndex >= 0 ? stateIndex : cells.findIndex((cell) => word !== '' && cell.trim() === word);
  return columnIndex < 0 ? undefined : columnIndex;
}

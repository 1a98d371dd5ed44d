import { namesTotal } from '../../consent-columns/cells/headings.ts';
import { DISTRUSTED_SUBSCRIBED } from '../../mapping/state/state-rule.ts';
import type { Table } from '../../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import { BELOW_OTHER_HEADER } from '../../record/row-problems.ts';
import {
  type Contradictions,
  collectBlankConsent,
  collectContradiction,
  createBlankConsents,
} from './consent-conflicts.ts';
import { collectConsentEnds, createConsentEnds } from './date-statistics.ts';
import { addExample, createExamples, exampleAtAddress } from './examples.ts';
import { collectGroupStarts, createGroupStarts } from './headings.ts';
import { collectUnknownWords, createUnknownWords } from './unknown-words.ts';
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
    /** The number of rows with a state, also by the default status, or with an agreement to mail. */
    known: 0,
    unknown: createUnknownWords(),
    /** The number of rows with a blank status in which another column agrees to mail. */
    agreedBesideBlank: 0,
    withoutStatus: createExamples(),
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
 * Counts the status of a row. If the row has no valid address or is cut at the wrong places, only an unknown status
 * counts.
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
  }
}

function countReading(status: StatusStatistics, record: ParsedRecord): void {
  const { table, statusReading } = record;
  if (statusReading.unknown !== undefined) {
    collectUnknownWords(status.unknown, record);
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
  'rows_in_quotes',
  BELOW_OTHER_HEADER,
]);

// True if a row names a person, and svc does not understand its status.
function isDoubtful({ email, statusReading, others }: ParsedRecord): boolean {
  const hasOwnAddress = others?.found?.some(({ column }) => !column.isOfOtherPeople) ?? false;
  const namesPerson = email !== undefined || hasOwnAddress || (others?.emails.length ?? 0) > 0;
  return namesPerson && (statusReading.unknown !== undefined || others?.statusReading.unknown !== undefined);
}

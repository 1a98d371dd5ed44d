import type { FindingExample } from '../../../base/finding.ts';
import { isEmptyValue, isMissingTime } from '../../../platforms/lib/blank-cells.ts';
import { mentionsEnd } from '../../consent-columns/words/end-words.ts';
import { hasNegation } from '../../consent-columns/words/phrases.ts';
import { wordsOf } from '../../consent-columns/words/plain-words.ts';
import { answerInColumn } from '../../mapping/answers/answer-lookup.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { readDate } from '../../values/dates.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/**
 * The days in a column such as `Consent valid until`, in rows of subscribed people. The survey reads no clock, so it
 * only counts the days. `migrate/checks/consent-ends.ts` compares them with today (C10).
 */
export interface ConsentEnds {
  /** The index of the column. */
  readonly index: number;
  /** By day in the form `2026-11-25`: the rows whose consent ends then. */
  readonly days: Map<string, EndingRows>;
  /** Rows whose date can't be read, or can be read in two ways. */
  readonly unclear: UnclearEnds;
}

interface UnclearEnds extends Examples {
  /** How many of these rows have a date that `--date-order` makes clear: `03/04/2026`. */
  eitherOrder: number;
}

interface EndingRows {
  rows: number;
  readonly first: FindingExample;
}

// The maximum number of days that are counted: 30 years. Rows with any further day count as unclear, so that memory is
// bounded.
const MAX_DAYS = 11_000;

export function createConsentEnds({ endsOfConsent }: Pick<Table, 'endsOfConsent'>): readonly ConsentEnds[] {
  return endsOfConsent.map((index) => {
    const unclear = { ...createExamples(), eitherOrder: 0 };
    return { index, days: new Map(), unclear };
  });
}

// The last day on which a consent holds. `2025` means 31 December. A word such as `resigned` means a day in the past.
// Undefined if svc can't read the cell.
function lastDayOf(cell: string, { table }: ParsedRecord): string | undefined {
  if (YEAR.test(cell)) {
    return `${cell}-12-31`;
  }
  const read = readDate(cell, table.dateStyle);
  return read.kind === 'at' ? read.moment.slice(0, 'YYYY-MM-DD'.length) : dayOfEnd(wordsOf(cell));
}

// The day of an end in words: `left 2019` means 31 December 2019, `resigned` a day long ago. Undefined for an end that
// has not come: `until revoked`, `not cancelled`.
function dayOfEnd(words: string): string | undefined {
  if (!mentionsEnd(words) || hasNegation(words) || MAY_END.test(words)) {
    return undefined;
  }
  const year = words.split(' ').find((word) => YEAR.test(word));
  return year ? `${year}-12-31` : LONG_AGO;
}

// Matches words for an end that has not come or is only possible: `bis auf Widerruf`, `cancel anytime`.
const MAY_END =
  /(?:^| )(?:(?:until|till|bis|auf|jusqu|jusqua|hasta|fino|ate|tot|do|tills|до) |any ?time|jederzeit|\S*widerrufbar|\S*kundbar|revocable|cancell?able|possible)/u;

const LONG_AGO = '0001-01-01';

const YEAR = /^(?:19|20)\d\d$/;

/** Counts the day on which the consent in a row ends. To be called for rows of people who will be subscribed. */
export function collectConsentEnds(ends: readonly ConsentEnds[], record: ParsedRecord): void {
  for (const { index, days, unclear } of ends) {
    const cell = record.cells[index]?.trim() ?? '';
    const answer = answerInColumn(record.table.answers, index, cell);
    if (isEmptyValue(cell) || isMissingTime(cell) || answer?.state === 'subscribed') {
      continue;
    }
    const example = () => exampleAt(record, record.table.header[index], cell);
    const day = lastDayOf(cell, record);
    const counted = day === undefined ? undefined : days.get(day);
    if (counted) {
      counted.rows++;
    } else if (day !== undefined && days.size < MAX_DAYS) {
      days.set(day, { rows: 1, first: example() });
    } else {
      addExample(unclear, example);
      unclear.eitherOrder += readDate(cell, record.table.dateStyle).kind === 'ambiguous' ? 1 : 0;
    }
  }
}

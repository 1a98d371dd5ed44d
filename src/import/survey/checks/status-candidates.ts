import type { Finding, OtherAnswer } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import { formatNumber, plural } from '../../../base/lib/text.ts';
import { isEmptyValue, isNoTime } from '../../../platforms/lib/blank-cells.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { DATE_VALUE } from '../../consent-columns/cells/days.ts';
import { consentLikelihood } from '../../consent-columns/consent-likelihood.ts';
import { type DateMeaning, dateMeaning } from '../../consent-columns/headers/date-headers.ts';
import { namesOrderOrEvent } from '../../consent-columns/headers/header-subjects.ts';
import { columnName, mapFlag, statusMapFlag } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import type { CandidateValues } from '../statistics/value-counts.ts';
import { countRowsWithoutStatus, type TableWithStatistics } from './check-context.ts';

/** A column that may say who is subscribed, with its values. */
export interface Candidate {
  readonly index: number;
  readonly table: Table;
  /** The name of the column for `--map`: its header, or its number if several columns have the header. */
  readonly name: string;
  /** The name of the column for `--status-map`: its header, or its number if it has none. */
  readonly header: string;
  readonly values: readonly (readonly [value: string, rows: number])[];
  readonly blanks: number;
  /** How likely the column is about consent, from 0 to 3; see `consentLikelihood`. */
  readonly likelihood: number;
  /** What the dates of the column mean. Undefined if it has other values than dates and blanks. */
  readonly dates: DateMeaning | undefined;
  /**
   * True if the header is about a payment, an event or an order. A `yes` or `cancelled` below it may not be about mail.
   */
  readonly isForeign: boolean;
}

// The values of a column of dates, without what programs write for a missing day: `NULL`, `0`. These cells are blanks,
// also for the answers of the user.
function withoutMissingDays(column: CandidateValues): CandidateValues {
  const isMissing = (value: string) => isEmptyValue(value) || isNoTime(value);
  const days = column.values.get(DATE_VALUE);
  const missing = [...column.values].filter(([value]) => value !== DATE_VALUE);
  if (days === undefined || !missing.every(([value]) => isMissing(value))) {
    return column;
  }
  const blanks = column.blanks + sumOf(missing.map(([, { rows }]) => rows));
  return { values: new Map([[DATE_VALUE, days]]), blanks };
}

/** The fields of a candidate that the answers for dates use. */
type DateColumn = Omit<Candidate, 'index' | 'values' | 'isForeign'>;

/**
 * The columns with few different values, the likeliest first. Each of them may say who agreed, so svc shows all (C11).
 */
export function candidatesOf({ table, statistics: { status } }: TableWithStatistics): readonly Candidate[] {
  const rows = countRowsWithoutStatus(status) + status.defaulted.total;
  return [...status.candidates]
    .filter(([, { values }]) => values.size > 0)
    .map(([index, column]) => {
      const { values, blanks } = withoutMissingDays(column);
      const header = table.header[index] ?? '';
      const likelihood = consentLikelihood({
        header,
        beside: table.header,
        values: [...values.keys()],
        hasBlanks: blanks > 0,
      });
      const sorted = [...values]
        .map(([value, { rows }]) => [value, rows] as const)
        .toSorted(([, first], [, second]) => second - first);
      const dates = sorted.every(([value]) => value === DATE_VALUE) ? dateMeaning(header, table.header) : undefined;
      const names = { name: columnName(table, index), header: headerOrNumber(table.header, index) };
      return {
        index,
        table,
        ...names,
        values: sorted,
        blanks,
        likelihood,
        dates,
        isForeign: namesOrderOrEvent(header),
      };
    })
    .filter(
      ({ header, values, likelihood }) =>
        likelihood === 3 || rows > values.length || (likelihood > 0 && NAMES_STATUS.test(header)),
    )
    .toSorted((first, second) => second.likelihood - first.likelihood || first.index - second.index);
}

// Matches headers of a status. svc shows a column with such a header even if no value repeats, as can happen in a short
// list.
const NAMES_STATUS = /stat(?:us|ut)/i;

/**
 * The candidates to offer first: those with the highest likelihood. Empty if no column is likely. A column of dates is
 * offered first only if its header means an opt-out, because most dates are of a confirmation or a visit. A column
 * about something else is never offered first.
 */
export function likeliestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const clear = candidates.filter(
    ({ dates, likelihood, isForeign }) => likelihood > 0 && !isForeign && (!dates || dates === 'optedOut'),
  );
  return clear.filter(({ likelihood }) => likelihood === clear[0]?.likelihood);
}

/** The `--map` flags to offer. The first column of dates becomes the opt-out date, other columns the status. */
export function mapCandidates(candidates: readonly Pick<Candidate, 'table' | 'name' | 'dates'>[]): string {
  const firstDate = candidates.find(({ dates }) => dates);
  return candidates
    .filter((candidate) => !candidate.dates || candidate === firstDate)
    .map((candidate) =>
      mapFlag(candidate.table, candidate.name, candidate === firstDate ? 'unsubscribed_at' : 'status'),
    )
    .join(' ');
}

/** A text for messages: the condition under which `--map` of these columns is right. */
export function mappingCondition(candidates: readonly Pick<Candidate, 'name' | 'dates'>[]): string {
  const quotedNames = candidates.map(({ name }) => JSON.stringify(name)).join(' and ');
  return candidates.every(({ dates }) => dates)
    ? `If ${quotedNames} says when people opted out`
    : `If ${quotedNames} ${candidates.length === 1 ? 'says' : 'say'} who may be mailed; svc asks about unclear words next`;
}

/**
 * The candidates with days on which people agreed, if some cells are blank. A person with a blank may never have
 * confirmed.
 */
export function agreementDateCandidates(candidates: readonly DateColumn[]): readonly DateColumn[] {
  return candidates.filter(({ dates, blanks }) => dates === 'agreed' && blanks > 0);
}

/** The flags with which a date counts as an agreement, and a person with a blank gets no mail. */
export function proofFlags({ table, name, header }: Pick<DateColumn, 'table' | 'name' | 'header'>): string {
  const answers = [statusMapFlag(table, `${header}:*`, 'subscribed'), statusMapFlag(table, `${header}:`, 'skip')];
  return [mapFlag(table, name, 'status'), ...answers].join(' ');
}

/** The answers for columns of dates that are not offered first. */
export function dateAnswers(candidates: readonly DateColumn[]): readonly OtherAnswer[] {
  const proofs = agreementDateCandidates(candidates).map((candidate) => ({
    when: `If people with a date in ${JSON.stringify(candidate.name)} agreed to get mail from you, and people without one did not`,
    flags: proofFlags(candidate),
  }));
  const unclear = candidates.filter(({ dates, likelihood }) => dates === 'unclear' && likelihood > 0);
  return [
    ...proofs,
    ...unclear.map((candidate) => ({ when: mappingCondition([candidate]), flags: mapCandidates([candidate]) })),
  ];
}

/** The answers for columns about something else, such as a payment. They are never offered first. */
export function foreignAnswers(candidates: readonly Candidate[]): readonly OtherAnswer[] {
  return candidates
    .filter(({ isForeign, likelihood, dates }) => isForeign && likelihood > 0 && !dates)
    .map((candidate) => ({
      when: `Only ${lowerFirst(mappingCondition([candidate]))}`,
      flags: mapCandidates([candidate]),
    }));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** True for a stop that offers to read the status from a column. */
export function offersColumn({ check, level, hint = '', otherwise = [] }: Finding): boolean {
  const answers = [hint, ...otherwise.map(({ flags }) => flags)];
  return check === 'no_status' && level === 'stop' && answers.some((flags) => flags.startsWith('--map '));
}

const MAX_SHOWN_COLUMNS = 10;
const MAX_SHOWN_VALUES = 6;
const LONGEST_SHOWN_VALUE = 60;

/** A text for messages: the names of the columns, each with its values. */
export function describeCandidates(candidates: readonly Candidate[]): string {
  const shown = candidates.slice(0, MAX_SHOWN_COLUMNS).map(describeCandidate).join('; ');
  const more = candidates.length - MAX_SHOWN_COLUMNS;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

function describeCandidate({ name, values, blanks }: Candidate): string {
  const counts = values
    .slice(0, MAX_SHOWN_VALUES)
    .map(([value, rows]) => `${JSON.stringify(shortValue(value))} (${formatNumber(rows)})`);
  const more = values.length > MAX_SHOWN_VALUES ? [plural(values.length - MAX_SHOWN_VALUES, 'more value')] : [];
  const blank = blanks > 0 ? [`blank (${formatNumber(blanks)})`] : [];
  return `${JSON.stringify(name)}: ${[...counts, ...more, ...blank].join(', ')}`;
}

export function shortValue(value: string): string {
  return value.length > LONGEST_SHOWN_VALUE ? `${value.slice(0, LONGEST_SHOWN_VALUE)}\u2026` : value;
}

import { formatNumber } from '../../../base/lib/text.ts';
import { suspicionOf } from '../../consent-columns/suspicion.ts';
import type { Finding } from '../finding.ts';
import { A_DATE } from '../value-counts.ts';
import { columnName, mapLine, rowsWithoutStatus, type SeenTable } from './list-check.ts';

export interface Candidate {
  readonly at: number;
  /** The name for `--map`. */
  readonly name: string;
  readonly values: readonly (readonly [value: string, rows: number])[];
  readonly blanks: number;
  /** 0 if the header or the values belong to something else. */
  readonly suspicion: number;
}

/**
 * Columns with few values, the most suspicious first. Any of them may hold the consent of the list (rule C11: all are
 * shown).
 */
export function candidatesOf({ table, statistics }: SeenTable): readonly Candidate[] {
  const rows = rowsWithoutStatus(statistics) + statistics.defaulted.total;
  return [...statistics.candidates]
    .filter(([, { values }]) => values.size > 0)
    .map(([at, { values, blanks }]) => {
      const header = table.header[at] ?? '';
      const suspicion = suspicionOf({
        header,
        beside: table.header,
        values: [...values.keys()],
        hasBlanks: blanks > 0,
      });
      const sorted = [...values].toSorted(([, one], [, other]) => other - one);
      return { at, name: columnName(table, at), values: sorted, blanks, suspicion };
    })
    .filter(({ values, suspicion }) => suspicion === 3 || rows > values.length)
    .toSorted((one, other) => other.suspicion - one.suspicion || one.at - other.at);
}

/** The candidates to offer as the status: all with the highest suspicion, or none if no column is suspicious. */
export function likeliestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const highest = candidates[0]?.suspicion ?? 0;
  return highest === 0 ? [] : candidates.filter(({ suspicion }) => suspicion === highest);
}

/** The `--map` flags to offer: the first column of dates as the opt-out date, other columns as the status. */
export function mapCandidates(candidates: readonly Candidate[]): string {
  const [firstDate] = candidates.filter(holdsOnlyDates);
  return candidates
    .filter((one) => !holdsOnlyDates(one) || one === firstDate)
    .map((one) => mapLine(one.name, one === firstDate ? 'unsubscribed_at' : 'status'))
    .join(' ');
}

/** True for a stop that offers a column as the status. Then the list may hold states after all. */
export function offersColumn({ check, level, hint }: Finding): boolean {
  return check === 'no_status' && level === 'stop' && hint?.startsWith('--map ') === true;
}

/** True for a column of dates and blanks. */
export function holdsOnlyDates({ values }: Candidate): boolean {
  return values.every(([value]) => value === A_DATE);
}

const SHOWN_COLUMNS = 10;
const SHOWN_VALUES = 6;
const LONGEST = 60;

export function describeCandidates(candidates: readonly Candidate[]): string {
  const shown = candidates.slice(0, SHOWN_COLUMNS).map(describe).join('; ');
  const more = candidates.length - SHOWN_COLUMNS;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

function describe({ name, values, blanks }: Candidate): string {
  const counts = values
    .slice(0, SHOWN_VALUES)
    .map(([value, rows]) => `${JSON.stringify(shortValue(value))} (${formatNumber(rows)})`);
  const more = values.length > SHOWN_VALUES ? [`${values.length - SHOWN_VALUES} more values`] : [];
  const blank = blanks > 0 ? [`blank (${formatNumber(blanks)})`] : [];
  return `${JSON.stringify(name)}: ${[...counts, ...more, ...blank].join(', ')}`;
}

export function shortValue(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}\u2026` : value;
}

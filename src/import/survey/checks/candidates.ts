import { formatNumber } from '../../../base/lib/text.ts';
import { suspicionOf } from '../../consent-columns/suspect.ts';
import { A_DATE } from '../candidates.ts';
import { columnName, mapLine, type SeenTable } from './context.ts';

/** A column that may say who is subscribed, with its values in the rows that say nothing. */
export interface Candidate {
  readonly at: number;
  /** As `--map` names it. */
  readonly name: string;
  readonly values: readonly (readonly [value: string, rows: number])[];
  readonly blanks: number;
  /** 0 where its header or its values are those of something else. */
  readonly suspicion: number;
}

/** Columns with few values, the most suspicious first: a list of any kind may hide its consent in one of them (rule C11). */
export function candidatesOf({ table, watch }: SeenTable): readonly Candidate[] {
  const rows = watch.stateless.total;
  return [...watch.candidates]
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

/** Those that are offered as the status: all of the highest suspicion; none where nothing is suspicious. */
export function likeliestOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const highest = candidates[0]?.suspicion ?? 0;
  return highest === 0 ? [] : candidates.filter(({ suspicion }) => suspicion === highest);
}

/** What `--map` is offered with: a day is that of leaving, of which a table has one; anything else is a state. */
export function mapCandidates(candidates: readonly Candidate[]): string {
  const [firstDate] = candidates.filter(holdsOnlyDates);
  return candidates
    .filter((one) => !holdsOnlyDates(one) || one === firstDate)
    .map((one) => mapLine(one.name, one === firstDate ? 'unsubscribed_at' : 'status'))
    .join(' ');
}

/** True for a column of days and blanks. */
export function holdsOnlyDates({ values }: Candidate): boolean {
  return values.every(([value]) => value === A_DATE);
}

const SHOWN_COLUMNS = 10;
const SHOWN_VALUES = 6;
const LONGEST = 60;

/** Candidates with their values and counts, for people. */
export function describeCandidates(candidates: readonly Candidate[]): string {
  const shown = candidates.slice(0, SHOWN_COLUMNS).map(describe).join('; ');
  const more = candidates.length - SHOWN_COLUMNS;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

function describe({ name, values, blanks }: Candidate): string {
  const counts = values
    .slice(0, SHOWN_VALUES)
    .map(([value, rows]) => `${JSON.stringify(cut(value))} (${formatNumber(rows)})`);
  const more = values.length > SHOWN_VALUES ? [`${values.length - SHOWN_VALUES} more values`] : [];
  const blank = blanks > 0 ? [`blank (${formatNumber(blanks)})`] : [];
  return `${JSON.stringify(name)}: ${[...counts, ...more, ...blank].join(', ')}`;
}

/** The beginning of a long value, for people. */
export function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}\u2026` : value;
}

import { formatNumber, plural } from '../../../base/lib/text.ts';
import { suspicionOf } from '../../consent-columns/suspicion.ts';
import { labelOf } from '../../source/source.ts';
import { shownOf } from '../examples.ts';
import type { Finding } from '../finding.ts';
import { A_DATE } from '../value-counts.ts';
import { columnName, type ListCheck, mapLine, rowsWithoutStatus, type SeenTable, statusFlags } from './list-check.ts';

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
    .map(([value, rows]) => `${JSON.stringify(cut(value))} (${formatNumber(rows)})`);
  const more = values.length > SHOWN_VALUES ? [`${values.length - SHOWN_VALUES} more values`] : [];
  const blank = blanks > 0 ? [`blank (${formatNumber(blanks)})`] : [];
  return `${JSON.stringify(name)}: ${[...counts, ...more, ...blank].join(', ')}`;
}

export function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}\u2026` : value;
}

/** Columns that hold a second person in their rows. Only one person of a row is imported. */
export const secondPeople: ListCheck = ({ tables }) =>
  tables.flatMap(({ table, statistics }) =>
    [...statistics.secondPeople].flatMap(([at, rows]): Finding[] => {
      const column = columnName(table, at);
      const message = `${labelOf(table.source)}: the column ${JSON.stringify(column)} holds a second address in ${plural(rows.total, 'row')}. svc imports one person a row, so the people of these addresses are not imported`;
      const hint = `Only if they agreed to get mail from you, import the list once more with ${mapLine(column, 'email')}`;
      return rows.total === 0 ? [] : [{ check: 'columns', level: 'warn', message, hint, ...shownOf(rows) }];
    }),
  );

/** Columns that hold addresses without an address header, and the people whom they opt out (C9). */
export const mentions: ListCheck = ({ tables }) =>
  tables.flatMap(({ table, statistics }) =>
    table.addressColumns.found.flatMap(({ at, another }): Finding[] => {
      const people = statistics.mentions.get(at);
      if (!people || people.total === 0) {
        return [];
      }
      const column = `${labelOf(table.source)}: the column ${JSON.stringify(columnName(table, at))}`;
      const named = plural(people.total, 'person of the list', 'people of the list');
      const answer = (state: 'subscribed' | 'unsubscribed') => statusFlags(`${table.header[at] || at + 1}:*`, state);
      const [message, hint] = another
        ? [
            `${column} is about other people. It names ${named} in rows that must not be mailed; this changes nothing for them`,
            `If it holds second addresses of the same people: ${answer('unsubscribed')}`,
          ]
        : [
            `${column} holds addresses. It names ${named} in rows that must not be mailed; they are not mailed either`,
            `If it names other people: ${answer('subscribed')}`,
          ];
      return [{ check: 'columns', level: 'warn', message, hint, ...shownOf(people) }];
    }),
  );

import type { People } from '../../../runs/store/people.ts';
import type { Answers } from '../../mapping/answers.ts';
import type { OfferKey } from '../../mapping/keys.ts';
import type { Table } from '../../mapping/table.ts';
import type { State } from '../../types.ts';
import type { ColumnStatistics } from '../column-statistics.ts';
import type { Finding, FindingExample } from '../survey-types.ts';

/** One table with what its first read showed; the table is as settled after it. */
export interface SeenTable {
  readonly table: Table;
  readonly watch: ColumnStatistics;
}

/** All that the checks of a list may judge by. */
export interface ListCheckContext {
  readonly tables: readonly SeenTable[];
  readonly answers: Answers;
  readonly people: People;
  readonly merged: number;
  readonly rejected: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, number>;
  readonly offerKey: OfferKey;
}

/** A check of the list by itself: findings of one name, at least one. */
export type ListCheck = (seen: ListCheckContext) => readonly Finding[];

/** The findings, or a pass where there are none. */
export function orPass(findings: readonly Finding[], check: string, message: string): readonly Finding[] {
  return findings.length > 0 ? findings : [{ check, level: 'pass', message }];
}

/** A `--map` line that can be typed. */
export function mapLine(column: string, field: string): string {
  return `--map ${quote(`${column}=${field}`)}`;
}

/** Values of a column that a hint answers one by one. */
export const MOST_ANSWERS = 20;

/** A `--status-map` line that can be typed. */
export function statusFlags(word: string, state: State): string {
  return word.startsWith('-') ? quote(`--status-map=${word}=${state}`) : `--status-map ${quote(`${word}=${state}`)}`;
}

/** Text as one word of a shell line. */
export function quote(text: string): string {
  return /^[\w.=/:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How --map names a column: by its header, or by its number where the header doesn't tell. */
export function columnName(table: Table, at: number): string {
  const header = table.header[at] ?? '';
  const unique = table.header.filter((other) => other === header).length === 1;
  return header.trim() !== '' && unique ? header : String(at + 1);
}

/** At most five of several lists of examples: one of each, then a second of each. */
export function firstExamples(lists: readonly (readonly FindingExample[])[]): readonly FindingExample[] {
  const rounds = Array.from({ length: SHOWN }, (_, round) => lists.flatMap((list) => list[round] ?? []));
  return rounds.flat().slice(0, SHOWN);
}

const SHOWN = 5;

/** The columns of a header as examples: where the line with their names is. */
export function headerExamples(
  { source, dialect, header }: Table,
  places: readonly number[],
): Pick<Finding, 'examples' | 'total'> {
  const file = source.entry ?? source.name;
  const line = Math.max(1, dialect.headerLine);
  const examples = places.map((at) => ({ file, line, column: header[at] || String(at + 1) }));
  return { examples: examples.slice(0, SHOWN), total: examples.length };
}

import type { Finding, FindingExample } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import type { OfferKey } from '../../../platforms/lib/attribute-keys.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { People } from '../../../runs/people/people.ts';
import type { MergeCounts } from '../../dedupe/merge-duplicates.ts';
import { answerInColumn } from '../../mapping/answers/answer-lookup.ts';
import type { InputAnswers, ReadingOptions } from '../../mapping/reading-answers.ts';
import type { Table } from '../../mapping/table.ts';
import type { ColumnStatistics } from '../statistics/column-statistics.ts';
import { type Examples, examplesForFinding } from '../statistics/examples.ts';
import type { StatusStatistics } from '../statistics/status-statistics.ts';

/** A table and its statistics from the first read. */
export interface TableWithStatistics {
  readonly table: Table;
  readonly statistics: ColumnStatistics;
}

interface ListCheckContext {
  readonly tables: readonly TableWithStatistics[];
  readonly answers: InputAnswers;
  /** The findings about typed answers that count for no row, or that miss some cells. */
  readonly unusedAnswers: readonly Finding[];
  readonly people: People;
  readonly merged: number;
  readonly outweighed: MergeCounts['outweighed'];
  readonly subscribedBesideBlank: number;
  readonly differInTopics: number;
  readonly rejected: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, number>;
  /** The number of people who will be written as subscribed. */
  readonly subscribed: number;
  /** By domain: how many people would get mail, although a row about opted-out people names the whole domain. */
  readonly domains: ReadonlyMap<string, number>;
  readonly offerKey: OfferKey;
  /** The answer of `--reason`: every row of the list is suppressed. */
  readonly reason: ReadingOptions['reason'];
}

/** A check that needs only the list. All its findings have the same name. */
export type ListCheck = (context: ListCheckContext) => readonly Finding[];

/** The number of rows without a state, including those with a blank status. */
export function countRowsWithoutStatus(status: StatusStatistics): number {
  return sumOf(rowsWithoutStatus(status).map(({ total }) => total));
}

/**
 * The rows without a state, including those with a blank status. Rejected rows count only if no other row lacks a
 * state: an answer then keeps mail away from the people whom the rejected rows name (C9).
 */
export function rowsWithoutStatus(status: StatusStatistics): readonly Examples[] {
  const found = [status.withoutStatus, ...blankExamples(status)];
  return found.some(({ total }) => total > 0) ? found : [status.rejectedWithoutStatus];
}

/** The rows with a blank status, one entry for each status column. */
export function blankExamples({ unknown }: StatusStatistics): readonly Examples[] {
  return [...unknown.words.values()].filter(({ word }) => word === '').map(({ examples }) => examples);
}

/**
 * Adds the name of this input to each condition of its findings, if there are other inputs. Otherwise two inputs with
 * equal columns would give equal conditions (C11).
 */
export function namingInput(table: Pick<Table, 'answeredAs'>, findings: readonly Finding[]): readonly Finding[] {
  const { answeredAs } = table;
  if (answeredAs === undefined) {
    return findings;
  }
  const withName = (when: string) => (when.includes(answeredAs) ? when : `${when} (${answeredAs})`);
  return findings.map((finding) => ({
    ...finding,
    when: finding.when && withName(finding.when),
    otherwise: (finding.otherwise ?? []).map(({ when, flags }) => ({ when: withName(when), flags })),
  }));
}

/** The findings, or one that says that the check passed. */
export function findingsOrPass(findings: readonly Finding[], check: string, message: string): readonly Finding[] {
  return findings.length > 0 ? findings : [{ check, level: 'pass', message }];
}

/** A finding about rows, with some of them as examples. Empty if there are no such rows. */
export function rowsFinding(rows: Examples, finding: Finding): readonly Finding[] {
  return rows.total === 0 ? [] : [{ ...finding, ...examplesForFinding(rows) }];
}

/** A hint has an answer for each value of a column, unless there are more values than this. */
export const MAX_ANSWERS = 20;

/** Five examples from several lists: the first of each list, then the second of each. */
export function firstExamples(lists: readonly (readonly FindingExample[])[]): readonly FindingExample[] {
  const rounds = Array.from({ length: MAX_SHOWN_EXAMPLES }, (_, round) => lists.flatMap((list) => list[round] ?? []));
  return rounds.flat().slice(0, MAX_SHOWN_EXAMPLES);
}

const MAX_SHOWN_EXAMPLES = 5;

/** Headers as examples: they point to the line of the header. */
export function headerExamples(
  { source, dialect, header }: Table,
  indexes: readonly number[],
): Pick<Finding, 'examples' | 'total'> {
  const file = source.entry ?? source.name;
  const line = Math.max(1, dialect.headerLine);
  const examples = indexes.map((index) => ({ file, line, column: headerOrNumber(header, index) }));
  return { examples: examples.slice(0, MAX_SHOWN_EXAMPLES), total: examples.length };
}

/** True if the user has answered for one of these words of the column with `--status-map`, such as `Status:left`. */
export function isAnswered({ answers }: Pick<Table, 'answers'>, index: number, words: readonly string[]): boolean {
  return words.some((word) => answerInColumn(answers, index, word) !== undefined);
}

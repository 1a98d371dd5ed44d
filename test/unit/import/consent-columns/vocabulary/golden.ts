import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnswers } from '../../../../../src/import/mapping/reading-answers.ts';
import type { Table } from '../../../../../src/import/mapping/table.ts';
import type { TableSource } from '../../../../../src/import/source/source.ts';
import { buildTable } from '../../../../../src/import/tables/build-table.ts';
import type { StatusReading } from '../../../../../src/platforms/lib/states.ts';
import { NO_ANSWERS, sourcesOf } from '../../support.ts';
import { PLAIN } from '../../tables-in-memory.ts';

/** A line of a golden file: its cells, and the heading above it. */
export interface GoldenLine {
  readonly heading: string;
  readonly cells: readonly string[];
}

/** The lines of a golden file of this folder. `# ` starts a heading, `//` a remark, and tabs separate cells. */
export function goldenLines(name: string): readonly GoldenLine[] {
  const lines: GoldenLine[] = [];
  let heading = '';
  for (const line of readFileSync(join(import.meta.dirname, name), 'utf8').split('\n')) {
    if (line.startsWith('# ')) {
      heading = line.slice(2);
    } else if (line !== '' && !line.startsWith('//')) {
      lines.push({ heading, cells: line.split('\t') });
    }
  }
  return lines;
}

/** A table with these columns after the address, as the program reads it. `rows` are its first rows. */
export function tableOf(
  header: readonly string[],
  { from = 'auto', name = 'list.csv', address = 'Email', rows = [[]] }: TableParts = {},
): Table {
  const options = { ...NO_ANSWERS, from };
  const [source] = sourcesOf({ [name]: '' });
  const own = [address, ...header];
  const sample = rows.map((cells) =>
    own.map((_, at) => (at === 0 && address === 'Email' ? 'ana@example.com' : (cells[at - 1] ?? ''))),
  );
  const dialect = { ...PLAIN, headerLine: 1, header: own };
  return buildTable({ source: source as TableSource, dialect, sample }, options, readAnswers(options));
}

interface TableParts {
  readonly from?: string;
  readonly name?: string;
  /** The header of the addresses. */
  readonly address?: string;
  readonly rows?: readonly (readonly string[])[];
}

/** The meaning of a row with these cells after the address, as one of the words below. */
export function meaningOf(table: Table, ...cells: readonly string[]): string {
  return wordFor(table.stateOf(['ana@example.com', ...cells], ''));
}

/**
 * True if the last of these cells says nothing below the header, so that a status beside it decides. The cells are all
 * rows of the table.
 */
export function saysNothing(header: string, ...cells: readonly string[]): boolean {
  return meaningOf(tableOf([header], { rows: cells.map((cell) => [cell]) }), cells.at(-1) ?? '') === '-';
}

/**
 * `asked`: the run stops with a question. `refused`: a question, unless another column keeps mail away. `blank`: a
 * question about blanks. `agrees`: a yes, which is no status. `-`: no meaning. `skip`: no mail for this reason, unless
 * another row of the person has a status. `skipped`: no mail, even when another row says subscribed.
 */
export function wordFor({ state, why, unknown, agreesToMail, refusesMail }: StatusReading): string {
  if (unknown !== undefined) {
    return unknown === '' ? 'blank' : refusesMail ? 'refused' : 'asked';
  }
  if (state === 'none') {
    return agreesToMail ? 'agrees' : '-';
  }
  return why === undefined ? state : `${state === 'pending' ? 'skipped' : state} ${why}`;
}

/** The lines that svc reads with another meaning than the file says, as `read, not expected`. */
export function differing(read: Lines, golden: Lines): readonly string[] {
  return read.flatMap((cells, at) => {
    const [is, must] = [cells.join(' | '), golden[at]?.join(' | ')];
    return is === must ? [] : [`${is}, not ${must}`];
  });
}

type Lines = readonly (readonly string[])[];

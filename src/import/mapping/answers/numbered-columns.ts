import { EXIT, SvcError, withoutFlags } from '../../../base/lib/errors.ts';
import { sourceLabel } from '../../source/source.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import type { Table } from '../table.ts';
import { splitPair } from './answer-pairs.ts';

// An answer can name a column by its number: `--map 3=ignore`. In a list of another day, another column may have this
// number. So a mapping file stores the headers of such columns, and svc compares them.

type Answers = Pick<ReadingOptions, 'map' | 'statusMap' | 'topicValues'>;

/** The columns that answers name by their number, each with its header: `3=Status`, or `3=Status (2 of 2)`. */
export function numberedColumns(tables: readonly Table[], answers: Answers): readonly string[] {
  const columns = tables.flatMap(({ header }) =>
    numbersIn(answers).flatMap((number) => {
      const name = nameOf(header, number);
      return name === '' || header.includes(number) ? [] : [`${number}=${name}`];
    }),
  );
  return [...new Set(columns)];
}

/**
 * Throws SvcError (exit 2) if a number of a mapping file means another column than in the list for which the mapping
 * was saved. Otherwise `3=ignore` could take the only sign of an opt-out out of the status (C1, C10).
 */
export function refuseMovedColumns(tables: readonly Table[], options: ReadingOptions): void {
  const saved = Map.groupBy(options.savedColumns ?? [], (column) => column.slice(0, column.indexOf('=')));
  for (const number of numbersIn(options).filter((one) => saved.has(one))) {
    const names = (saved.get(number) ?? []).map((column) => column.slice(number.length + 1));
    const isMoved = ({ header }: Table) => !header.includes(number) && !names.includes(nameOf(header, number));
    const moved = tables.find(isMoved);
    if (moved) {
      const now = JSON.stringify(nameOf(moved.header, number));
      const before = names.map((name) => JSON.stringify(name)).join(' or ');
      const message = `--mapping: column ${number} of ${sourceLabel(moved.source)} is ${now}, and was ${before} when the mapping was saved`;
      const hint = `Correct this number in the file of --mapping, also in its "columns". Or answer again:\n${withoutFlags(['--mapping'])}`;
      throw new SvcError(EXIT.usage, 'moved_column', message, { hint });
    }
  }
}

// The header of a column. If several columns have it, also which of them this is.
function nameOf(header: readonly string[], number: string): string {
  const index = Number(number) - 1;
  const name = header[index] ?? '';
  const same = [...header.keys()].filter((other) => header[other] === name);
  return same.length > 1 && name !== '' ? `${name} (${same.indexOf(index) + 1} of ${same.length})` : name;
}

// The numbers before the value of an answer: `3` for `list.csv:3:left=skip`.
function numbersIn({ map, statusMap, topicValues }: Answers): readonly string[] {
  const columns = [
    ...[...map, ...Object.entries(topicValues).map((pair) => pair.join('='))].map((pair) => splitPair(pair)[0] ?? ''),
    ...Object.keys(statusMap).map((subject) => subject.slice(0, Math.max(0, subject.lastIndexOf(':')))),
  ];
  return [...new Set(columns.flatMap((column) => column.split(':').filter((part) => /^[1-9]\d*$/.test(part))))];
}

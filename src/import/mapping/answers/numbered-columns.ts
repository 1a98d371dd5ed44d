import { EXIT, SvcError, withoutPair } from '../../../base/lib/errors.ts';
import { sourceLabel } from '../../source/source.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import type { Table } from '../table.ts';
import { readingsOfColons } from './answer-keys.ts';
import { splitPair } from './answer-pairs.ts';

// An answer can name a column by its number: `--map 3=ignore`. In a later list, a different column may have this
// number. So a mapping file stores the headers of such columns, and svc compares them.

/** An answer that names a column of one table by its number. */
interface NumberedAnswer {
  readonly flag: string;
  /** The answer as typed: `left.csv:3:moved=skip`. */
  readonly pair: string;
  /** The name of the input and its colon, as typed. Empty if the answer is for all inputs. */
  readonly input: string;
  readonly number: string;
}

/**
 * The columns that answers name by their number, each with its header: `3=Status`, or `left.csv:3=Status (2 of 2)`. A
 * column without a header is `3=`.
 */
export function numberedColumns(tables: readonly Table[]): readonly string[] {
  const columns = tables.flatMap((table) =>
    numberedAnswers(table).map((answer) => startOf(answer) + nameOf(table.header, Number(answer.number) - 1)),
  );
  return [...new Set(columns)];
}

/**
 * Throws SvcError (exit 2) if a number of a mapping file means another column than in the list for which the mapping
 * was saved. Otherwise `3=ignore` could hide the only sign of an opt-out (C1, C10).
 */
export function refuseMovedColumns(tables: readonly Table[], { savedColumns = [] }: ReadingOptions): void {
  for (const table of tables) {
    const moved = numberedAnswers(table).flatMap((answer) => movedAnswer(table, answer, savedColumns));
    if (moved.length > 0) {
      throw movedColumnError(table, moved, savedColumns);
    }
  }
}

interface MovedAnswer extends NumberedAnswer {
  /** The headers of columns with this number when the mapping was saved. */
  readonly before: readonly string[];
  /** The number of the column that now has one of these headers. Undefined unless exactly one column has one. */
  readonly newNumber: number | undefined;
}

function movedAnswer({ header }: Table, answer: NumberedAnswer, saved: readonly string[]): readonly MovedAnswer[] {
  const start = startOf(answer);
  const before = saved.filter((column) => column.startsWith(start)).map((column) => column.slice(start.length));
  const wasBefore = (index: number) => before.some((name) => keyOf(name) === keyOf(nameOf(header, index)));
  const [first, ...others] = [...header.keys()].filter((index) => header[index] !== '' && wasBefore(index));
  const newNumber = first === undefined || others.length > 0 ? undefined : first + 1;
  return before.length === 0 || wasBefore(Number(answer.number) - 1) ? [] : [{ ...answer, before, newNumber }];
}

// The hint keeps all other answers of the file, because one of them may be all that keeps people from getting mail
// (C11).
function movedColumnError({ header, source }: Table, moved: readonly MovedAnswer[], saved: readonly string[]) {
  const [{ number, before } = { number: '', before: [] }] = moved;
  const was = before.map(headerText).join(' or ');
  const now = headerText(nameOf(header, Number(number) - 1));
  const message = `--mapping: column ${number} of ${sourceLabel(source)} is ${now}, and was ${was} when the mapping was saved`;
  const corrected = moved.flatMap(({ flag, pair, input, number: old, newNumber }) =>
    newNumber === undefined
      ? []
      : withoutPair(flag, pair, `${input}${newNumber}${pair.slice(input.length + old.length)}`),
  );
  const columns = saved.map((column) => {
    const answer = moved.find((one) => column.startsWith(startOf(one)));
    return answer === undefined ? column : `${answer.input}${answer.newNumber}=${column.slice(startOf(answer).length)}`;
  });
  const pairs = [...new Set(moved.map(({ pair }) => JSON.stringify(pair)))].join(' and ');
  const hint =
    corrected.length === moved.length
      ? ['The columns have other numbers now:', ...corrected, `Its "columns" are then: ${JSON.stringify(columns)}`]
      : [`Correct the numbers in the file of --mapping, also in its "columns": ${pairs}`];
  return new SvcError(EXIT.usage, 'moved_column', message, { hint: hint.join('\n') });
}

function headerText(name: string): string {
  return name === '' ? 'without a header' : JSON.stringify(name);
}

// The start of a saved column: `left.csv:3=`.
function startOf({ input, number }: NumberedAnswer): string {
  return `${input}${number}=`;
}

/** The answers that name a column of this table by its number. A number that is a header means this header. */
function numberedAnswers({ header, answers }: Table): readonly NumberedAnswer[] {
  const isNumber = (name: string) => /^[1-9]\d*$/.test(name) && Number(name) <= header.length && !header.includes(name);
  const inputOf = (pair: string, subject: string) => {
    const [typed = ''] = splitPair(pair);
    return typed.slice(0, typed.length - subject.length);
  };
  return [
    ...answers.maps
      .filter(({ column }) => isNumber(column))
      .map(({ column, pair }) => ({ flag: '--map', pair, input: inputOf(pair, column), number: column })),
    ...answers.words.flatMap(({ subject, pair }) =>
      readingsOfColons(subject)
        .filter(({ name }) => isNumber(name))
        .map(({ name }) => ({ flag: '--status-map', pair, input: inputOf(pair, subject), number: name })),
    ),
    ...answers.allowed.blanks
      .filter(isNumber)
      .map((number) => ({ flag: '--allow-blanks', pair: number, input: '', number })),
  ];
}

// The header of a column. If several columns have this header, also the position of the column among them.
function nameOf(header: readonly string[], index: number): string {
  const name = (header[index] ?? '').trim();
  const same = [...header.keys()].filter((other) => keyOf(header[other] ?? '') === keyOf(name));
  return same.length > 1 && name !== '' ? `${name} (${same.indexOf(index) + 1} of ${same.length})` : name;
}

// The key by which svc finds a column of the saved mapping again in a later list.
function keyOf(name: string): string {
  return name.normalize().trim().toLowerCase();
}

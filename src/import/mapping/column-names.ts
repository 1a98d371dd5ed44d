import { shellWord } from '../../base/lib/text.ts';
import { bareName, headerOrNumber } from '../../platforms/lib/headers.ts';
import type { TableShape } from '../../platforms/lib/platform.ts';
import type { State } from '../../platforms/lib/states.ts';
import { ALL_OTHER_WORDS, answerColumns, hasManyColons, plainWord, readingsOfColons } from './answers/answer-keys.ts';

/**
 * The name of a column in an answer: its header, or its number from 1 if the header is blank or ambiguous. A header is
 * ambiguous if other columns have it, if it has only symbols, or if it begins with a column name and a colon. But if a
 * column has this number as its header, the number means only that column. Then the ambiguous header is the name, and
 * means all columns with this header.
 */
export function answerName(header: readonly string[], index: number): string {
  const number = String(index + 1);
  const bare = bareName(header[index] ?? '');
  const counts = countsOfNames(header);
  const isAmbiguous = bare === '' || (counts.get(bare) ?? 0) > 1 || startsWithColumn(header, header[index] ?? '');
  return isAmbiguous && !counts.has(number) ? number : headerOrNumber(header, index);
}

// True for a header that begins with the name of a column: `Status:10:30` would also be the word `10:30` of a column
// `Status`.
function startsWithColumn(header: readonly string[], name: string): boolean {
  return hasManyColons(name) || readingsOfColons(name).some((start) => columnsNamed(header, start.name).length > 0);
}

/** The indexes of the columns that this name means in an answer. */
function columnsNamed(header: readonly string[], name: string): readonly number[] {
  const columnsOf = COLUMNS.get(header) ?? answerColumns(header);
  COLUMNS.set(header, columnsOf);
  return columnsOf(name);
}

const COLUMNS = new WeakMap<readonly string[], ReturnType<typeof answerColumns>>();

// The counts are cached by header, because svc may need the names of 100,000 columns in one table.
const COUNTS = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

// How many columns have each name. Names are equal if they differ only in case, accents, blanks and punctuation.
function countsOfNames(header: readonly string[]): ReadonlyMap<string, number> {
  const known = COUNTS.get(header);
  if (known) {
    return known;
  }
  const counts = new Map<string, number>();
  for (const name of header) {
    counts.set(bareName(name), (counts.get(bareName(name)) ?? 0) + 1);
  }
  COUNTS.set(header, counts);
  return counts;
}

/** The name of a column in messages: `"Status"`, or `"Status" (column 3)` if other columns have the same header. */
export function columnLabel(header: readonly string[], index: number): string {
  const [name, answer] = [headerOrNumber(header, index), answerName(header, index)];
  return name === answer ? JSON.stringify(name) : `${JSON.stringify(name)} (column ${answer})`;
}

/**
 * The name of a column for `--map`: its header, or its number if the header is blank or that of several columns. If the
 * number is also a header, it means the column with that header. Then the shared header is the name of all its columns.
 */
export function columnName({ header }: Pick<TableShape, 'header'>, index: number): string {
  const [name, number] = [header[index] ?? '', String(index + 1)];
  const isUnique = header.filter((other) => other === name).length === 1;
  const isNamed = name.trim() !== '' && (isUnique || header.includes(number));
  return isNamed ? name : number;
}

/** A table. `answeredAs` is the name of its input in answers. Undefined if it is the only input. */
interface AnsweredInput {
  readonly answeredAs?: string | undefined;
}

/** The flag that maps a column of this input to a field, as shell text: `--map 'Mail=email'`. */
export function mapFlag(table: AnsweredInput, column: string, field: string): string {
  return `--map ${shellWord(`${withInputName(table, column)}=${field}`)}`;
}

/**
 * A column or a word as an answer names it. If there are other inputs, the name of this one comes first:
 * `left.csv:Status` (C11).
 */
export function withInputName({ answeredAs }: AnsweredInput, text: string): string {
  return answeredAs === undefined ? text : `${answeredAs}:${text}`;
}

/**
 * The left side of a `--status-map` answer for one word of one column: `Status:left`, or `Status:` for its blanks. A
 * word with a special meaning gets a backslash. So a cell `*` becomes `Status:\*`, because `Status:*` means all other
 * words.
 */
export function wordInColumn(header: readonly string[], index: number, word: string): string {
  const name = answerName(header, index);
  const isAmbiguous =
    hasManyColons(word) ||
    readingsOfColons(`${name}:${word}`).some(
      (other) => other.name.length > name.length && columnsNamed(header, other.name).length > 0,
    );
  return `${name}:${plainWord(word, !isAmbiguous)}`;
}

/** What an answer about all other words of one column is about: `Status:*`. */
export function allWordsOf(header: readonly string[], index: number): string {
  return `${answerName(header, index)}:${ALL_OTHER_WORDS}`;
}

/** The flag that gives a status word of this input a state, as shell text. */
export function statusMapFlag(table: AnsweredInput, word: string, state: State): string {
  const answer = `${withInputName(table, word)}=${state}`;
  return answer.startsWith('-') ? shellWord(`--status-map=${answer}`) : `--status-map ${shellWord(answer)}`;
}

import { EXIT, SvcError, withoutPair } from '../../../base/lib/errors.ts';
import { joinAtMost, mostSimilar } from '../../../base/lib/text.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { STATE_COLUMN_KINDS } from '../../../platforms/lib/platform.ts';
import { answerWithoutInput, createInputNamer, namesOfInput } from '../../source/source.ts';
import { mayBeNamedOptedOut } from '../state/shared-names.ts';
import type { Table } from '../table.ts';
import { FILE_NAME } from './answer-keys.ts';
import { splitPair } from './answer-pairs.ts';
import { findNamedColumns } from './named-columns.ts';

/** True if an answer names a column, with the name of its input or without it. */
export function isColumn(tables: readonly Table[], column: string): boolean {
  return tables.some(({ header, source }) => {
    const withoutInput = answerWithoutInput(column, namesOfInput(source));
    const names = withoutInput === undefined ? [column] : [column, withoutInput];
    return names.some((name) => findNamedColumns(header, name).length > 0);
  });
}

interface WrongPair {
  readonly flag: string;
  readonly column: string;
  readonly pair: string;
  /** True if the hint may propose to leave the answer out, because its column can't be the only sign of an opt-out. */
  readonly mayLeaveOut: boolean;
  /** True if the answer may subscribe people: it says so, or makes svc ignore the status in a column. */
  readonly maySubscribe: boolean;
  /** The columns that hold the word of the answer. Undefined if svc has not searched them. */
  readonly holders?: readonly string[] | undefined;
}

/** The error for an answer that names a column or an input which no table has. */
export function unknownColumn(
  tables: readonly Table[],
  { flag, column, pair, mayLeaveOut, maySubscribe, holders }: WrongPair,
): SvcError {
  const input = unknownInputIn(tables, column);
  if (input !== undefined) {
    return unknownInput(tables, { flag, name: input, pair, maySubscribe, mayLeaveOut });
  }
  const end = prefixLength(tables, column);
  const named = tables.filter(({ source }) => answerWithoutInput(column, namesOfInput(source)) !== undefined);
  const open = end === 0 ? tables : named;
  // A column of addresses is no status column. With --status-map, a mark before an address gives a state.
  const mayMean = flag === '--map' && givesState(pair) ? open.flatMap(withoutAddresses) : headersOf(open);
  const similar = mostSimilar(column.slice(end), mayMean);
  // If svc knows no likely column and the answer must stay, the hint offers up to three columns without addresses. It
  // offers none of them if svc searched the cells for the word, because the answer has no effect in a column without
  // the word.
  const others = open.flatMap(withoutAddresses);
  const likely = holders !== undefined && holders.length > 0 ? holders : similar;
  const isComplete = likely.length > 0 || mayLeaveOut || holders !== undefined;
  const columns = isComplete ? likely : [...new Set(others)].slice(0, 3);
  const corrected = columns.map((other) =>
    withoutPair(flag, pair, `${column.slice(0, end)}${other}${pair.slice(column.length)}`),
  );
  const hint = [
    `${columnsText(open)}. Where there is no header, a number from 1`,
    ...(corrected.length > 0 ? ['Perhaps:', ...corrected] : []),
    ...(mayLeaveOut ? ['Without this answer:', withoutPair(flag, pair)] : []),
    ...(isComplete && columns.length === 0 && !mayLeaveOut
      ? [`If ${JSON.stringify(splitPair(pair)[0])} is a word, type its column and a colon before it`]
      : []),
  ];
  return new SvcError(EXIT.usage, 'unknown_column', `${flag}: no input has a column ${JSON.stringify(column)}`, {
    hint: hint.join('\n'),
  });
}

function givesState(pair: string): boolean {
  const [, target] = splitPair(pair);
  return STATE_TARGETS.has(target.trim().toLowerCase());
}

const STATE_TARGETS: ReadonlySet<string> = STATE_COLUMN_KINDS;

// The headers of a table, or their numbers, without those of the address columns.
function withoutAddresses({ header, columnIndexes, addressColumns }: Table): string[] {
  const { usable, other, sentAsAttributes, found } = addressColumns;
  const indexes = [columnIndexes.email, ...usable, ...other, ...sentAsAttributes, ...found.map(({ index }) => index)];
  return header.map((_, index) => headerOrNumber(header, index)).filter((_, index) => !indexes.includes(index));
}

/**
 * The name of an input that does not exist, at the start of an answer about a column: `lft.csv` of `lft.csv:Status`.
 * Undefined if the answer names an existing input. Also undefined if it has neither a file name nor a column after a
 * colon.
 */
export function unknownInputIn(tables: readonly Table[], column: string): string | undefined {
  const parts = column.split(':');
  const headers = new Set(
    headersOf(tables)
      .map(spelling)
      .filter((name) => name !== ''),
  );
  const end = parts.findIndex(
    (_, index) =>
      index > 0 && (FILE_NAME.test(parts[index - 1] ?? '') || headers.has(spelling(parts.slice(index).join(':')))),
  );
  return end < 0 || prefixLength(tables, column) > 0 ? undefined : parts.slice(0, end).join(':');
}

function spelling(name: string): string {
  return name.trim().toLowerCase();
}

/** The length of the name of an input and its colon at the start of an answer. 0 if the answer names no input. */
export function prefixLength(tables: readonly Table[], answer: string): number {
  const [rest = answer] = tables.flatMap(({ source }) => answerWithoutInput(answer, namesOfInput(source)) ?? []);
  return answer.length - rest.length;
}

/** The headers of all tables. */
export function headersOf(tables: readonly Table[]): string[] {
  return tables.flatMap(({ header }) => header);
}

const MAX_COLUMNS = 20;

/** The sentence of a hint that lists the columns. */
export function columnsText(tables: readonly Table[]): string {
  const names = [...new Set(headersOf(tables))].map((name) => JSON.stringify(name));
  return `Columns: ${joinAtMost(names, MAX_COLUMNS)}`;
}

interface WrongInput {
  readonly flag: string;
  readonly name: string;
  readonly pair: string;
  /** True if the answer may subscribe people of the input that it names. */
  readonly maySubscribe: boolean;
  readonly mayLeaveOut: boolean;
}

/** The error for an answer that names an input which does not exist. */
export function unknownInput(
  tables: readonly Table[],
  { flag, name, pair, maySubscribe, mayLeaveOut }: WrongInput,
): SvcError {
  const sources = tables.map(({ source }) => source);
  const nameOf = createInputNamer(sources);
  const inputs = sources.map(nameOf);
  // The hint offers only inputs with a similar name. If no name is similar, the answer may be for a file that the user
  // forgot. No hint signs up the people of an input that may be an opt-out list (C11).
  const open = maySubscribe ? sources.filter((source) => !mayBeNamedOptedOut(source)) : sources;
  const similar = mostSimilar(withoutExtension(name), open.map(nameOf).map(withoutExtension));
  const names = open.map(nameOf).filter((input) => similar.includes(withoutExtension(input)));
  return new SvcError(EXIT.usage, 'unknown_input', `${flag}: unknown input ${JSON.stringify(name)}`, {
    hint: [
      `Inputs are: ${joinAtMost(inputs, MAX_COLUMNS)}`,
      ...(names.length > 0 ? ['Perhaps:'] : []),
      ...names.map((input) => withoutPair(flag, pair, `${input}${pair.slice(name.length)}`)),
      ...(names.length === 0 && mayLeaveOut ? ['Without this answer:', withoutPair(flag, pair)] : []),
    ].join('\n'),
  });
}

// All lists have an extension, so an equal extension does not make two names similar.
function withoutExtension(name: string): string {
  return name.replace(/\.\w+$/, '');
}

import { EXIT, SvcError, withoutFlags, withoutPair } from '../../base/lib/errors.ts';
import { joinAtMost, mostSimilar, shellWord } from '../../base/lib/text.ts';
import { attributeKey } from '../../platforms/lib/attribute-keys.ts';
import { headerOrNumber } from '../../platforms/lib/headers.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import { delimiterNamed } from '../dialect/detect-dialect.ts';
import { readQuoteAnswers } from '../dialect/quoting/quoting.ts';
import { canonicalEncodingName } from '../encoding/encodings.ts';
import { createZoneOffset } from '../record/time-zones.ts';
import { answerWithoutInput, createInputNamer, namesOfInput } from '../source/source.ts';
import { findNamedColumns, platformNamed } from './map-columns.ts';
import { readMapAnswer } from './map-flag.ts';
import { type CheckedAnswers, type ReadingOptions, readAnswers } from './reading-answers.ts';
import { readDefaultStatus } from './state/default-status.ts';
import { mayBeNamedOptedOut } from './state/shared-names.ts';
import type { Table } from './table.ts';

/** Throws SvcError (exit 2) for an answer that is wrong for any list, such as an unknown encoding. */
export function checkAnswers(reading: ReadingOptions): CheckedAnswers {
  const { defaultStatus, from, encoding, delimiter, timezone } = reading;
  const answers = readAnswers(reading);
  Object.entries(defaultStatus).forEach(([input, state]) => readDefaultStatus(input, state));
  platformNamed(from);
  encoding === undefined || canonicalEncodingName(encoding);
  delimiter === undefined || delimiterNamed(delimiter);
  readQuoteAnswers(reading);
  createZoneOffset(timezone ?? 'UTC');
  return answers;
}

/** Throws SvcError (exit 2) for an answer that names a column or an input which no table has. */
export function checkAnswersFit(tables: readonly Table[], options: ReadingOptions): void {
  // A rejects file is read with the answers of its original run, which may be about other inputs of that run.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return;
  }
  for (const pair of options.map) {
    const { column, target } = readMapAnswer(pair);
    if (!isColumn(tables, column)) {
      const mayLeaveOut = !CONSENT_FIELDS.has(target.kind);
      throw unknownColumn(tables, { flag: '--map', column, pair, mayLeaveOut, maySubscribe: mayLeaveOut });
    }
  }
  for (const [column, value] of Object.entries(options.topicValues)) {
    if (!isColumn(tables, column)) {
      const pair = `${column}=${value}`;
      throw unknownColumn(tables, { flag: '--topic-value', column, pair, mayLeaveOut: true, maySubscribe: false });
    }
  }
  Object.entries(options.statusMap).forEach(([subject, state]) => refuseMistypedColumn(tables, subject, state));
  for (const [name, state] of Object.entries(options.defaultStatus)) {
    const isKnown =
      name === '*' || tables.some((table) => table.name === name || namesOfInput(table.source).includes(name));
    if (!isKnown) {
      const maySubscribe = readDefaultStatus(name, state).state === 'subscribed';
      const pair = `${name}=${state}`;
      throw unknownInput(tables, { flag: '--default-status', name, pair, maySubscribe, mayLeaveOut: true });
    }
  }
  refuseUnknownAttributes(tables, options);
}

// The fields of columns that may be the only sign of an opt-out. The hint never proposes to leave out an answer for
// them.
const CONSENT_FIELDS: ReadonlySet<string> = new Set(['status', 'unsubscribed_at', 'reason']);

/** True if an answer names a column, with the name of its input or without it. */
function isColumn(tables: readonly Table[], column: string): boolean {
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
  /** True if the hint may propose to leave out the pair: its column can't be the only sign of an opt-out. */
  readonly mayLeaveOut: boolean;
  /** True if the answer may subscribe people: it says so, or takes a column out of the status. */
  readonly maySubscribe: boolean;
}

function unknownColumn(
  tables: readonly Table[],
  { flag, column, pair, mayLeaveOut, maySubscribe }: WrongPair,
): SvcError {
  const input = unknownInputIn(tables, column);
  if (input !== undefined) {
    return unknownInput(tables, { flag, name: input, pair, maySubscribe, mayLeaveOut });
  }
  const end = prefixLength(tables, column);
  const named = tables.filter(({ source }) => answerWithoutInput(column, namesOfInput(source)) !== undefined);
  const open = end === 0 ? tables : named;
  const similar = mostSimilar(column.slice(end), headersOf(open));
  // Without a similar name, and if the answer must stay: any column that has no addresses.
  const others = open.flatMap(({ header, columnIndexes }) =>
    header.map((_, index) => headerOrNumber(header, index)).filter((_, index) => index !== columnIndexes.email),
  );
  const columns = similar.length > 0 || mayLeaveOut ? similar : [...new Set(others)].slice(0, 3);
  const corrected = columns.map((other) =>
    withoutPair(flag, pair, `${column.slice(0, end)}${other}${pair.slice(column.length)}`),
  );
  const hint = [
    `${describeColumns(open)}. Where there is no header, a number from 1`,
    ...(corrected.length > 0 ? ['Perhaps:', ...corrected] : []),
    ...(mayLeaveOut ? ['Without this answer:', withoutPair(flag, pair)] : []),
  ];
  return new SvcError(EXIT.usage, 'unknown_column', `${flag}: no input has a column ${JSON.stringify(column)}`, {
    hint: hint.join('\n'),
  });
}

/**
 * The name of an input that does not exist, at the start of an answer about a column: `lft.csv` of `lft.csv:Status`.
 * Undefined if the answer names an input, or if it starts like no file name and has no column after a colon.
 */
function unknownInputIn(tables: readonly Table[], column: string): string | undefined {
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

// Matches the name of a file that svc reads.
const FILE_NAME = /\.(?:csv|tsv|tab|txt|json|zip|gz)$/i;

function spelling(name: string): string {
  return name.trim().toLowerCase();
}

// The length of the name of an input and its colon at the start of an answer. 0 if the answer names no input.
function prefixLength(tables: readonly Table[], answer: string): number {
  const [rest = answer] = tables.flatMap(({ source }) => answerWithoutInput(answer, namesOfInput(source)) ?? []);
  return answer.length - rest.length;
}

function headersOf(tables: readonly Table[]): string[] {
  return tables.flatMap(({ header }) => header);
}

const MAX_COLUMNS = 20;

function describeColumns(tables: readonly Table[]): string {
  const names = [...new Set(headersOf(tables))].map((name) => JSON.stringify(name));
  return `Columns: ${joinAtMost(names, MAX_COLUMNS)}`;
}

// How similar a text must be to a header to count as mistyped. The limit is high, because a value of the list may have
// a colon too: `Reason: moved`.
const MISTYPED = 0.7;

/**
 * Throws if an answer about a word in one column names no column, but one with nearly the same name exists, or if it
 * names the number of a column that no table has, or an input that does not exist.
 */
function refuseMistypedColumn(tables: readonly Table[], subject: string, state: string): void {
  const pair = `${subject}=${state}`;
  const prefix = prefixLength(tables, pair);
  const parts = pair.slice(prefix).split(':');
  const starts = parts.slice(1).map((_, index) => pair.slice(0, prefix) + parts.slice(0, index + 1).join(':'));
  if (starts.some((start) => isColumn(tables, start))) {
    return;
  }
  // A word such as `List: News` is no answer for an input, although there is a column `News`.
  const mayNameInput = FILE_NAME.test(starts[0] ?? '') ? [...starts, subject] : starts;
  const ofUnknownInput = mayNameInput.find((start) => unknownInputIn(tables, start) !== undefined);
  const column = ofUnknownInput ?? starts[0] ?? '';
  const name = column.slice(prefix).trim();
  const isMistyped = /^\d+$/.test(name) || mostSimilar(name, headersOf(tables), MISTYPED).length > 0;
  if (ofUnknownInput !== undefined || (name !== '' && isMistyped)) {
    const maySubscribe = state.trim().toLowerCase() === 'subscribed';
    throw unknownColumn(tables, { flag: '--status-map', column, pair, mayLeaveOut: false, maySubscribe });
  }
}

interface WrongInput {
  readonly flag: string;
  readonly name: string;
  readonly pair: string;
  /** True if the answer may subscribe people of the input that it names. */
  readonly maySubscribe: boolean;
  readonly mayLeaveOut: boolean;
}

function unknownInput(tables: readonly Table[], { flag, name, pair, maySubscribe, mayLeaveOut }: WrongInput): SvcError {
  const sources = tables.map(({ source }) => source);
  const nameOf = createInputNamer(sources);
  const inputs = sources.map(nameOf);
  // A name that is not similar may be that of a forgotten file. And no hint signs up the people of an input that may be
  // an opt-out list (C11).
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

// All lists have an extension, so it makes no two names similar.
function withoutExtension(name: string): string {
  return name.replace(/\.\w+$/, '');
}

function refuseUnknownAttributes(tables: readonly Table[], { attributes }: ReadingOptions): void {
  if (attributes === 'all' || attributes === 'none') {
    return;
  }
  const headers = headersOf(tables);
  const bare = new Set(headers.flatMap((header) => [bareWord(header), bareWord(attributeKey(header))]));
  const unknown = attributes.find((column) => !bare.has(bareWord(column)));
  if (unknown !== undefined) {
    const corrected = attributes.flatMap((column) =>
      bare.has(bareWord(column)) ? column : mostSimilar(column, headers).slice(0, 1),
    );
    const flags = `--attributes ${shellWord([...new Set(corrected)].join(',') || 'none')}`;
    const message = `--attributes: no input has a column ${JSON.stringify(unknown)}`;
    throw new SvcError(EXIT.usage, 'unknown_column', message, {
      hint: `${describeColumns(tables)}. Perhaps:\n${withoutFlags(['--attributes'])} with ${flags}`,
    });
  }
}

import { EXIT, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { joinAtMost } from '../../base/lib/text.ts';
import { attributeKey } from '../../platforms/lib/attribute-keys.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import { delimiterNamed } from '../dialect/detect-dialect.ts';
import { readQuoteAnswers } from '../dialect/quoting/quoting.ts';
import { canonicalEncodingName } from '../encoding/encodings.ts';
import { createZoneOffset } from '../record/time-zones.ts';
import { answerWithoutInput, namesOfInput } from '../source/source.ts';
import { findNamedColumns, platformNamed } from './map-columns.ts';
import { type CheckedAnswers, type ReadingOptions, readAnswers } from './reading-answers.ts';
import { readDefaultStatus } from './state/default-status.ts';
import type { Table } from './table.ts';

/** Throws SvcError (exit 2) for an answer that is wrong for every list. */
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

const MAX_COLUMNS = 20;

/** Throws SvcError (exit 2) for an answer that names a column or an input which no table has. */
export function checkAnswersFit(tables: readonly Table[], options: ReadingOptions, answers: CheckedAnswers): void {
  // A rejects file is read with the answers of its original run, which may be about other inputs of that run.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return;
  }
  const headers = tables.map(({ header }) => header);
  const isColumn = (column: string) =>
    tables.some(({ header, source }) =>
      [column, answerWithoutInput(column, namesOfInput(source)) ?? ''].some(
        (name) => findNamedColumns(header, name).length > 0,
      ),
    );
  for (const { column } of answers.maps) {
    refuseUnknown(isColumn(column), '--map', column, headers);
  }
  for (const column of answers.topicValues.keys()) {
    refuseUnknown(isColumn(column), '--topic-value', column, headers);
  }
  for (const name of Object.keys(options.defaultStatus)) {
    const isKnown =
      name === '*' || tables.some((table) => table.name === name || namesOfInput(table.source).includes(name));
    if (!isKnown) {
      throw new SvcError(EXIT.usage, 'unknown_input', `--default-status: unknown input ${JSON.stringify(name)}`, {
        hint: `Inputs are: ${tables.map(({ source }) => source.name).join(', ')}. Without the flag:\n${withoutFlags(['--default-status'])}`,
      });
    }
  }
  const bare = new Set(headers.flat().flatMap((header) => [bareWord(header), bareWord(attributeKey(header))]));
  for (const column of options.attributes === 'all' || options.attributes === 'none' ? [] : options.attributes) {
    refuseUnknown(bare.has(bareWord(column)), '--attributes', column, headers);
  }
}

function refuseUnknown(isKnown: boolean, flag: string, column: string, headers: readonly (readonly string[])[]): void {
  if (!isKnown) {
    const names = [...new Set(headers.flat())].map((name) => JSON.stringify(name));
    throw new SvcError(EXIT.usage, 'unknown_column', `${flag}: no input has a column ${JSON.stringify(column)}`, {
      hint: [
        `Columns: ${joinAtMost(names, MAX_COLUMNS)}. Where there is no header, a number from 1`,
        'Without the flag:',
        withoutFlags(flag === '--topic-value' ? ['--map', flag] : [flag]),
      ].join('\n'),
    });
  }
}

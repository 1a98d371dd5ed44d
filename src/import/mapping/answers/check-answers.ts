import { EXIT, SvcError, withoutFlags } from '../../../base/lib/errors.ts';
import { mostSimilar, shellWord } from '../../../base/lib/text.ts';
import { attributeKey } from '../../../platforms/lib/attribute-keys.ts';
import { bareWord } from '../../../platforms/lib/status-words.ts';
import { readQuoteAnswers } from '../../csv/quoting.ts';
import { delimiterNamed } from '../../dialect/detect-dialect.ts';
import { canonicalEncodingName } from '../../encoding/encodings.ts';
import { createNameCounter, namesOfInput } from '../../source/source.ts';
import { createZoneOffset } from '../../values/time-zones.ts';
import { platformNamed } from '../map-columns.ts';
import { readMapAnswer } from '../map-flag.ts';
import { type ReadingOptions, readAnswers } from '../reading-answers.ts';
import { readDefaultStatus } from '../state/default-status.ts';
import type { Table } from '../table.ts';
import { FILE_NAME } from './answer-keys.ts';
import { DEFAULTS, defaultsOf } from './default-answers.ts';
import { decidingAnswers } from './exact-answers.ts';
import { refuseMovedColumns } from './numbered-columns.ts';
import {
  columnsText,
  headersOf,
  isColumn,
  prefixLength,
  unknownColumn,
  unknownInput,
  unknownInputIn,
} from './unknown-names.ts';

/** Throws SvcError (exit 2) for an answer that is wrong for any list, such as an unknown encoding. */
export function checkAnswers(reading: ReadingOptions): void {
  const { defaultStatus, from, encoding, delimiter, timezone } = reading;
  readAnswers(reading);
  Object.entries(defaultStatus).forEach(([input, state]) => readDefaultStatus(input, state));
  platformNamed(from);
  encoding === undefined || canonicalEncodingName(encoding);
  delimiter === undefined || delimiterNamed(delimiter);
  readQuoteAnswers(reading);
  createZoneOffset(timezone ?? 'UTC');
  refuseReasonBesideStates(reading);
}

// `--reason` says why every row is suppressed. So an answer such as `Plan:Pro=skip` would be ignored, and these people
// would be suppressed for ever (C5). The answer `unsubscribed` is no contradiction, because the reason only says more.
function refuseReasonBesideStates({ reason, statusMap, defaultStatus }: ReadingOptions): void {
  const says = (state: string) => state.trim().toLowerCase();
  const isOther = (state: string) => !['unsubscribed', reason && STATE_OF_REASON[reason]].includes(says(state));
  const others = [
    ...(Object.values(statusMap).some(isOther) ? ['--status-map'] : []),
    ...(Object.values(defaultStatus).some(isOther) ? ['--default-status'] : []),
  ];
  if (reason !== undefined && others.length > 0) {
    throw new SvcError(
      EXIT.usage,
      'contradicting_answers',
      `--reason ${reason} suppresses every row, but ${others.join(' and ')} says something else about some of them`,
      {
        hint: [
          'If not all people are suppressed:',
          withoutFlags(['--reason']),
          'If they are:',
          withoutFlags(others),
        ].join('\n'),
      },
    );
  }
}

const STATE_OF_REASON = { unsubscribed: 'suppressed', bounced: 'bounced', complained: 'complained' } as const;

/** Throws SvcError (exit 2) for an answer that contradicts another, or names a column or an input that no table has. */
export function checkAnswersFit(tables: readonly Table[], options: ReadingOptions): void {
  refuseReasonBesideStates(options);
  // If all inputs are rejects files, svc skips these checks: the answers are those of the original run, and may name
  // its other inputs.
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
  refuseTwoDefaults(tables, options);
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
  refuseMovedColumns(tables, options);
}

// Throws if two answers of --default-status name one input and differ: `list.csv=skip` and `./list.csv=subscribed`. If
// one of the names means further inputs too, the more exact answer counts.
function refuseTwoDefaults(tables: readonly Table[], options: ReadingOptions): void {
  const countNamed = createNameCounter(tables.map(({ source }) => source));
  tables.forEach(({ source }) => decidingAnswers(defaultsOf(source, options, countNamed), DEFAULTS));
}

// The fields of columns that may be the only sign of an opt-out. The hint never proposes to leave out an answer for
// them.
const CONSENT_FIELDS: ReadonlySet<string> = new Set(['status', 'unsubscribed_at', 'reason']);

// How similar a text must be to a header to count as mistyped. The limit is high, because the text before the colon may
// be the start of a value instead: `Reason: moved`.
const MISTYPED = 0.7;

/**
 * Throws if an answer of `--status-map` names no existing column, but its text before a colon is similar to a header.
 * Also throws if it names the number of a column that no table has, or an unknown input.
 */
function refuseMistypedColumn(tables: readonly Table[], subject: string, state: string): void {
  const pair = `${subject}=${state}`;
  const prefix = prefixLength(tables, pair);
  const parts = pair.slice(prefix).split(':');
  const starts = parts.slice(1).map((_, index) => pair.slice(0, prefix) + parts.slice(0, index + 1).join(':'));
  if (starts.some((start) => isColumn(tables, start))) {
    return;
  }
  // The whole subject counts here only if it begins with a file name. Otherwise svc would take `List` in the word
  // `List: News` for an input, if there is a column `News`.
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
      hint: `${columnsText(tables)}. Perhaps:\n${withoutFlags(['--attributes'])} with ${flags}`,
    });
  }
}

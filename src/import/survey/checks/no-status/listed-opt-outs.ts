import { mayBeFinalReply } from '../../../consent-columns/cells/mail-results.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { mayMeanOptOut } from '../../../consent-columns/headers/contrary-headers.ts';
import { meansOptOut } from '../../../consent-columns/headers/date-headers.ts';
import { MEANINGS_OF_AGREEMENT } from '../../../consent-columns/headers/header-reading.ts';
import { readHeader } from '../../../consent-columns/headers/read-header.ts';
import { keepsMailAway } from '../../../consent-columns/several-columns/combine-readings.ts';
import { isPlainYesNo, readYesNo, STATE_WORDS, wordLookupKey } from '../../../consent-columns/words/value-words.ts';
import type { Table } from '../../../mapping/table.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { FILLED, filledValuesInColumn, valuesInColumn } from '../../statistics/value-counts.ts';
import type { TableWithStatistics } from '../check-context.ts';
import { groupColumns } from '../grouped-blanks.ts';

/**
 * True if a column says who opted out, and svc understands all its values. A blank in it then means no opt-out. Notes
 * are no such column, because a blank among notes proves nothing. False for a table with a column of lists or groups,
 * because a blank in that column can mean an opt-out from all. Also false if a column is about a previous status, which
 * proves little.
 */
export function namesOptedOut(surveyed: TableWithStatistics): boolean {
  const { table, statistics } = surveyed;
  const { status } = statistics;
  return (
    table.consentColumns.some(
      (column) => !MEANINGS_WITHOUT_OPT_OUTS.has(column.meaning) && isUnderstood(column, status),
    ) &&
    !hasUnclearDate(table) &&
    (status.known > 0 || status.unknown.words.size > 0) &&
    !hasAgreed(table, status) &&
    !asksWhoAgreed(table, status) &&
    !deniesBesideBlanks(table, status) &&
    groupColumns(surveyed).length === 0 &&
    !table.consentColumns.some(({ holdsGroups, isPreviousStatus }) => holdsGroups || isPreviousStatus)
  );
}

// Columns such as `Lapsed status`, `Newsletter end`, `Bounced` and `Complained` do not say who opted out.
const MEANINGS_WITHOUT_OPT_OUTS: ReadonlySet<string> = new Set([
  'withheld',
  'either',
  'bounced',
  'bounces',
  'invalid',
  'mailError',
  'complained',
]);

// True if the column has values, and each is a date, a yes, a no, or a word that keeps mail away. A reply of a mail
// server makes the column unclear: it says who can't be reached, not who opted out.
function isUnderstood(column: ConsentColumn, { values }: StatusStatistics): boolean {
  const { index, holdsStates, mayMissOptOuts, stateOf } = column;
  const filled = filledValuesInColumn(values, index);
  const isClear = (value: string) => {
    const read = stateOf(value);
    return read.unknown === undefined && !mayBeFinalReply(value) && (keepsMailAway(read) || isPlainYesNo(value));
  };
  const isAllClear = filled.length > 0 && filled.every(({ value }) => value === FILLED || isClear(value));
  return holdsStates && !mayMissOptOuts && isAllClear;
}

// True if the column has opt-out dates only because `--map` says so: its header does not mean an opt-out.
function hasUnclearDate({ columnIndexes, header }: Table): boolean {
  const name = header[columnIndexes.unsubscribed_at];
  return name !== undefined && readHeader(name) === undefined && !meansOptOut(name);
}

/** True if a row has a reason that svc can't read, such as `550 5.1.1 no such user` beside `Marked as spam`. */
export function hasUnreadReason({ consentColumns }: Table, { values }: StatusStatistics): boolean {
  return consentColumns
    .filter(({ meaning }) => meaning === 'reason')
    .some(({ index }) =>
      valuesInColumn(values, index).some(({ value, states }) => value !== '' && (states.get('none') ?? 0) > 0),
    );
}

/**
 * True if a column about agreement subscribes rows. A blank in it may be a refusal, so svc does not first offer to sign
 * up people with a blank.
 */
export function hasAgreed({ consentColumns }: Table, { values }: StatusStatistics): boolean {
  return consentColumns.some(({ index, meaning }) => {
    const hasSubscribed = valuesInColumn(values, index).some(({ states }) => (states.get('subscribed') ?? 0) > 0);
    return MEANINGS_OF_AGREEMENT.has(meaning) && hasSubscribed;
  });
}

// True if svc asks about a word that may mean an agreement. A blank in the same column may then be a refusal.
function asksWhoAgreed({ consentColumns }: Table, { unknown }: StatusStatistics): boolean {
  const askedColumns = new Set([...unknown.words.values()].filter(({ word }) => word !== '').map(({ index }) => index));
  return consentColumns.some(({ index, meaning }) => MEANINGS_THAT_MAY_AGREE.has(meaning) && askedColumns.has(index));
}

// True if an opt-out column has blanks, and also a written no or a word such as `subscribed`. A blank is then not
// simply a no: some reports write the value of a group only in its first row.
function deniesBesideBlanks({ consentColumns }: Table, { values }: StatusStatistics): boolean {
  return consentColumns.some(({ index, meaning, filledMeansHappened }) => {
    const texts = valuesInColumn(values, index)
      .filter(({ rows }) => rows > 0)
      .map(({ value }) => value);
    const denies = texts.some((text) => text !== '' && saysSubscribed(text));
    return meaning === 'optedOut' && !filledMeansHappened && denies && texts.includes('');
  });
}

function saysSubscribed(value: string): boolean {
  return STATE_WORDS.get(wordLookupKey(value))?.state === 'subscribed' || (isPlainYesNo(value) && !readYesNo(value));
}

// The meanings of columns in which a word that svc asks about may be an agreement.
const MEANINGS_THAT_MAY_AGREE: ReadonlySet<string> = new Set(['agreed', 'either', 'channel']);

/**
 * The quoted headers of columns about consent that `--map` ignores or sends as attributes. Opt-outs in them are not
 * read.
 */
export function ignoredConsentColumns({ namedByMap, columns, header }: Table): readonly string[] {
  const hasOtherUse = (index: number) => ['ignore', 'attribute'].includes(columns[index]?.kind ?? '');
  const isAboutConsent = (name: string) => (readHeader(name)?.meaning ?? 'text') !== 'text' || mayMeanOptOut(name);
  const names = namedByMap.filter(hasOtherUse).map((index) => header[index] ?? '');
  return names.filter(isAboutConsent).map((name) => JSON.stringify(name));
}

import { basename } from 'node:path';
import type { ColumnTarget } from '../../../platforms/lib/platform.ts';
import type { State, StatusReading } from '../../../platforms/lib/states.ts';
import { holdsDates } from '../../consent-columns/cells/days.ts';
import type { RecognizedTable } from '../../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import {
  hasUnclearState,
  OPT_OUT_NAME_PATTERNS,
  saysAllOptedOut,
  stateByTitle,
} from '../../consent-columns/other-columns/list-names.ts';
import { withoutAccents } from '../../consent-columns/words/plain-words.ts';
import { type NamedInput, namesOfInput } from '../../source/source.ts';
import { type ReadingOptions, readState } from '../reading-answers.ts';
import type { Table } from '../table.ts';
import {
  hasOnlyWord,
  mayNameOptedOutPeople,
  namesFormerPeople,
  typedFolder,
  typedFolders,
} from './opt-out-file-names.ts';

type NamedTable = Pick<Table, 'source' | 'reading' | 'withoutStatus' | 'isDefaultNamed'>;

/**
 * True if the name or the platform of an input says that its people opted out, or may say so. False if
 * `--default-status` answers `subscribed` and names this input.
 */
export function isOptOutList(table: NamedTable): boolean {
  const known = optOutLists.get(table);
  if (known !== undefined) {
    return known;
  }
  const isFound = namesOptedOut(table);
  optOutLists.set(table, isFound);
  return isFound;
}

// The results of `isOptOutList`. svc asks for each row without a state, and reading a name takes time.
const optOutLists = new WeakMap<NamedTable, boolean>();

function namesOptedOut({ source, reading, withoutStatus, isDefaultNamed }: NamedTable): boolean {
  const isDenied = isDefaultNamed && withoutStatus.state === 'subscribed';
  return (
    !isDenied && (reading.suggestedState !== undefined || stateByName(source) !== undefined || hasDoubtfulName(source))
  );
}

/**
 * True for the reading of a row without a state in an opt-out list. Such a row counts as unknown until the user
 * answers, so that no other row signs up the people whom it names (C9).
 */
export function mayBeOptOut(table: NamedTable, { state, unknown }: StatusReading): boolean {
  return state === 'none' && unknown === undefined && isOptOutList(table);
}

/**
 * True if the name of an input or of its folder may mean that its people opted out, but is not clear: `old.csv`. svc
 * then asks about rows without a status. For names that say a state, but perhaps of other people, see `hasUnclearName`.
 */
export function hasDoubtfulName(source: NamedInput): boolean {
  const folder = typedFolder(source);
  return (
    stateByName(source) === undefined &&
    (mayNameOptedOutPeople(source) || (folder !== undefined && saysOnlyOptOut(folder)))
  );
}

/** True if a name says that people opted out, and has no other word that describes them: `unsubscribed list 2`. */
export function saysOnlyOptOut(name: string): boolean {
  return OPT_OUT_NAME_PATTERNS.some(([word]) => hasOnlyWord(withoutAccents(name), word));
}

/** True if the name of an input says a state, but may mean other people: `all-except-bounced.csv`. */
export function hasUnclearName(source: NamedInput): boolean {
  return hasUnclearState(titlesOf(source));
}

/**
 * The state that the name of a file or of one of its folders says: unsubscribed for `unsubscribed.csv`. Undefined if
 * none says one.
 */
export function stateByName(source: NamedInput): State | undefined {
  return stateByTitle(titlesOf(source));
}

// The names that can say a state: of the file, of its folders in an archive, and of folders in the typed path. A typed
// folder counts only if its name says nothing else: `unsub-export-tool` may be about something else.
function titlesOf(source: NamedInput): readonly string[] {
  const folders = typedFolders(source.path).filter(saysOnlyOptOut);
  return [...namesOfInput(source).map((name) => basename(name)), source.entry ?? '', ...folders];
}

/**
 * The answer of `--default-status` for rows of this input without a state. Undefined if there is none. For an opt-out
 * list, the answer `subscribed` counts only if it names this input, not if it is for all inputs.
 */
export function defaultStatus(
  source: NamedInput,
  options: ReadingOptions,
  isKnownOptOutList = false,
): StatusReading | undefined {
  const answers = options.defaultStatus;
  const name = answeredName(source, options);
  if (name !== undefined) {
    return readDefaultStatus(name, answers[name] ?? '');
  }
  const general = Object.hasOwn(answers, '*') ? answers['*'] : undefined;
  const status = general === undefined ? undefined : readDefaultStatus('*', general);
  const isNamed = stateByName(source) !== undefined || hasDoubtfulName(source);
  return status?.state === 'subscribed' && (isKnownOptOutList || isNamed) ? undefined : status;
}

/** The state that `--default-status` names for an input, or for all inputs (`*`). Throws SvcError for other text. */
export function readDefaultStatus(input: string, state: string): StatusReading {
  return readState(state, '--default-status', input === '*' ? '' : `${input}=`);
}

/** The name of this input in `--default-status`. Undefined if no answer names it. */
export function answeredName(
  source: NamedInput,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
): string | undefined {
  return namesOfInput(source).find((name) => Object.hasOwn(defaultStatus, name));
}

/**
 * True if the name of an input, or a title above its header, says that it is an opt-out list. A row that says
 * subscribed then has no state, because evidence against mail wins (C10). False if the user answered `subscribed` for
 * this input.
 */
export function distrustsSubscribed(
  source: NamedInput,
  titles: readonly string[],
  options: Pick<ReadingOptions, 'defaultStatus'>,
): boolean {
  const name = answeredName(source, options);
  const answer = name === undefined ? undefined : readDefaultStatus(name, options.defaultStatus[name] ?? '').state;
  const saysOptedOut = stateByName(source) !== undefined || namesFormerPeople(source) || titles.some(saysAllOptedOut);
  return saysOptedOut && answer !== 'subscribed';
}

/**
 * What each column becomes, such as a status or an attribute, after the consent columns were found. A column that
 * `--map` names keeps its target.
 */
export function stateTargets(table: RecognizedTable, consent: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, named } = table;
  const openColumns = consent.filter(({ index }) => !named.has(index) && columns[index]?.kind !== 'unsubscribed_at');
  return withStatus(withOptOutDate(table, openColumns), openColumns);
}

/**
 * Gives the field `unsubscribed_at` to the first consent column with dates of opt-outs, if no column has this field.
 */
function withOptOutDate(
  { columns, shape }: RecognizedTable,
  openColumns: readonly ConsentColumn[],
): readonly ColumnTarget[] {
  const isGiven = columns.some(({ kind }) => kind === 'unsubscribed_at');
  const dates = openColumns.find(({ meaning, index }) => meaning === 'optedOut' && holdsDates(shape.sample, index));
  return isGiven || !dates ? columns : columns.with(dates.index, { kind: 'unsubscribed_at' });
}

/**
 * Gives each consent column with states the field `status` or `reason`, so it is not sent as an attribute. These
 * columns stay attributes: those with only the date or the cause of a state, and agreements that can't mean subscribed.
 */
function withStatus(targets: readonly ColumnTarget[], openColumns: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const stateColumns = new Map(
    openColumns.flatMap((column) =>
      column.holdsStates && !column.filledMeansHappened ? [[column.index, column] as const] : [],
    ),
  );
  return targets.map((target, index) => {
    const column = target.kind === 'attribute' ? stateColumns.get(index) : undefined;
    return (column && statusTarget(column)) ?? target;
  });
}

function statusTarget({ meaning, mayMeanSubscribed }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'optedOut' || mayMeanSubscribed ? { kind: 'status' } : undefined;
}

import { basename } from 'node:path';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { State, StatusReading } from '../../platforms/lib/states.ts';
import { holdsDates } from '../consent-columns/cells/days.ts';
import type { RecognizedTable } from '../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import { NAME_PATTERNS, namesUnused, stateByTitle } from '../consent-columns/other-columns/list-names.ts';
import type { Source } from '../source/source.ts';
import { holdsOnly, mayNameOptedOutPeople, typedFolder } from './opt-out-file-names.ts';
import { type ReadingOptions, readStateAnswer } from './reading-answers.ts';
import type { Table } from './table.ts';

type Named = Pick<Source, 'path' | 'entry' | 'name'>;

/**
 * True if the name or the platform of an input shows that its people opted out, or may show it. The rows need no status
 * for this. False if `--default-status` names this input and the answer is `subscribed`.
 */
export function isOptOutList({
  source,
  reading,
  withoutStatus,
  isDefaultNamed,
}: Pick<Table, 'source' | 'reading' | 'withoutStatus' | 'isDefaultNamed'>): boolean {
  const isDenied = isDefaultNamed && withoutStatus.state === 'subscribed';
  return !isDenied && (reading.offers !== undefined || stateByName(source) !== undefined || hasDoubtfulName(source));
}

/**
 * True if the name of an input or of its folder may mean that its people opted out, but does not clearly say so. Then
 * svc asks about rows without a status. Rows with a status keep it.
 */
export function hasDoubtfulName(source: Named): boolean {
  const folder = typedFolder(source);
  return (
    stateByName(source) === undefined &&
    (mayNameOptedOutPeople(source) || (folder !== undefined && NAME_PATTERNS.some(([word]) => holdsOnly(folder, word))))
  );
}

/** True for a name such as `inactive.csv`. These people may have opted out, so no other input should sign them up. */
export function isNamedUnused(source: Named): boolean {
  return stateByName(source) === 'skip' && titlesOf(source).some(namesUnused);
}

/** The state that the name of a file or of an archive entry means. Undefined if it means none. */
export function stateByName(source: Named): State | undefined {
  return stateByTitle(titlesOf(source));
}

// The names that count for the state. Folders count only inside an archive, because its author named them.
function titlesOf(source: Named): readonly string[] {
  return [...namesOf(source).map((name) => basename(name)), source.entry ?? ''];
}

/**
 * The answer of `--default-status` for the rows of an input that have no state. Undefined if there is none. An answer
 * for all inputs that says `subscribed` does not apply to an opt-out list, known by its content or by its name. Only an
 * answer that names this input does.
 */
export function defaultStatus(
  source: Named,
  options: ReadingOptions,
  isKnownOptOutList = false,
): StatusReading | undefined {
  const answers = options.defaultStatus;
  const named = answeredName(source, options);
  if (named !== undefined) {
    return readStateAnswer(named, answers[named] ?? '');
  }
  const general = Object.hasOwn(answers, '*') ? answers['*'] : undefined;
  const status = general === undefined ? undefined : readStateAnswer('--default-status', general);
  const isNamed = stateByName(source) !== undefined || hasDoubtfulName(source);
  return status?.state === 'subscribed' && (isKnownOptOutList || isNamed) ? undefined : status;
}

/** The name that `--default-status` uses for this input. Undefined if no answer names it. */
export function answeredName(
  source: Named,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
): string | undefined {
  return namesOf(source).find((name) => Object.hasOwn(defaultStatus, name));
}

/**
 * True if the name of an input means an opt-out list. Then a status `subscribed` in its rows does not count, because
 * evidence against mail wins (rule C10). False if an answer names the input and says `subscribed`.
 */
export function distrustsSubscribed(source: Named, options: Pick<ReadingOptions, 'defaultStatus'>): boolean {
  const named = answeredName(source, options);
  const answer = named === undefined ? undefined : readStateAnswer(named, options.defaultStatus[named] ?? '').state;
  return stateByName(source) !== undefined && answer !== 'subscribed';
}

/** All names by which an answer can name an input. */
export function namesOf({ path, entry, name }: Named): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

/** The targets of all columns after the consent columns were found. Columns that --map names keep their target. */
export function stateTargets(table: RecognizedTable, consent: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, named } = table;
  const free = consent.filter(({ at }) => !named.has(at) && columns[at]?.kind !== 'unsubscribed_at');
  return withStatus(withOptOutDate(table, free), free);
}

/** If no column is the opt-out date, the first consent column with the dates of opt-outs becomes it. */
function withOptOutDate({ columns, shape }: RecognizedTable, free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const isGiven = columns.some(({ kind }) => kind === 'unsubscribed_at');
  const dates = free.find(({ meaning, at }) => meaning === 'left' && holdsDates(shape.sample, at));
  return isGiven || !dates ? columns : columns.with(dates.at, { kind: 'unsubscribed_at' });
}

/** Consent columns with states are not sent as attributes. Those with the date or the cause of a state are sent. */
function withStatus(targets: readonly ColumnTarget[], free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const stateColumns = new Map(
    free.flatMap((column) => (column.holdsStates && !column.filledMeansHappened ? [[column.at, column] as const] : [])),
  );
  return targets.map((target, at) => {
    const column = target.kind === 'attribute' ? stateColumns.get(at) : undefined;
    return (column && statusTarget(column)) ?? target;
  });
}

function statusTarget({ meaning, mayMeanSubscribed }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'left' || mayMeanSubscribed ? { kind: 'status' } : undefined;
}

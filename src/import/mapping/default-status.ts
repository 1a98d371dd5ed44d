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
 * True if the name or platform of an input says that these people must not be mailed, even if no row says so. False if
 * `--default-status` names the input and calls them subscribed.
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
 * True if the name of an input, or its folder as typed, may say that its people opted out. Then svc asks about rows
 * without a status. Rows with a status are believed.
 */
export function hasDoubtfulName(source: Named): boolean {
  const folder = typedFolder(source);
  return (
    stateByName(source) === undefined &&
    (mayNameOptedOutPeople(source) || (folder !== undefined && NAME_PATTERNS.some(([word]) => holdsOnly(folder, word))))
  );
}

/** True for a name such as `inactive.csv`. These people may have opted out. If so, no other input may sign them up. */
export function isNamedUnused(source: Named): boolean {
  return stateByName(source) === 'skip' && titlesOf(source).some(namesUnused);
}

/** The state that the name of a file or entry suggests; undefined if it suggests none. */
export function stateByName(source: Named): State | undefined {
  return stateByTitle(titlesOf(source));
}

// Only folders inside an archive count, because its author named them. See `hasDoubtfulName` for other folders.
function titlesOf(source: Named): readonly string[] {
  return [...namesOf(source).map((name) => basename(name)), source.entry ?? ''];
}

/**
 * The answer of `--default-status` for rows of an input without any state. `subscribed` for every input doesn't apply
 * to known opt-out lists, or to inputs whose name suggests another state. The answer has to name such an input.
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

/** The name by which an answer of `--default-status` names this input; undefined if none does. */
export function answeredName(
  source: Named,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
): string | undefined {
  return namesOf(source).find((name) => Object.hasOwn(defaultStatus, name));
}

/**
 * True for an input that is named as an opt-out list. Its rows that say subscribed are not trusted (rule C10: evidence
 * against mail wins), unless an answer names the input and says `subscribed`.
 */
export function distrustsSubscribed(source: Named, options: Pick<ReadingOptions, 'defaultStatus'>): boolean {
  const named = answeredName(source, options);
  const answer = named === undefined ? undefined : readStateAnswer(named, options.defaultStatus[named] ?? '').state;
  return stateByName(source) !== undefined && answer !== 'subscribed';
}

export function namesOf({ path, entry, name }: Named): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

/** The targets of all columns, once the consent columns are known. The columns of --map keep theirs. */
export function stateTargets(table: RecognizedTable, consent: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, named } = table;
  const free = consent.filter(({ at }) => !named.has(at) && columns[at]?.kind !== 'unsubscribed_at');
  return withStatus(withOptOutDate(table, free), free);
}

/** If no column gives the date of the opt-out, the first consent column that holds such dates gives it. */
function withOptOutDate({ columns, shape }: RecognizedTable, free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const isGiven = columns.some(({ kind }) => kind === 'unsubscribed_at');
  const dates = free.find(({ meaning, at }) => meaning === 'left' && holdsDates(shape.sample, at));
  return isGiven || !dates ? columns : columns.with(dates.at, { kind: 'unsubscribed_at' });
}

/** A column whose words are states is not sent as an attribute. A column with the date or the cause of a state is. */
function withStatus(targets: readonly ColumnTarget[], free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const spoken = new Map(
    free.flatMap((column) => (column.speaks && !column.detail ? [[column.at, column] as const] : [])),
  );
  return targets.map((target, at) => {
    const column = target.kind === 'attribute' ? spoken.get(at) : undefined;
    return (column && statusTarget(column)) ?? target;
  });
}

function statusTarget({ meaning, permits }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'left' || permits ? { kind: 'status' } : undefined;
}

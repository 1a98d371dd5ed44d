import { basename } from 'node:path';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { State, StatusReading } from '../../platforms/lib/states.ts';
import { holdsDates } from '../consent-columns/cells/days.ts';
import type { RecognizedTable } from '../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../consent-columns/detect.ts';
import type { Source } from '../source/source.ts';
import { type ReadingOptions, readStateAnswer } from './answers.ts';
import type { Table } from './table.ts';

// Words in file names and the state they suggest, named as in --default-status. The first match wins. Names are
// compared without accents.
const NAME_PATTERNS: readonly (readonly [pattern: RegExp, state: State])[] = [
  [/bounce|cleaned|undeliverable|rebotad|rebote|rimbalz|ru?e?cklae?ufer|(?<![a-z])dead(?![a-z])/i, 'bounced'],
  [/complain|spam|junk|abuse/i, 'complained'],
  [
    /suppress|block|blacklist|denylist|exclu(?:de|sion)|do[\s_-]?not[\s_-]?(?:contact|send|e?-?mail)|sperrliste|robinson|(?<![a-z])dn[cde](?![a-z])/i,
    'suppressed',
  ],
  [
    /unsub|opt(?:ed|ing)?[\s_-]?out|cancel(?:l?ed|ad)|abgemeldet|abmeld|desabonn|desinscri|disiscri|afgemeld|uitgeschreven|descadastr|(?<![a-z])bajas?(?![a-z])|(?<![a-z])(?:former|lapsed|ex)[\s_-]?(?:subscribers?|members?|contacts?|abonn\w*)|wypisan|avregistr|avmeld|frameld|odhlas|leiratkoz|dezabon|отпис|配信停止|退会|退订|退訂|수신거부|(?<![a-z])(?:gone|left|quit|stop|leavers?|churned)(?![a-z])|ku?e?ndigung|widerspr|ausgetreten|deleted|removed/i,
    'unsubscribed',
  ],
  [/unconfirmed|pending/i, 'pending'],
  [/inactive|(?:non|never|not)[\s_-]?subscribed|archived|invalid/i, 'skip'],
];

/** True if the name or platform of an input says that these people must not be mailed, even if no row says so. */
export function isOptOutList({ source, reading }: Pick<Table, 'source' | 'reading'>): boolean {
  return reading.offers !== undefined || isNamedForOptOuts(source);
}

function isNamedForOptOuts(source: Pick<Source, 'path' | 'entry' | 'name'>): boolean {
  return stateByName(source) !== undefined;
}

/** The state that the name of a file or entry suggests; undefined if it suggests none. */
export function stateByName(source: Pick<Source, 'path' | 'entry' | 'name'>): State | undefined {
  // Only folders inside an archive count, because its author named them. Folders on this machine are ignored.
  return stateByTitle([...namesOf(source).map((name) => basename(name)), source.entry ?? '']);
}

/** The state that titles suggest: names, the lines above a header, or the header over the addresses. */
export function stateByTitle(titles: readonly string[]): State | undefined {
  const texts = titles.map(withoutAccents);
  return NAME_PATTERNS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

function withoutAccents(name: string): string {
  // Hangul is composed again, because the patterns above hold whole syllables.
  return name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/**
 * The answer of `--default-status` for rows of an input without any state. `subscribed` for every input doesn't apply
 * to known opt-out lists, or to inputs whose name suggests another state. The answer has to name such an input.
 */
export function defaultStatus(
  source: Pick<Source, 'path' | 'entry' | 'name'>,
  options: ReadingOptions,
  leftHere = false,
): StatusReading | undefined {
  const answers = new Map(Object.entries(options.defaultStatus));
  const named = namesOf(source).find((name) => answers.has(name));
  if (named !== undefined) {
    return readStateAnswer(named, answers.get(named) ?? '');
  }
  const general = answers.get('*');
  const status = general === undefined ? undefined : readStateAnswer('--default-status', general);
  return status?.state === 'subscribed' && (leftHere || isNamedForOptOuts(source)) ? undefined : status;
}

/**
 * True for an input whose name says opt-out list. Its rows that say subscribed are not trusted (rule C10: evidence
 * against mail wins), unless an answer names the input and says `subscribed`.
 */
export function contradictsRows(
  source: Pick<Source, 'path' | 'entry' | 'name'>,
  { defaultStatus: answers }: Pick<ReadingOptions, 'defaultStatus'>,
): boolean {
  const named = namesOf(source).find((name) => Object.hasOwn(answers, name));
  const answer = named === undefined ? undefined : readStateAnswer(named, answers[named] ?? '').state;
  return isNamedForOptOuts(source) && answer !== 'subscribed';
}

export function namesOf({ path, entry, name }: Pick<Source, 'path' | 'entry' | 'name'>): readonly string[] {
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

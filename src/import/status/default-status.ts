import { basename } from 'node:path';
import { readStateAnswer } from '../mapping/answers.ts';
import type { Table } from '../mapping/table.ts';
import type { ReadingOptions, Source, StatusReading } from '../types.ts';

// What a name tells, in the words of --default-status; the first that fits. Names are compared without accents.
const TELLING: readonly (readonly [told: RegExp, state: string])[] = [
  [/bounce|cleaned|undeliverable|rebotad|rebote|rimbalz/i, 'bounced'],
  [/complain|spam|junk|abuse/i, 'complained'],
  [
    /suppress|block|blacklist|denylist|exclu(?:de|sion)|do[\s_-]?not[\s_-]?(?:contact|send|e?-?mail)|sperrliste/i,
    'suppressed',
  ],
  [
    /unsub|opt(?:ed|ing)?[\s_-]?out|cancel(?:l?ed|ad)|abgemeldet|abmeld|desabonn|desinscri|disiscri|afgemeld|uitgeschreven|descadastr|(?<![a-z])bajas?(?![a-z])|(?<![a-z])(?:former|lapsed|ex)[\s_-]?(?:subscribers?|members?|contacts?|abonn\w*)|wypisan|avregistr|avmeld|frameld|odhlas|leiratkoz|dezabon|отпис|配信停止|退会|退订|退訂|수신거부/i,
    'unsubscribed',
  ],
  [/unconfirmed|pending/i, 'pending'],
  [/inactive|(?:non|never|not)[\s_-]?subscribed|archived|deleted|removed|invalid/i, 'skip'],
];

/** True for an input whose name or platform says that these people are not to be mailed, though no row says why. */
export function holdsPeopleWhoLeft({ source, reading }: Pick<Table, 'source' | 'reading'>): boolean {
  return reading.offers !== undefined || namesPeopleWhoLeft(source);
}

function namesPeopleWhoLeft(source: Pick<Source, 'path' | 'entry' | 'name'>): boolean {
  return toldState(source) !== undefined;
}

/** The state that a file or entry seems to be named for; undefined for names that tell nothing. */
export function toldState(source: Pick<Source, 'path' | 'entry' | 'name'>): string | undefined {
  // A folder on this machine tells nothing, one in the archive was named by whoever made it.
  const names = [...namesOf(source).map((name) => basename(name)), source.entry ?? ''].map(withoutAccents);
  return TELLING.find(([told]) => names.some((name) => told.test(name)))?.[1];
}

function withoutAccents(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * What `--default-status` says for rows of an input without any state. `subscribed` for every input doesn't reach one
 * whose name says otherwise, or of which it is known that its people left: that one has to be named.
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
  const verdict = general === undefined ? undefined : readStateAnswer('--default-status', general);
  return verdict?.state === 'subscribed' && (leftHere || namesPeopleWhoLeft(source)) ? undefined : verdict;
}

/**
 * True for an input whose name says that its people left: a row in it that says subscribed isn't believed (rule C10), until
 * an answer that names the input says that it is right.
 */
export function contradictsRows(
  source: Pick<Source, 'path' | 'entry' | 'name'>,
  { defaultStatus: answers }: Pick<ReadingOptions, 'defaultStatus'>,
): boolean {
  const named = namesOf(source).find((name) => Object.hasOwn(answers, name));
  const answer = named === undefined ? undefined : readStateAnswer(named, answers[named] ?? '').state;
  return namesPeopleWhoLeft(source) && answer !== 'subscribed';
}

/** Every name by which an answer may mean this source. */
export function namesOf({ path, entry, name }: Pick<Source, 'path' | 'entry' | 'name'>): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

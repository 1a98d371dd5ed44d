import { basename } from 'node:path';
import { readStateAnswer } from './answers.ts';
import type { ReadingOptions, Source, StateVerdict } from './types.ts';

const TELLING = /unsub|opt[\s_-]?out|suppress|bounce|block|complain|spam|clean|inactive/i;

/** True for a file or entry whose name says that these people are not to be mailed. */
export function namesPeopleWhoLeft(source: Pick<Source, 'path' | 'entry' | 'name'>): boolean {
  return namesOf(source).some((name) => TELLING.test(basename(name)));
}

/**
 * What `--default-status` says for rows of an input without any state. `subscribed` for every input doesn't reach one
 * whose name says otherwise: that one has to be named.
 */
export function defaultStatus(
  source: Pick<Source, 'path' | 'entry' | 'name'>,
  options: ReadingOptions,
): StateVerdict | undefined {
  const answers = new Map(Object.entries(options.defaultStatus));
  const named = namesOf(source).find((name) => answers.has(name));
  if (named !== undefined) {
    return readStateAnswer(named, answers.get(named) ?? '');
  }
  const general = answers.get('*');
  const verdict = general === undefined ? undefined : readStateAnswer('--default-status', general);
  return verdict?.state === 'subscribed' && namesPeopleWhoLeft(source) ? undefined : verdict;
}

function namesOf({ path, entry, name }: Pick<Source, 'path' | 'entry' | 'name'>): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

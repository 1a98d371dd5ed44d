import { basename, dirname, isAbsolute } from 'node:path';
import { isFormerOrFiller, mayMeanFormerPeople, meansFormerPeople } from '../../consent-columns/words/former-people.ts';
import { wordsOf } from '../../consent-columns/words/plain-words.ts';
import { holdsMisspelledOptOut } from '../../consent-columns/words/typing-errors.ts';
import type { TableSource } from '../../source/source.ts';

/**
 * True if the name of a file, or of its folder in an archive, may mean that the people opted out. svc then asks about
 * rows without a status (C4). Rows with a status keep it, unless `namesFormerPeople` is true.
 */
export function mayNameOptedOutPeople(source: Pick<TableSource, 'name' | 'entry'>): boolean {
  return (
    namesOfFileAndFolders(source).some(
      (title) => mayMeanFormerPeople(title) || holdsMisspelledOptOut(wordsOf(title)),
    ) || namesFormerPeople(source)
  );
}

/**
 * True if the name of a file or of one of its folders means people who left or refused: `weg.csv`, `old members.csv`.
 * svc then asks about rows that say subscribed too.
 */
export function namesFormerPeople(source: Pick<TableSource, 'name' | 'entry'> & { readonly path?: string }): boolean {
  return [...namesOfFileAndFolders(source), ...typedFolders(source.path ?? '')].some(meansFormerPeople);
}

function namesOfFileAndFolders({ name, entry }: Pick<TableSource, 'name' | 'entry'>): readonly string[] {
  const file = basename(name).replace(/(?:\.[a-z]{2,5}){1,2}$/i, '');
  return [file, ...(entry === undefined ? [] : dirname(entry).split('/'))];
}

const FOLDERS_WITHOUT_MEANING: ReadonlySet<string> = new Set(['', '.', '..', 'rejects']);

/**
 * The folders in a typed path. Of an absolute path, only the last two count, because the others are seldom about the
 * list.
 */
export function typedFolders(path: string): readonly string[] {
  const folders = dirname(path).split('/');
  return (isAbsolute(path) ? folders.slice(-2) : folders).filter((folder) => !FOLDERS_WITHOUT_MEANING.has(folder));
}

/**
 * The folder of a file, as the user typed it. Undefined without a folder, for an archive entry, and for the folder of
 * rejects files.
 */
export function typedFolder({ path, entry }: Pick<TableSource, 'path' | 'entry'>): string | undefined {
  const folder = basename(dirname(path));
  return entry !== undefined || FOLDERS_WITHOUT_MEANING.has(folder) ? undefined : folder;
}

/**
 * True if a name contains this opt-out word, and no other word that describes the people: `unsubscribed list 2`, but
 * not `unsubscribed donors`.
 */
export function hasOnlyWord(name: string, word: RegExp): boolean {
  if (!word.test(name)) {
    return false;
  }
  const otherText = name.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}]*(?:${word.source})[\\p{L}\\p{N}]*`, 'giu'),
    ' ',
  );
  return wordsOf(otherText)
    .split(' ')
    .every((other) => /^\p{N}*$/u.test(other) || isFormerOrFiller(other));
}

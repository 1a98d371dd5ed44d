import { basename } from 'node:path';
import type { Source } from './source.ts';

export type NamedInput = Pick<Source, 'path' | 'entry' | 'name'>;

/** All names by which an answer of the user can name an input. */
export function namesOf({ path, entry, name }: NamedInput): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

/**
 * The name of an input in an answer. Two archive entries can have one file name: `Active/list.csv` and `Left/list.csv`.
 */
export function answeredAs({ path, entry, name }: NamedInput, all: readonly NamedInput[]): string {
  const isShared = all.filter((other) => other.name === name).length > 1;
  return isShared ? (entry ?? path) : name;
}

/**
 * The rest of an answer that names this input before a colon: `Out:x` of `left.csv:Out:x`. Undefined if the answer does
 * not name it.
 */
export function restForInput(answer: string, names: readonly string[]): string | undefined {
  const name = names.find((one) => one !== '' && answer.startsWith(`${one}:`));
  return name === undefined ? undefined : answer.slice(name.length + 1);
}

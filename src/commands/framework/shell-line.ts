import { shellWord } from '../../base/lib/text.ts';

/** The words after `svc` as a line that can be pasted, with flags more (shell text). What stands behind `--` is no flag. */
export function lineWithFlags(flags: string, words: readonly string[]): string {
  const end = flagsOf(words).length;
  return ['svc', ...words.slice(0, end).map(shellWord), flags, ...words.slice(end).map(shellWord)].join(' ');
}

/** The words that may be flags: those before `--`. */
export function flagsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

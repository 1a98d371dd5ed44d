import { shellWord } from '../base/text.ts';

/** The words after `svc` as a line that can be pasted, with a flag more. What stands behind `--` is no flag. */
export function lineWith(flag: string, words: readonly string[]): string {
  const end = flagsOf(words).length;
  return ['svc', ...words.slice(0, end), flag, ...words.slice(end)].map(shellWord).join(' ');
}

/** The words that may be flags: those before `--`. */
export function flagsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

import { possibleFlagsOf, shellFlag } from '../../base/lib/text.ts';
import type { TypedCommand } from '../../runs/store/run-header.ts';

/**
 * The flags of `svc contacts check` that decide how a list is read. An import has them too. --save-mapping is not among
 * them, because it writes a file.
 */
const WITH_VALUE = [
  ...['--from', '--map', '--mapping', '--status-map', '--default-status', '--attributes', '--topic-value'],
  ...['--timezone', '--date-order', '--encoding', '--delimiter', '--quote', '--escape', '--empty', '--duplicates'],
  ...['--allow-heading', '--allow-legend', '--allow-blanks', '--max-failures'],
];
const SWITCHES = ['--allow-joined-files'];

/**
 * Returns the reading flags of a command line, and those of the answers at its terminal, each as shell text. With them,
 * a printed `svc contacts check` reads the list as the run did. Empty if the run recorded no command line.
 */
export function readingFlagsOf(typed: Pick<TypedCommand, 'words' | 'answers'> | undefined): readonly string[] {
  return typed === undefined ? [] : [...typed.answers, ...possibleFlagsOf(typed.words)].flatMap(flagAt);
}

function flagAt(word: string, index: number, words: readonly string[]): string[] {
  if (WITH_VALUE.includes(words[index - 1] ?? '')) {
    return [];
  }
  const [name = '', joined] = word.split(/=(.*)/s);
  const value = joined ?? words[index + 1];
  if (WITH_VALUE.includes(name) && value !== undefined) {
    return [shellFlag(name, value)];
  }
  return SWITCHES.includes(word) ? [word] : [];
}

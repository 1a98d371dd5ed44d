import { reworded, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { isFlags, type Retype } from '../../migrate/plan/commands-for-stops.ts';
import type { Invocation } from '../framework/invocation.ts';
import { flagsOf, lineWithFlags, programName } from '../framework/output/command-to-paste.ts';

/** Completes the flags in the hint of an error to whole commands. Other lines of the hint stay. */
export function withWholeHint(error: unknown, retype: Retype | undefined): unknown {
  if (!(error instanceof SvcError) || retype === undefined || error.hint === undefined) {
    return error;
  }
  const lines = error.hint.split('\n').map((line) => (isFlags(line.replace(COMMENT, '')) ? retype(line) : line));
  return reworded(error, { hint: lines.join('\n') });
}

// The shell comment after a command. It names the audience that the command chooses by its id.
const COMMENT = / {3}# .*$/;

/**
 * The line with more flags (shell text), to paste. Flags that choose an audience replace those of the line. A comment
 * behind them goes to the end. `answers` are further words before the flags.
 */
export function retypeLine(
  flags: string,
  { line, context }: Pick<Invocation<unknown>, 'line' | 'context'>,
  answers: readonly string[] = [],
): string {
  const isChoice = flags.startsWith('--audience');
  const comment = isChoice ? (COMMENT.exec(flags)?.[0] ?? '') : '';
  const bare = flags.slice(0, flags.length - comment.length);
  const all = [...answers.map(shellWord), bare].filter((part) => part !== '').join(' ');
  return lineWithFlags(all, isChoice ? withoutAudience(line) : line, programName(context)) + comment;
}

/** The words of a line without the flags that choose an audience. */
function withoutAudience(words: readonly string[]): readonly string[] {
  const end = flagsOf(words).length;
  const hasValue = (word: string | undefined) => word === '--audience' || word === '--audience-name';
  return words.filter(
    (word, at) =>
      at >= end ||
      !(hasValue(word) || hasValue(words[at - 1]) || /^--(?:audience(?:-name)?=|create-audience$)/.test(word)),
  );
}

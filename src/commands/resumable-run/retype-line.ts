import { rewordError, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { type CommandWithFlags, isFlagsOnly } from '../../migrate/plan/commands-for-stops.ts';
import type { Invocation } from '../framework/invocation.ts';
import { lineWithFlags, possibleFlagsOf, programName } from '../framework/output/command-to-paste.ts';

/** The error with whole commands in its hint. */
export function withCommandsInHint(error: unknown, commandWith: CommandWithFlags | undefined): unknown {
  if (!(error instanceof SvcError) || commandWith === undefined || error.hint === undefined) {
    return error;
  }
  return rewordError(error, { hint: withCommandLines(error.hint, commandWith) });
}

/** Replaces each line of flags in a hint by a whole command. Other lines stay. */
export function withCommandLines(hint: string, commandWith: CommandWithFlags): string {
  const lines = hint.split('\n').map((line) => (isFlagsOnly(line) ? commandWith(line) : line));
  return lines.join('\n');
}

/**
 * The typed line with more flags (`flags` is shell text), to paste. If `flags` choose an audience, the typed flags for
 * the audience are left out. `answers` are flags from answers at the terminal; they come first.
 */
export function retypeLine(
  flags: string,
  { line, context }: Pick<Invocation<unknown>, 'line' | 'context'>,
  answers: readonly string[] = [],
): string {
  const isChoice = flags.startsWith('--audience');
  const all = [...answers.map(shellWord), flags].filter((part) => part !== '').join(' ');
  return lineWithFlags(all, isChoice ? withoutAudience(line) : line, programName(context));
}

/** The words without the flags that choose an audience, and without their values. */
function withoutAudience(words: readonly string[]): readonly string[] {
  const end = possibleFlagsOf(words).length;
  const hasValue = (word: string | undefined) => word === '--audience' || word === '--audience-name';
  return words.filter(
    (word, index) =>
      index >= end ||
      !(hasValue(word) || hasValue(words[index - 1]) || /^--(?:audience(?:-name)?=|create-audience$)/.test(word)),
  );
}

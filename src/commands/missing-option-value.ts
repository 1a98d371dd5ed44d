import type { Command } from 'commander';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { flagsOf } from './framework/shell-line.ts';

/** Flags whose value may be any text that somebody wrote. */
const TEXTS: ReadonlySet<string> = new Set(['--subject', '--text', '--description']);

/**
 * Refuses a flag whose value is a flag: an empty variable of a script would make a file or an audience of that name.
 * `--flag=value` takes any value.
 */
export function refuseForgotten(program: Command, argv: readonly string[]): void {
  // Half a line that is being completed is no order.
  if (argv[0] === '__complete') {
    return;
  }
  const options = allOf(program).flatMap((command) => command.options);
  const flags = new Set(options.flatMap(({ short, long }) => [short, long]));
  const wanting = new Set(options.filter(({ required }) => required).map(({ long }) => long));
  const words = flagsOf(argv);
  const at = words.findIndex((word, index) => wanting.has(word) && !TEXTS.has(word) && flags.has(words[index + 1]));
  if (at >= 0) {
    throw new SvcError(EXIT.usage, 'usage', `${words[at]} needs a value, and ${words[at + 1]} is a flag`, {
      hint: `If it is meant: ${words[at]}=${words[at + 1]}`,
    });
  }
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

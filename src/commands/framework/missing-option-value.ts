import type { Command } from 'commander';
import { badUsage } from '../../base/lib/errors.ts';
import { flagsOf } from './invocation.ts';

/** Flags whose value is free text. */
const TEXTS: ReadonlySet<string> = new Set(['--subject', '--text', '--description']);

/**
 * Refuses a flag whose value is another flag. Otherwise an empty variable in a script would create a file or an
 * audience with that name. `--flag=value` accepts any value.
 */
export function refuseMissingOptionValue(program: Command, argv: readonly string[]): void {
  // During completion the value may still be typed.
  if (argv[0] === '__complete') {
    return;
  }
  const options = withSubcommands(program).flatMap((command) => command.options);
  const flags = new Set(options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined));
  const withValue = new Set(options.filter(({ required }) => required).map(({ long }) => long));
  const words = flagsOf(argv);
  // A flag at the end of the line is commander's to refuse.
  const at = words.findIndex(
    (word, index) => withValue.has(word) && !TEXTS.has(word) && flags.has(words[index + 1] ?? ''),
  );
  if (at >= 0) {
    throw badUsage(
      `${words[at]} needs a value, and ${words[at + 1]} is a flag`,
      `If you mean it: ${words[at]}=${words[at + 1]}`,
    );
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

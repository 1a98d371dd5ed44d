import { Command } from 'commander';
import { addExamples } from './examples.ts';
import { withGlobals } from './globals.ts';
import { type AddCommandGroup, COMMAND_GROUPS, type CommandGroup } from './groups.ts';
import type { Host } from './invocation.ts';

/**
 * Adds every noun to the program: those that the words name as a whole, the others as a line of its help, which is a good
 * part of the time that a short command takes. Without words, and for a shell that completes, all of them are whole.
 */
export async function addCommandGroups(
  program: Command,
  host: Host,
  words: readonly string[] | undefined,
): Promise<void> {
  const all = words === undefined || words.includes('__complete');
  const whole = (noun: CommandGroup) => all || words.includes(noun.name);
  const adds = await Promise.all(
    COMMAND_GROUPS.map((noun): AddCommandGroup | Promise<AddCommandGroup> =>
      whole(noun) ? noun.load() : asLine(noun),
    ),
  );
  for (const add of adds) {
    add(program, host);
  }
  addExamples(program);
}

function asLine({ name, args, summary }: CommandGroup): AddCommandGroup {
  const line = withGlobals(new Command(name)).summary(summary);
  if (args !== undefined) {
    line.argument(args);
  }
  return (program) => {
    program.addCommand(line);
  };
}

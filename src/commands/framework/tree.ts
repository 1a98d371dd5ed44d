import { Command } from 'commander';
import { addExamples, addPlatforms } from './examples.ts';
import { withGlobals } from './globals.ts';
import { type AddCommandGroup, COMMAND_GROUPS, type CommandGroup } from './groups.ts';
import type { Host } from './invocation.ts';

/**
 * Adds every command group to the program. Groups that the words name are loaded in full. The others are only a line of
 * the help, because loading takes much of the time of a short command. Without words, and for completion, all groups
 * are loaded.
 */
export async function addCommandGroups(
  program: Command,
  host: Host,
  words: readonly string[] | undefined,
): Promise<void> {
  const all = words === undefined || words.includes('__complete');
  const whole = (group: CommandGroup) => all || words.includes(group.name);
  const adds = await Promise.all(
    COMMAND_GROUPS.map((group): AddCommandGroup | Promise<AddCommandGroup> =>
      whole(group) ? group.load() : asLine(group),
    ),
  );
  for (const add of adds) {
    add(program, host);
  }
  addExamples(program);
  if (words?.some((word) => word === '--help' || word === '-h') || words?.[0] === 'help') {
    await addPlatforms(program);
  }
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

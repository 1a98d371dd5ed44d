import { Command } from 'commander';
import { wrap } from '../../render/text/wrap.ts';
import { EXAMPLES } from './examples-data.ts';
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

/** Adds the examples to the help of every command that has some. The command tree must be complete by then. */
function addExamples(program: Command): void {
  for (const command of leavesOf(program)) {
    const examples = EXAMPLES[pathOf(command)] ?? [];
    if (examples.length > 0) {
      command.addHelpText('after', () => `\nExamples:\n${examples.map(shown).join('\n')}`);
    }
  }
  program.addHelpText('after', '\nTopics: svc help exit-codes | environment | mapping | idempotency');
}

/** Adds the platforms to the help of every command with --from. They are loaded only if help is asked for. */
async function addPlatforms(program: Command): Promise<void> {
  const readers = leavesOf(program).filter(({ options }) => options.some(({ flags }) => flags === '--from <platform>'));
  if (readers.length > 0) {
    const { platformIds } = await import('../../platforms/registry.ts');
    const lines = wrap(['auto', ...platformIds()].join(' '), HELP_COLUMNS).map((line) => `  ${line}`);
    readers.forEach((command) => command.addHelpText('after', `\nPlatforms for --from:\n${lines.join('\n')}`));
  }
}

const HELP_COLUMNS = 76;

function shown({ line, does }: { readonly line: string; readonly does: string }): string {
  return `  # ${does}\n  ${line}`;
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

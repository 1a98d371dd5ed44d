import type { Command } from 'commander';
import { wrap } from '../../render/text/wrap.ts';
import { EXAMPLES } from './examples-data.ts';

/** Adds the examples to the help of every command that has some. The command tree must be complete by then. */
export function addExamples(program: Command): void {
  for (const command of leavesOf(program)) {
    const examples = EXAMPLES[pathOf(command)] ?? [];
    if (examples.length > 0) {
      command.addHelpText('after', () => `\nExamples:\n${examples.map(shown).join('\n')}`);
    }
  }
  program.addHelpText('after', '\nTopics: svc help exit-codes | environment | mapping | idempotency');
}

/** Adds the platforms to the help of every command with --from. They are loaded only where help is asked for. */
export async function addPlatforms(program: Command): Promise<void> {
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

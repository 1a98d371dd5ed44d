import type { Command } from 'commander';
import { EXIT } from '../../base/lib/errors.ts';
import { type CommandBody, type CommandHost, setAction } from '../framework/invocation.ts';

/** The topics of `svc help`: pages that belong to no command. */
export const HELP_TOPICS = ['exit-codes', 'environment', 'mapping', 'idempotency'];

export function addHelpCommand(help: Command, host: CommandHost, program: Command): void {
  help.argument('[words...]', 'a command such as "webhooks ls", or a topic');
  setAction(help, host, async () => showHelp(program));
}

function showHelp(program: Command): CommandBody<unknown> {
  return async (invocation) => {
    const { args } = invocation;
    const { print } = await import('../framework/output/print.ts');
    const command = commandNamed(program, args);
    if (command) {
      print(invocation, { object: 'help', command: args.join(' '), text: helpOf(command) }, ({ text }) => text);
      return EXIT.ok;
    }
    const { readHelpTopic: readTopic } = await import('./topics.ts');
    print(invocation, { object: 'help_topic', ...readTopic(args.join(' ')) }, ({ text }) => text);
    return EXIT.ok;
  };
}

/** The help of a command, with its examples. commander can only print it, so svc catches the printed text. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (text) => parts.push(text) }).outputHelp();
  return parts.join('');
}

/** The command that these words name. Undefined if a word names no command. */
export function commandNamed(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((child) => child.name() === word),
    program,
  );
}

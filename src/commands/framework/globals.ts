import { type Command, Option } from 'commander';

/** The flags that every command takes, as the user typed them. Undefined if not typed. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly mcpUrl?: string;
  readonly emulator?: boolean;
  readonly emulatorData?: string;
  readonly plan?: 'free' | 'paid';
  readonly stateDir?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly progress?: boolean;
  readonly color?: boolean;
  readonly yes?: boolean;
}

/** Adds the global flags to a command, so that they may stand before or after its name. */
export function withGlobals(command: Command): Command {
  for (const option of OPTIONS) {
    command.addOption(option);
  }
  return command;
}

// Created once for all commands, because parsing the definition of a flag takes longer than adding it.
const OPTIONS: readonly Option[] = [
  new Option('--profile <name>', 'profile of the configuration file to use'),
  new Option('--base-url <url>', 'base URL of the service: https, or http to loopback'),
  new Option('--api-key-file <path>', 'file that holds the API key ("-": standard input)'),
  new Option('--mcp-url <url>', 'MCP endpoint of the service'),
  new Option('--emulator', 'rehearse on an emulated service, started for this command'),
  new Option('--emulator-data <dir>', 'like --emulator, and keep its data here'),
  new Option('--plan <plan>', 'plan of the account').choices(['free', 'paid']),
  new Option('--state-dir <dir>', 'where runs are kept'),
  new Option('--json', 'one JSON document on stdout'),
  new Option('-q, --quiet', 'no progress and no notes'),
  new Option('-v, --verbose', 'one line per request on stderr'),
  new Option('--no-progress', 'no progress bars'),
  new Option('--no-color', 'no colors'),
  new Option('-y, --yes', 'agree to the plan beforehand; needed without a terminal'),
].map((option) => option.helpGroup('Global options:'));

/** The global flags, wherever they are in the command line. If a flag is given twice, the last one wins. */
export function globalsOf(command: Command): GlobalFlags {
  const chain: Command[] = [];
  for (let current: Command | null = command; current; current = current.parent) {
    chain.unshift(current);
  }
  return Object.fromEntries(chain.flatMap((command) => Object.entries(typedOptions(command))));
}

/**
 * Only the flags that were typed at this command. A default would otherwise hide a value that was typed at another
 * place of the command line.
 */
export function typedOptions(command: Command): Record<string, unknown> {
  const typed = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(typed);
}

import type { Command } from 'commander';
import { wrapText } from '../render/text/wrap.ts';
import { EXAMPLES } from './examples-data.ts';
import { withGlobals } from './framework/globals.ts';
import type { CommandHost } from './framework/invocation.ts';

/**
 * Adds every command group to the program. Loads only the groups that the command line names, because loading takes
 * most of the time of a short command. Of each other group, adds only the name and the line in the help. Without words,
 * and for completion, loads all groups.
 */
export async function addCommandGroups(
  program: Command,
  host: CommandHost,
  words: readonly string[] | undefined,
): Promise<void> {
  const needsAll = words === undefined || words.includes('__complete');
  const mayLoad = (group: CommandGroup) => needsAll || words.includes(group.name);
  const loaded = await Promise.all(COMMAND_GROUPS.map((group) => (mayLoad(group) ? group.load() : undefined)));
  for (const [index, group] of COMMAND_GROUPS.entries()) {
    addGroup(program, host, group, loaded[index]);
  }
  addExamples(program);
  if (words?.some((word) => word === '--help' || word === '-h') || words?.[0] === 'help') {
    await addPlatforms(program);
  }
}

/** Adds a command group with its verbs and flags; without `add`, only its help line, arguments and global flags. */
function addGroup(program: Command, host: CommandHost, group: CommandGroup, add: AddCommandGroup | undefined): void {
  const { name, args, summary } = group;
  const command = program.command(name).summary(summary).description(summary);
  if (add) {
    add(command, host, program);
  } else if (args !== undefined) {
    command.argument(args);
  }
  // A command without verbs has the global flags already, because `setAction` added them after its own flags.
  if (!add || command.commands.length > 0) {
    withGlobals(command);
  }
}

function addExamples(program: Command): void {
  for (const command of leavesOf(program)) {
    const examples = EXAMPLES[pathOf(command)] ?? [];
    if (examples.length > 0) {
      command.addHelpText(
        'after',
        () => `\nExamples:\n${examples.map(({ line, does }) => `  # ${does}\n  ${line}`).join('\n')}`,
      );
    }
  }
  program.addHelpText('after', '\nTopics: svc help exit-codes | environment | mapping | idempotency');
}

/**
 * Adds the names of the platforms to the help of each command with --from. Called only if the user asks for help,
 * because loading the platforms takes time.
 */
async function addPlatforms(program: Command): Promise<void> {
  const readers = leavesOf(program).filter(({ options }) => options.some(({ flags }) => flags === '--from <platform>'));
  if (readers.length > 0) {
    const { platformIds } = await import('../platforms/registry.ts');
    const lines = wrapText(['auto', ...platformIds()].join(' '), HELP_COLUMNS).map((line) => `  ${line}`);
    readers.forEach((command) => command.addHelpText('after', `\nPlatforms for --from:\n${lines.join('\n')}`));
  }
}

const HELP_COLUMNS = 76;

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/** Adds the verbs and flags of a group to its command. May replace the summary by a longer description. */
type AddCommandGroup = (command: Command, host: CommandHost, program: Command) => void;

/** A command group: its name, its summary, and how to load the rest, which `svc --help` does not need. */
interface CommandGroup {
  readonly name: string;
  /** The arguments of the group in commander's notation, such as `<input...>`. */
  readonly args?: string;
  readonly summary: string;
  load(): Promise<AddCommandGroup>;
}

/** All command groups, in the order of the help. */
const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'migrate',
    args: '<input...>',
    summary: 'Move a list: survey, plan, suppressions, contacts, verification.',
    load: async () => (await import('./migrate.ts')).addMigrateCommand,
  },
  {
    name: 'contacts',
    summary: 'Contacts of an audience.',
    load: async () => (await import('./contacts/contacts.ts')).addContactsCommands,
  },
  {
    name: 'suppressions',
    summary: "The account's suppression list.",
    load: async () => (await import('./suppressions/suppressions.ts')).addSuppressionsCommands,
  },
  {
    name: 'automations',
    summary: 'Automations: series of emails that the service sends by itself.',
    load: async () => (await import('./automations/automations.ts')).addAutomationsCommands,
  },
  {
    name: 'audiences',
    summary: 'Audiences: lists of contacts.',
    load: async () => (await import('./audiences/audiences.ts')).addAudiencesCommands,
  },
  {
    name: 'webhooks',
    summary: 'Webhook endpoints: their health, deliveries and signatures.',
    load: async () => (await import('./webhooks/webhooks.ts')).addWebhooksCommands,
  },
  {
    name: 'emails',
    summary: 'Transactional email: one message at a time.',
    load: async () => (await import('./emails/emails.ts')).addEmailsCommands,
  },
  {
    name: 'runs',
    summary: 'List, show, resume, verify and delete the runs on this machine.',
    load: async () => (await import('./runs/runs.ts')).addRunsCommands,
  },
  {
    name: 'doctor',
    summary: 'Check key, clock, rate, plan, automations, webhooks and state folder.',
    load: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  },
  {
    name: 'auth',
    summary: 'API keys and profiles on this machine.',
    load: async () => (await import('./auth/auth.ts')).addAuthCommands,
  },
  {
    name: 'emulator',
    summary: 'The whole service on this machine, to rehearse and to test against.',
    load: async () => (await import('./emulator/emulator.ts')).addEmulatorCommands,
  },
  {
    name: 'mcp',
    summary: "The service's MCP endpoint: list and call its tools.",
    load: async () => (await import('./mcp/mcp.ts')).addMcpCommands,
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'Print the completion script of a shell. It completes ids of audiences, automations, webhooks and runs.',
    load: async () => (await import('./completion/completion.ts')).addCompletionCommand,
  },
  {
    name: 'help',
    args: '[words...]',
    summary: 'Show the help of a command, or a topic: exit-codes, environment, mapping, idempotency.',
    load: async () => (await import('./help/help.ts')).addHelpCommand,
  },
];

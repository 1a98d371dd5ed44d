import type { Command } from 'commander';
import type { Host } from './invocation.ts';

/** Adds a command group and its verbs to the tree. */
export type AddCommandGroup = (program: Command, host: Host) => void;

/** A command group as the help of the program shows it. The rest is loaded if the command line names the group. */
export interface CommandGroup {
  readonly name: string;
  /** Arguments in commander's notation: `<input...>`. */
  readonly args?: string;
  readonly summary: string;
  load(): Promise<AddCommandGroup>;
}

/**
 * Every command group, in the order of the help. A new group is one file and one entry here. A test compares the two.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'migrate',
    args: '<input...>',
    summary: 'Move a list: survey, plan, suppressions, contacts, verification.',
    load: async () => (await import('../migrate.ts')).addMigrate,
  },
  {
    name: 'contacts',
    summary: 'Contacts of an audience.',
    load: async () => (await import('../contacts/contacts.ts')).addContacts,
  },
  {
    name: 'suppressions',
    summary: "The account's suppression list.",
    load: async () => (await import('../suppressions/suppressions.ts')).addSuppressions,
  },
  {
    name: 'automations',
    summary: 'Automations: published flows that a contact runs through.',
    load: async () => (await import('../automations/automations.ts')).addAutomations,
  },
  {
    name: 'audiences',
    summary: 'Audiences: lists of contacts.',
    load: async () => (await import('../audiences/audiences.ts')).addAudiences,
  },
  {
    name: 'webhooks',
    summary: 'Webhook endpoints: their health, deliveries and signatures.',
    load: async () => (await import('../webhooks/webhooks.ts')).addWebhooks,
  },
  {
    name: 'emails',
    summary: 'Transactional email: one message at a time.',
    load: async () => (await import('../emails/emails.ts')).addEmails,
  },
  {
    name: 'runs',
    summary: 'List, show, resume, verify and delete the runs on this machine.',
    load: async () => (await import('../runs/runs.ts')).addRuns,
  },
  {
    name: 'doctor',
    summary: 'Check key, clock, rate, plan, flows, webhooks and state folder.',
    load: async () => (await import('../doctor/doctor.ts')).addDoctor,
  },
  {
    name: 'auth',
    summary: 'API keys and profiles on this machine.',
    load: async () => (await import('../auth/auth.ts')).addAuth,
  },
  {
    name: 'emulator',
    summary: 'The whole service on this machine, to rehearse and to test against.',
    load: async () => (await import('../emulator/emulator.ts')).addEmulator,
  },
  {
    name: 'mcp',
    summary: "The service's MCP endpoint: list and call its tools.",
    load: async () => (await import('../mcp/mcp.ts')).addMcp,
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'Print the completion script of a shell. It completes ids of audiences, automations, webhooks and runs.',
    load: async () => (await import('../completion/completion.ts')).addCompletion,
  },
  {
    name: 'help',
    args: '[words...]',
    summary: 'Show the help of a command, or a topic: exit-codes, environment, mapping, idempotency.',
    load: async () => (await import('../help/help.ts')).addHelp,
  },
];

import { join } from 'node:path';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';

/** A test setup in which every command has something to read and to write. */
export interface FullWorld extends World {
  readonly automation: string;
  /** The arguments of a command of COMMANDS. */
  line(name: string): readonly string[];
}

/** An account with contacts, suppressions, an automation and an endpoint. */
export async function createFullWorld(): Promise<FullWorld> {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addContacts([
    { email: 'person0@example.com', first_name: 'Ana', attributes: { town: 'Rome' } },
    { email: 'gone@example.com', status: 'unsubscribed' },
  ]);
  admin.suppress(['bounced@example.com']);
  const automation = admin.createAutomation({ name: 'Welcome' });
  const list = world.file(
    'list.csv',
    `${people(4)}left@example.com,Left,unsubscribed\nblocked@example.com,B,bounced\n`,
  );
  const members = world.file('members.csv', 'email\nperson0@example.com\nstranger@example.com\n');
  const hook = await world.svc([...CREATE_HOOK, '--url', 'https://hooks.example.com/first', '--secret-file', 'first']);
  if (hook.code !== 0) {
    throw new Error(hook.err);
  }
  admin.emitEvent('email.sent', { object: 'email', email: 'person0@example.com' });
  const account = { folder: world.folder, audience: world.emulator.audienceId, automation, list, members };
  return { ...world, automation, line: (name) => COMMANDS[name]!({ ...account, hook: admin.webhooks()[0]!.id }) };
}

const CREATE_HOOK = ['webhooks', 'create', '--event', 'email.sent', '--json'];

/** Ids and paths for the command lines. */
interface Account {
  readonly folder: string;
  readonly audience: string;
  readonly automation: string;
  readonly list: string;
  readonly members: string;
  readonly hook: string;
}

const MCP = ['--mcp-url', 'https://mail.example.test/mcp'];

/** One line for each command that asks a service. */
export const COMMANDS: Readonly<Record<string, (account: Account) => readonly string[]>> = {
  migrate: ({ list, audience }) => ['migrate', list, '--audience', audience, '--json', '--yes'],
  'contacts import --explicit-status': ({ list, audience }) => [
    ...['contacts', 'import', list, '--audience', audience, '--json', '--yes', '--explicit-status'],
  ],
  'suppressions import': ({ list }) => ['suppressions', 'import', list, '--json', '--yes', '--reason', 'bounced'],
  'migrate --create-audience': ({ list }) => [
    ...['migrate', list, '--audience-name', 'New', '--create-audience', '--json', '--yes'],
  ],
  'automations enroll': ({ automation, members }) => ['automations', 'enroll', automation, members, '--json', '--yes'],
  'automations enroll --create-contacts': ({ automation, members }) => [
    ...['automations', 'enroll', automation, members, '--json', '--yes', '--create-contacts'],
  ],
  'webhooks create': () => [...CREATE_HOOK, '--url', 'https://hooks.example.com/in', '--secret-file', 'secret'],
  'webhooks ls --json': () => ['webhooks', 'ls', '--json'],
  'webhooks ls': () => ['webhooks', 'ls'],
  'webhooks get': ({ hook }) => ['webhooks', 'get', hook],
  'webhooks update': ({ hook }) => ['webhooks', 'update', hook, '--add-event', 'email.bounced'],
  'webhooks deliveries': ({ hook }) => ['webhooks', 'deliveries', hook],
  'webhooks deliveries --summary': ({ hook }) => ['webhooks', 'deliveries', hook, '--summary'],
  'webhooks delete': ({ hook }) => ['webhooks', 'delete', hook, '--confirm', hook],
  'contacts ls': ({ audience }) => ['contacts', 'ls', '--audience', audience],
  'contacts ls --json': ({ audience }) => ['contacts', 'ls', '--audience', audience, '--json'],
  'contacts get': ({ audience }) => ['contacts', 'get', 'person0@example.com', '--audience', audience],
  'contacts export': ({ audience, folder }) => [
    ...['contacts', 'export', '--audience', audience, '--output', join(folder, 'out.csv')],
  ],
  'suppressions ls': () => ['suppressions', 'ls'],
  'suppressions count': () => ['suppressions', 'count', '--json'],
  'automations ls': () => ['automations', 'ls'],
  'audiences ls': () => ['audiences', 'ls'],
  'audiences get': ({ audience }) => ['audiences', 'get', audience],
  'audiences create': () => ['audiences', 'create', 'Another', '--json'],
  'audiences rename': ({ audience }) => ['audiences', 'rename', audience, 'Renamed'],
  'audiences delete': ({ audience }) => ['audiences', 'delete', audience, '--confirm', 'Newsletter'],
  'emails send': () => [
    ...['emails', 'send', '--from', 'a@example.com', '--to', 'b@example.com', '--subject', 's', '--text', 't', '--yes'],
  ],
  doctor: () => ['doctor'],
  'mcp ls': () => ['mcp', 'ls', ...MCP],
  'mcp call': () => ['mcp', 'call', 'service_list_automations', ...MCP],
};

import type { Command, Option } from 'commander';
import { createProgram } from '../../../../src/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { type Effect, LIST } from './effects.ts';

export interface FlagOfCommand {
  /** The command, such as `contacts import`. Empty for a global flag. */
  readonly path: string;
  readonly flag: string;
  readonly option: Option;
}

/** Every flag of every command, and each global flag once. */
export async function everyFlag(): Promise<readonly FlagOfCommand[]> {
  const host = { context: { stdout: { write: () => undefined } }, finish: () => undefined } as never;
  return flagsOf(await createProgram(host), []);
}

function flagsOf(command: Command, path: readonly string[]): FlagOfCommand[] {
  const isGlobal = (group: string | undefined) => group === 'Global options:';
  const own = command.options
    .filter(({ hidden, helpGroupHeading }) => !hidden && isGlobal(helpGroupHeading) === (path.length === 0))
    .map((option) => ({ path: path.join(' '), flag: option.long ?? '', option }));
  const verbs = command.commands.filter((child) => !child.name().startsWith('_'));
  return [...own, ...verbs.flatMap((child) => flagsOf(child, [...path, child.name()]))];
}

/** A test setup with people and an automation. For commands about webhooks it also has a failing endpoint. */
export async function worldFor(
  line: string,
  { list = LIST, prepare }: Pick<Effect, 'list' | 'prepare'>,
): Promise<World> {
  const plain = await createWorld({
    sendWebhook: async () => 500,
    seed: {
      account: { domains: ['example.com'] },
      contacts: [{ email: 'max@example.com' }, { email: 'lea@example.com', status: 'unsubscribed' }],
      automations: [{ name: 'Welcome' }],
    },
  });
  const state = tempFolder();
  const env = { SVC_STATE_DIR: state };
  const world: World = {
    ...plain,
    svc: (line, run = {}) => plain.svc(line, { ...run, env: { ...env, ...run.env } }),
  };
  world.file('list.csv', list);
  world.file('more.csv', `${LIST}zoe@example.com,Zoe,subscribed,Zug\n`);
  if (line.startsWith('webhooks')) {
    await world.svc('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret');
  }
  await prepare?.(world);
  world.requests();
  return world;
}

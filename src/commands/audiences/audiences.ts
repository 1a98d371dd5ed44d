import type { Command } from 'commander';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host } from '../framework/invocation.ts';
import { withLsFlags } from '../framework/output/ls-flags.ts';

const ID_OR_NAME = 'its id, or its exact name';

export function addAudiences(program: Command, host: Host): void {
  const audiences = withGlobals(program.command('audiences').description('Audiences: lists of contacts.'));
  const ls = audiences.command('ls').description('List the audiences, newest first.');
  action(withLsFlags(ls), host, async () => (await import('./ls.ts')).printAudiences);
  action(
    audiences.command('get').description('Show an audience with its counts.').argument('<id>', ID_OR_NAME),
    host,
    async () => (await import('./ls.ts')).printAudience,
  );
  action(
    audiences.command('create').description('Create an audience.').argument('<name>', '1 to 100 characters'),
    host,
    async () => (await import('./create.ts')).createOne,
  );
  const rename = audiences.command('rename').description('Rename an audience.').argument('<id>', ID_OR_NAME);
  action(
    rename.argument('<name>', '1 to 100 characters'),
    host,
    async () => (await import('./rename-and-delete.ts')).renameOne,
  );
  const remove = audiences
    .command('delete')
    .description('Delete an audience with all its contacts, fields, segments and topics, for good.')
    .argument('<id>', ID_OR_NAME)
    .option('--confirm <name>', 'its exact name; needed without a terminal');
  action(remove, host, async () => (await import('./rename-and-delete.ts')).deleteOne);
}

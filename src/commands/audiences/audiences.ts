import type { Command } from 'commander';
import { getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { audiencesTable } from '../../render/lists/resources.ts';
import { objectText } from '../../render/text/object.ts';
import { findId } from '../framework/find-id.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, type Invocation } from '../framework/invocation.ts';
import { checkLsFlags, type LsFlags, pageSizeOf, withLsFlags } from '../framework/output/ls-flags.ts';
import { print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';

const ID_OR_NAME = 'its id, or its exact name';

export function addAudiences(program: Command, host: Host): void {
  const audiences = withGlobals(program.command('audiences').description('Audiences: lists of contacts.'));
  const ls = audiences.command('ls').description('List the audiences, newest first.');
  action(withLsFlags(ls), host, async () => printAudiences);
  action(
    audiences.command('get').description('Show an audience with its counts.').argument('<id>', ID_OR_NAME),
    host,
    async () => printAudience,
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

async function printAudiences(invocation: Invocation<LsFlags>): Promise<ExitCode> {
  checkLsFlags(invocation);
  const { clock, signal } = invocation.context;
  const options = { limit: pageSizeOf(invocation), signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAudiences(client, options), (shown, style) => audiencesTable(shown, clock.now(), style)),
  );
  return EXIT.ok;
}

async function printAudience(invocation: Invocation<unknown>): Promise<ExitCode> {
  const audience = await withAccount(invocation, async (account) => {
    const id = await findId('audience', invocation.args[0] ?? '', account, invocation);
    return getAudience(account.client, id, invocation.context);
  });
  print(invocation, audience, objectText);
  return EXIT.ok;
}

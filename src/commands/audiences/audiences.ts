import type { Command } from 'commander';
import { EXIT } from '../../base/lib/exit.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, type Run } from '../framework/invocation.ts';

/** `svc audiences …` */
export function addAudiences(program: Command, host: Host): void {
  const audiences = withGlobals(program.command('audiences').description('Audiences: lists of contacts.'));
  action(withGlobals(audiences.command('ls').description('List the audiences, newest first.')), host, list);
  action(
    withGlobals(audiences.command('get').description('Show an audience with its counts.').argument('<id>')),
    host,
    get,
  );
  action(
    withGlobals(
      audiences.command('create').description('Create an audience.').argument('<name>', '1 to 100 characters'),
    ),
    host,
    create,
  );
  const rename = audiences.command('rename').description('Rename an audience.').argument('<id>');
  action(withGlobals(rename.argument('<name>', '1 to 100 characters')), host, renameOne);
  const remove = audiences
    .command('delete')
    .description('Delete an audience with all its contacts, fields, segments and topics, for good.')
    .argument('<id>')
    .option('--confirm <name>', 'its exact name, where no terminal can ask for it');
  action(withGlobals(remove), host, deleteOne);
}

const list: Run<unknown> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { listAudiences } = await import('../../api/resources/audiences.ts');
  const { audiencesTable } = await import('../../render/lists/contacts.ts');
  const { printList } = await import('../framework/output/print-list.ts');
  const { clock, signal } = invocation.context;
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAudiences(client, { signal }), (shown, style) =>
      audiencesTable(shown, clock.now(), style),
    ),
  );
  return EXIT.ok;
};

const get: Run<unknown> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { getAudience } = await import('../../api/resources/audiences.ts');
  const { checkId } = await import('../../api/resources/ids.ts');
  const { objectText } = await import('../../render/text/object.ts');
  const { print } = await import('../framework/output/print.ts');
  const id = checkId('audience', invocation.args[0] ?? '');
  const audience = await withAccount(invocation, ({ client }) => getAudience(client, id, invocation.context));
  print(invocation, audience, objectText);
  return EXIT.ok;
};

const create: Run<unknown> = async (invocation) => (await import('./create.ts')).createOne(invocation);

const renameOne: Run<unknown> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { checkAudienceName, renameAudience } = await import('../../api/resources/audiences.ts');
  const { checkId } = await import('../../api/resources/ids.ts');
  const { objectText } = await import('../../render/text/object.ts');
  const { print } = await import('../framework/output/print.ts');
  const [id = '', name = ''] = invocation.args;
  checkId('audience', id);
  checkAudienceName(name);
  const { signal } = invocation.context;
  const audience = await withAccount(invocation, ({ client }) => renameAudience(client, id, { name, signal }));
  print(invocation, audience, objectText);
  return EXIT.ok;
};

const deleteOne: Run<{ readonly confirm?: string }> = async (invocation) =>
  (await import('./delete.ts')).deleteOne(invocation);

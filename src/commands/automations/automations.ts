import { type Command, Option } from 'commander';
import { EXIT } from '../../base/lib/exit.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, type Run } from '../framework/invocation.ts';
import { checkListFlags, type ListFlags, pageSizeOf, withListFlags } from '../framework/output/list-flags.ts';
import { addEnroll } from './enroll.ts';

export function addAutomations(program: Command, host: Host): void {
  const automations = withGlobals(
    program.command('automations').description('Automations: published flows that a contact runs through.'),
  );
  const ls = automations
    .command('ls')
    .description('List the automations, newest first. Archived ones are hidden unless asked for.')
    .addOption(new Option('--status <status>', 'only automations of this status: draft, active, paused or archived'));
  action(withListFlags(ls), host, list);
  addEnroll(automations, host);
}

const list: Run<ListFlags & { readonly status?: string }> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { listAutomations } = await import('../../api/resources/automations.ts');
  const { automationsTable } = await import('../../render/lists/automations.ts');
  const { printList } = await import('../framework/output/print-list.ts');
  const { checkStatusWord } = await import('../framework/status-word.ts');
  const { AUTOMATION_STATUSES } = await import('../../wire/words.ts');
  const { status } = invocation.flags;
  checkListFlags(invocation);
  checkStatusWord(status, AUTOMATION_STATUSES, 'automations');
  const options = { status, limit: pageSizeOf(invocation), signal: invocation.context.signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAutomations(client, options), automationsTable),
  );
  return EXIT.ok;
};

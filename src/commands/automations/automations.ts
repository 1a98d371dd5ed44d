import { type Command, Option } from 'commander';
import { EXIT } from '../../base/lib/exit.ts';
import { withGlobals } from '../framework/globals.ts';
import { action, type Host, type Run } from '../framework/invocation.ts';
import { addEnroll } from './enroll.ts';

/** `svc automations …` */
export function addAutomations(program: Command, host: Host): void {
  const automations = withGlobals(
    program.command('automations').description('Automations: published flows that a contact runs through.'),
  );
  const ls = automations
    .command('ls')
    .description('List the automations, newest first. Archived ones are hidden unless asked for.')
    .addOption(new Option('--status <status>', 'draft, active, paused or archived'));
  action(withGlobals(ls), host, list);
  addEnroll(automations, host);
}

const list: Run<{ readonly status?: string }> = async (invocation) => {
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const { listAutomations } = await import('../../api/resources/automations.ts');
  const { automationsTable } = await import('../../render/lists/automations.ts');
  const { printList } = await import('../framework/output/print-list.ts');
  const { signal } = invocation.context;
  const status = await statusOf(invocation.flags.status);
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAutomations(client, { status, signal }), automationsTable),
  );
  return EXIT.ok;
};

/** Refuses an unknown word here, where the error can name the valid words. The service only answers 400. */
async function statusOf(text: string | undefined): Promise<string | undefined> {
  const { AUTOMATION_STATUSES } = await import('../../wire/words.ts');
  if (text === undefined || AUTOMATION_STATUSES.some((known) => known === text)) {
    return text;
  }
  const { SvcError } = await import('../../base/lib/errors.ts');
  const { safe } = await import('../../base/lib/text.ts');
  throw new SvcError(EXIT.usage, 'unknown_status', `not a status of automations: ${safe(text)}`, {
    hint: `It is one of ${AUTOMATION_STATUSES.join(', ')}.`,
  });
}

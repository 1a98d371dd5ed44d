import type { Command } from 'commander';
import { type AudienceWithCounts, deleteAudience, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import type { Emit } from '../../base/events.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { formatNumber, plural, shellFlag, shellWord } from '../../base/lib/text.ts';
import { audiencesTable } from '../../render/lists/resources.ts';
import { objectText } from '../../render/text/object.ts';
import { findId } from '../framework/find-id.ts';
import { type CommandHost, type Invocation, setAction } from '../framework/invocation.ts';
import { checkLsFlags, type LsFlags, pageSizeOf, withLsFlags } from '../framework/output/ls-flags.ts';
import { print } from '../framework/output/print.ts';
import { printList } from '../framework/output/print-list.ts';
import { confirmName } from '../framework/output/prompts.ts';
import { type Account, withAccount } from '../framework/settings/account.ts';
import type { OpenAudience } from '../mailing-list-commands/flags/audience-target.ts';

const ID_OR_NAME = 'its id, or its exact name';

export function addAudiencesCommands(audiences: Command, host: CommandHost): void {
  const ls = audiences.command('ls').description('List the audiences, newest first.');
  setAction(withLsFlags(ls), host, async () => printAudiences);
  setAction(
    audiences.command('get').description('Show an audience with its counts.').argument('<id>', ID_OR_NAME),
    host,
    async () => printAudience,
  );
  setAction(
    audiences.command('create').description('Create an audience.').argument('<name>', '1 to 100 characters'),
    host,
    async () => (await import('./create-and-rename.ts')).createAudienceOnce,
  );
  const rename = audiences.command('rename').description('Rename an audience.').argument('<id>', ID_OR_NAME);
  setAction(
    rename.argument('<name>', '1 to 100 characters'),
    host,
    async () => (await import('./create-and-rename.ts')).renameOneAudience,
  );
  const remove = audiences
    .command('delete')
    .description('Delete an audience with all its contacts, fields, segments and topics, for good.')
    .argument('<id>', ID_OR_NAME)
    .option('--confirm <name>', 'its exact name; needed without a terminal');
  setAction(remove, host, async () => deleteOne);
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

type AudienceDeleteFlags = { readonly confirm?: string };

/** `svc audiences delete`: shows what will be lost, offers to export the contacts, and asks for the exact name. */
async function deleteOne(invocation: Invocation<AudienceDeleteFlags>): Promise<ExitCode> {
  const { signal } = invocation.context;
  const remove = async (account: Account, emit: Emit) => {
    const id = await findId('audience', invocation.args[0] ?? '', account, invocation);
    const audience = await getAudience(account.client, id, { signal });
    await offerExport(invocation, { account, audience, emit });
    await confirmName(invocation, {
      word: 'its exact name',
      expected: audience.name,
      losses: lossesOf(audience),
      command: `svc audiences delete ${shellWord(id)} ${shellFlag('--confirm', audience.name)}`,
    });
    return deleteAudience(account.client, id, { signal });
  };
  print(invocation, await withAccount(invocation, remove, { showsBars: true }), objectText);
  return EXIT.ok;
}

function lossesOf({ id, name, contact_counts: counts }: AudienceWithCounts): string[] {
  const people = `${plural(counts.total, 'contact')} (${formatNumber(counts.subscribed)} subscribed, ${formatNumber(counts.unsubscribed)} unsubscribed)`;
  return [
    `"${name}" (${id}): ${people} will be deleted for good, and its fields, segments and topics with them.`,
    'Entries of the suppression list stay.',
    `To keep the contacts first: svc contacts export --audience ${id} --output contacts.csv`,
  ];
}

/** Asks at a terminal whether to export the contacts first. Without a terminal, `lossesOf` names the export command. */
async function offerExport(
  invocation: Invocation<AudienceDeleteFlags>,
  found: OpenAudience & { readonly audience: AudienceWithCounts },
): Promise<void> {
  const { context, flags, settings } = invocation;
  const { total } = found.audience.contact_counts;
  if (!context.prompter || settings.output.json || flags.confirm !== undefined || total === 0) {
    return;
  }
  const question = `Keep its ${plural(total, 'contact')} in a file first? Name of the file (empty: no): `;
  const output = (await context.prompter.ask(question)).trim();
  if (output !== '') {
    const { exportAudience } = await import('../contacts/export.ts');
    await exportAudience({ ...invocation, flags: { output } }, found);
  }
}

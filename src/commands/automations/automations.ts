import { type Command, Option } from 'commander';
import { listAutomations } from '../../api/resources/automations.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { automationsTable } from '../../render/lists/resources.ts';
import { AUTOMATION_STATUSES } from '../../wire/service-words.ts';
import {
  type CommandHost,
  collectValues,
  type Invocation,
  setAction,
  wholeNumberParser,
} from '../framework/invocation.ts';
import { checkLsFlags, checkStatusWord, type LsFlags, pageSizeOf, withLsFlags } from '../framework/output/ls-flags.ts';
import { printList } from '../framework/output/print-list.ts';
import { withAccount } from '../framework/settings/account.ts';
import {
  DEFAULT_MAX_FAILURES,
  DEFAULT_MAX_NEW_FIELDS,
  withPaceFlags,
  withReadingFlags,
} from '../mailing-list-commands/flags/import-flags.ts';

export function addAutomationsCommands(automations: Command, host: CommandHost): void {
  const ls = automations
    .command('ls')
    .description('List the automations, newest first. Archived ones are hidden unless asked for.')
    .addOption(new Option('--status <status>', 'only automations of this status: draft, active, paused or archived'));
  setAction(withLsFlags(ls), host, async () => printAutomations);
  addEnroll(automations, host);
}

function addEnroll(automations: Command, host: CommandHost): void {
  const command = automations
    .command('enroll')
    .summary('enroll people in an automation')
    .description(
      'Enrolls people in an automation, one request each. It takes those who are subscribed in the list, or all people of a list without any status.',
    )
    .argument('<automation_id>', 'its id, or its exact name')
    .argument('[input...]', 'CSV or TSV files, .gz, .zip, or "-"')
    .option('--email <address>', 'enroll this person; can be given several times', collectValues)
    .option('--create-contacts', "first write the people as contacts of the automation's audience")
    .option('--reenroll', 'enroll also people whom an earlier run enrolled, or may have enrolled')
    .option('--at-most-once', 'never repeat a request that may have arrived')
    .option('--dry-run', 'survey, plan and checks only; nothing is sent')
    .option('--report <file>', 'a copy of the report')
    .option('--report-html <file>', 'a copy of the report as a web page')
    .addOption(
      new Option('--max-failures <n|n%>', 'stop when more rows than this are rejected or fail').default(
        DEFAULT_MAX_FAILURES,
      ),
    )
    .addOption(
      new Option(
        '--max-new-fields <n>',
        'with --create-contacts: stop when more custom fields than this may be created',
      )
        .default(DEFAULT_MAX_NEW_FIELDS)
        .argParser(wholeNumberParser('--max-new-fields', 0)),
    )
    .option(
      '--allow-automation <id>',
      'allow this automation to mail the new contacts of --create-contacts, or people whom an import put into it',
      collectValues,
    );
  setAction(withPaceFlags(withReadingFlags(command)), host, async () => (await import('./enroll.ts')).enrollPeople);
}

interface AutomationLsFlags extends LsFlags {
  readonly status?: string;
}

async function printAutomations(invocation: Invocation<AutomationLsFlags>): Promise<ExitCode> {
  const { status } = invocation.flags;
  checkLsFlags(invocation);
  checkStatusWord(status, AUTOMATION_STATUSES, 'automations');
  const options = { status, limit: pageSizeOf(invocation), signal: invocation.context.signal };
  await withAccount(invocation, ({ client }) =>
    printList(invocation, listAutomations(client, options), automationsTable),
  );
  return EXIT.ok;
}

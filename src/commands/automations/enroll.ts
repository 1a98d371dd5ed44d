import { type Command, Option } from 'commander';
import { action, collect, type Host, type Run } from '../framework/invocation.ts';
import type { EnrollFlags } from '../long-run/enroll-options.ts';
import {
  DEFAULT_MAX_FAILURES,
  DEFAULT_MAX_NEW_FIELDS,
  wholeNumberFlag,
  withPaceFlags,
  withReadingFlags,
} from '../long-run/import-flags.ts';

/** `svc automations enroll`: one request for each person. */
export function addEnroll(automations: Command, host: Host): void {
  const command = automations
    .command('enroll')
    .summary('enroll people in an automation')
    .description(
      'Enrolls people in an automation, one request each: those who are subscribed in the list, or all people of a list without any status.',
    )
    .argument('<automation_id>', 'its id, or its exact name')
    .argument('[input...]', 'CSV or TSV files, .gz, .zip, or "-"')
    .option('--email <address>', 'enroll this person; can be given several times', collect)
    .option('--create-contacts', "first upsert the people as contacts of the flow's audience")
    .option('--reenroll', 'also people whom an earlier run enrolled, or may have')
    .option('--at-most-once', 'never repeat a request that may have arrived')
    .option('--dry-run', 'survey, plan and checks only; nothing is sent')
    .option('--report <file>', 'a copy of the report')
    .option('--report-html <file>', 'a copy of the report as a web page');
  for (const option of limitOptions()) {
    command.addOption(option);
  }
  action(withPaceFlags(withReadingFlags(command)), host, enroll);
}

function limitOptions(): Option[] {
  return [
    new Option('--max-failures <n|n%>', 'stop once more rows than this were rejected or failed').default(
      DEFAULT_MAX_FAILURES,
    ),
    new Option('--max-new-fields <n>', 'with --create-contacts: stop when more custom fields than this may be created')
      .default(DEFAULT_MAX_NEW_FIELDS)
      .argParser(wholeNumberFlag),
    new Option(
      '--allow-automation <id>',
      'with --create-contacts: allow this automation to mail the new contacts',
    ).argParser<readonly string[]>(collect),
  ];
}

const enroll: Run<EnrollFlags> = async (invocation) => {
  const { runListCommand } = await import('../long-run/list-command.ts');
  const { enrollOptions } = await import('../long-run/enroll-options.ts');
  const { executeEnroll } = await import('../long-run/execute.ts');
  return runListCommand(invocation, {
    inputs: invocation.args.slice(1),
    prepare: async () => {
      const args = await withId(invocation);
      return (flags: EnrollFlags, settings) => enrollOptions({ ...invocation, args, flags, settings });
    },
    execute: executeEnroll,
  });
};

/** The arguments with the id of the automation if its name was given. */
async function withId(invocation: Parameters<typeof enroll>[0]): Promise<readonly string[]> {
  const { findId, isName } = await import('../framework/find-id.ts');
  const { withAccount } = await import('../framework/settings/with-account.ts');
  const [given = '', ...inputs] = invocation.args;
  return isName('automation', given)
    ? [await withAccount(invocation, (account) => findId('automation', given, account, invocation)), ...inputs]
    : invocation.args;
}

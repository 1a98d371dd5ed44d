import { badUsage, type ExitCode } from '../../base/lib/errors.ts';
import { findId, isObjectName } from '../framework/find-id.ts';
import type { Invocation } from '../framework/invocation.ts';
import { withAccount } from '../framework/settings/account.ts';
import { type EnrollFlags, enrollOptions } from '../mailing-list-commands/flags/import-options.ts';
import { executeEnroll, runMailingListCommand } from '../mailing-list-commands/mailing-list-command.ts';

/** `svc automations enroll`. Throws SvcError (exit 2) if neither a file nor an address is given. */
export async function enrollPeople(invocation: Invocation<EnrollFlags>): Promise<ExitCode> {
  if (invocation.args.length < 2 && invocation.flags.email === undefined) {
    throw badUsage('no person to enroll was given', 'Give a file, "-", or --email <address>.');
  }
  return runMailingListCommand(invocation, {
    command: 'automations enroll',
    inputs: invocation.args.slice(1),
    prepare: async () => {
      const args = await withId(invocation);
      return (flags: EnrollFlags, settings) => enrollOptions({ ...invocation, args, flags, settings });
    },
    execute: executeEnroll,
  });
}

// The arguments, with the id of the automation in place of its name.
async function withId(invocation: Invocation<EnrollFlags>): Promise<readonly string[]> {
  const [given = '', ...inputs] = invocation.args;
  return isObjectName('automation', given)
    ? [await withAccount(invocation, (account) => findId('automation', given, account, invocation)), ...inputs]
    : invocation.args;
}

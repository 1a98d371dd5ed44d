import type { ExitCode } from '../../base/lib/errors.ts';
import { verifyOptions } from '../../contacts-check/verified-run.ts';
import { checkedOutput } from '../contacts/check.ts';
import type { Invocation } from '../framework/invocation.ts';
import { originOfAccount } from '../framework/settings/account.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { accountLimitsOf, type PaceFlags } from '../mailing-list-commands/flags/import-flags.ts';
import { executeCheck } from '../mailing-list-commands/mailing-list-command.ts';

interface RunVerifyFlags extends PaceFlags {
  readonly output?: string;
  readonly force?: boolean;
}

export async function verifyRun(invocation: Invocation<RunVerifyFlags>): Promise<ExitCode> {
  const { args, flags, settings, context, argv } = invocation;
  const origin = await originOfAccount(settings, context);
  const found = verifyOptions(resolveStateFolder(context, settings), { named: args[0], origin });
  const output = checkedOutput({ args: found.inputs, flags, context });
  const { details, logFile, force } = flags;
  const options = { ...found, output, force };
  const pace = { limits: accountLimitsOf(flags), lockWaitMs: flags.wait };
  const absent = { resume: undefined, recorded: undefined, answerSource: undefined, copies: undefined };
  return executeCheck({ ...pace, ...absent, options, settings, context, argv, details, logFile });
}

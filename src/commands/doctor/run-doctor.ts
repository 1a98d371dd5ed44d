import type { RunEvent } from '../../base/events.ts';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { checkRecipient, checkSender, confirmMailing } from '../emails/send.ts';
import type { Invocation } from '../framework/invocation.ts';
import { lineWithFlags, programName, withPasteableCommands } from '../framework/output/command-to-paste.ts';
import { print } from '../framework/output/print.ts';
import { type Account, withAccount } from '../framework/settings/account.ts';
import { withCommandLines } from '../mailing-list-commands/retype-line.ts';
import { examineKey, examineRate, examineSending, type TestMail } from './access-checks.ts';
import { examineAutomations, examineEndpoints, examinePlan, readAccount } from './account-checks.ts';
import { type DoctorFinding, doctorExitCode, finding, findingForError, findingsText } from './findings.ts';
import { examineClock, examineState } from './machine-checks.ts';

/**
 * The checks that each report has if the account can be read. Otherwise they are skipped, and one failed check says
 * why.
 */
const ACCOUNT_CHECKS = ['scopes', 'clock', 'rate', 'plan', 'flows', 'webhooks'];

/**
 * `svc doctor`: makes all checks and prints the findings. Throws if one is a stop. Else returns 0, or 3 after a
 * warning.
 */
export async function runDoctor(invocation: Invocation<Partial<TestMail>>): Promise<ExitCode> {
  const { flags, context } = invocation;
  if ((flags.from === undefined) !== (flags.to === undefined)) {
    throw badUsage('--from and --to belong together', 'See: svc doctor --help');
  }
  const mail = mailOf(flags);
  if (mail) {
    const page = `From: ${terminalSafe(mail.from)}\nTo: ${terminalSafe(mail.to)}\n`;
    await confirmMailing(invocation, page, 'Send one test message? [y/N] ');
  }
  const found = [...examineState(invocation), ...(await examineAccount(invocation, mail))];
  const findings = found.map((one) =>
    one.hint === undefined ? one : { ...one, hint: hintToPaste(one.hint, invocation) },
  );
  context.signal.throwIfAborted();
  const exit_code = doctorExitCode(findings);
  print(invocation, { object: 'doctor_report', exit_code, findings }, (report, style) =>
    findingsText(report.findings, style),
  );
  const worst = findings.find((finding) => finding.level === 'stop' && finding.exit_code === exit_code);
  if (worst) {
    const { code = worst.check, message, hint, request_id: requestId } = worst;
    throw new SvcError(exit_code, code, message, { hint, requestId });
  }
  return exit_code;
}

/** The hint with whole commands in place of its lines of flags, so that the user can paste them. */
function hintToPaste(hint: string, { argv, context }: Invocation<unknown>): string {
  const whole = withCommandLines(hint, (flags) => lineWithFlags(flags, argv, programName(context)));
  return withPasteableCommands(whole, argv, context);
}

/** The sender and the recipient of the test message, checked in the same way as for `emails send` (M6). */
function mailOf({ from, to }: Partial<TestMail>): TestMail | undefined {
  return from === undefined || to === undefined
    ? undefined
    : { from: checkSender(from), to: checkRecipient(to, 'The test message goes to one address.') };
}

/** Makes the checks of the account. If the account can't be read, one check fails and all other checks are skipped. */
async function examineAccount(invocation: Invocation<unknown>, mail: TestMail | undefined): Promise<DoctorFinding[]> {
  const { context, settings } = invocation;
  // The requests that were sent so far, with the rate limit that their responses show.
  const requests: Extract<RunEvent, { type: 'request' }>[] = [];
  const onEvent = (event: RunEvent) => void (event.type === 'request' && requests.push(event));
  const makeChecks = async (account: Account) => {
    const { client } = account;
    const read = await readAccount(client, context.signal);
    return [
      examineKey(invocation, account),
      ...examineEndpoints(read.endpoints, context.clock.now()),
      examineClock(client, context.clock.now()),
      examineRate(requests),
      examinePlan(read, settings.plan.value),
      ...examineAutomations(read),
      ...(mail ? [await examineSending(invocation, account, mail)] : []),
    ];
  };
  try {
    return await withAccount(invocation, makeChecks, { onEvent });
  } catch (error) {
    context.signal.throwIfAborted();
    const problem = findingForError('key', error);
    return [
      { ...problem, check: failedCheck(problem) },
      ...ACCOUNT_CHECKS.map((check) => finding('skipped', check, 'not checked: the account could not be read')),
      // The user asked for a test message, so the report says that svc did not send it.
      ...(mail ? [finding('skipped', 'sending', 'nothing was sent: the account could not be read')] : []),
    ];
  }
}

function failedCheck({ code, exit_code }: DoctorFinding): string {
  if (exit_code === EXIT.auth) {
    return 'key';
  }
  return code === 'no_base_url' || code === 'invalid_url' ? 'base_url' : 'service';
}

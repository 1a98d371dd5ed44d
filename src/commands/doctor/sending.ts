import { checkAddress } from '../../api/resources/ids.ts';
import { explained } from '../emails/explain.ts';
import { post } from '../emails/send.ts';
import type { Invocation } from '../framework/invocation.ts';
import type { Account } from '../framework/settings/account.ts';
import { type DoctorFinding, findingOf } from './finding.ts';

/** Sends one message and says what came of it; whether it arrives is seen in the mailbox. */
export async function examineSending(
  invocation: Invocation<unknown>,
  account: Account,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DoctorFinding> {
  const text = 'svc doctor sent this message to see whether sending works.';
  const message = { from: from.trim(), to: [checkAddress(to.trim())], subject: 'svc doctor', text };
  try {
    const value = await post(account, invocation, { message });
    return { check: 'sending', level: 'pass', message: `accepted as ${value.id}: look whether it arrives at ${to}` };
  } catch (error) {
    return findingOf('sending', explained(error));
  }
}

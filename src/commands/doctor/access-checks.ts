import type { RunEvent } from '../../base/events.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import { LIMITS } from '../../wire/limits.ts';
import { describeKey } from '../auth/status.ts';
import { withExplanation } from '../emails/refusals.ts';
import { sendOnce } from '../emails/send.ts';
import type { Invocation } from '../framework/invocation.ts';
import { type Account, DEFAULT_LIMITS } from '../framework/settings/account.ts';
import { type DoctorFinding, finding, findingForError } from './findings.ts';

/**
 * Reports that the service accepted the API key, with its fingerprint and its source, such as a profile. Shows nothing
 * else of the key (K1).
 */
export function examineKey({ settings, context }: Invocation<unknown>, account: Account): DoctorFinding {
  const { source } = settings.emulator ? { source: 'embedded emulator' } : describeKey(settings.key, context);
  const message = `accepted at ${account.origin}; from ${source}, fingerprint ${account.keyFingerprint}`;
  return finding('pass', 'key', message);
}

/**
 * Reports how many requests are left this minute, and how many requests other programs sent. Reads this from the first
 * response with rate-limit headers, because later responses also count the requests of this check.
 */
export function examineRate(requests: readonly Extract<RunEvent, { type: 'request' }>[]): DoctorFinding {
  const index = requests.findIndex(({ remaining }) => remaining !== undefined);
  const first = requests[index];
  if (first?.remaining === undefined) {
    return finding('info', 'rate', 'the service does not say how many requests are left');
  }
  const limit = first.limit ?? LIMITS.requestsPerMinute;
  const usedByOthers = Math.max(0, limit - first.remaining - (index + 1));
  const message = `${formatNumber(first.remaining)} of ${plural(limit, 'request')} a minute are left; ${otherUseText(usedByOthers)}`;
  const isScarce = first.remaining <= DEFAULT_LIMITS.reserve;
  return isScarce
    ? finding('warn', 'rate', message, 'A run would wait until others use less; see --reserve.')
    : finding('pass', 'rate', message);
}

function otherUseText(requests: number): string {
  return requests === 0
    ? 'no other program used any in the last minute'
    : `others (your application, other runs and commands) used ${requests} in the last minute`;
}

export interface TestMail {
  readonly from: string;
  readonly to: string;
}

/** Sends one message, and reports whether the service accepted it. svc can't see whether the message arrives. */
export async function examineSending(
  invocation: Invocation<unknown>,
  account: Account,
  { from, to }: TestMail,
): Promise<DoctorFinding> {
  const text = 'svc doctor sent this message to see whether sending works.';
  const message = { from, to: [to], subject: 'svc doctor', text };
  try {
    const value = await sendOnce(account, invocation, { message });
    return finding('pass', 'sending', `accepted as ${value.id}: check that it arrives at ${to}`);
  } catch (error) {
    return findingForError('sending', withExplanation(error));
  }
}

import type { Finding } from '../../import/survey/finding.ts';
import { SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { ImportOptions } from '../options.ts';

const STATES = { unsubscribed: 'suppressed', bounced: 'bounced', complained: 'complained' } as const;

/** Asks `suppressions import` for a reason if rows hold no state. */
export function missingReason(finding: Finding, { command, inputs }: ImportOptions): Finding {
  const isSilence = finding.check === 'no_status' && finding.level === 'stop';
  if (command !== 'suppressions import' || !isSilence) {
    return finding;
  }
  // If there are several files, the name of one may give the reason.
  if (inputs.length > 1 && finding.hint?.includes('=')) {
    return finding;
  }
  const stated = Object.entries(STATES).find(([, state]) => finding.hint?.endsWith(`=${state}`))?.[0] ?? 'unsubscribed';
  const reasons = [stated, ...SUPPRESSION_REASONS.filter((reason) => reason !== stated)];
  const [first, ...others] = reasons.map((reason) => ({
    when: `If they are suppressed as ${reason}`,
    flags: `--reason ${reason}`,
  }));
  return { ...finding, hint: first?.flags, when: first?.when, otherwise: others };
}

import type { Finding } from '../../import/survey/survey-types.ts';
import { SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { ImportOptions } from '../options.ts';

const STATES = { unsubscribed: 'suppressed', bounced: 'bounced', complained: 'complained' } as const;

/** What `suppressions import` lacks where rows hold no state is a reason. */
export function missingReason(finding: Finding, { command, inputs }: ImportOptions): Finding {
  const isSilence = finding.check === 'no_status' && finding.level === 'stop';
  if (command !== 'suppressions import' || !isSilence) {
    return finding;
  }
  // One file of several says why by its name.
  if (inputs.length > 1 && finding.hint?.includes('=')) {
    return finding;
  }
  const told = Object.entries(STATES).find(([, state]) => finding.hint?.endsWith(`=${state}`))?.[0] ?? 'unsubscribed';
  const reasons = [told, ...SUPPRESSION_REASONS.filter((reason) => reason !== told)];
  const [first, ...others] = reasons.map((reason) => ({
    when: `If they are suppressed as ${reason}`,
    flags: `--reason ${reason}`,
  }));
  return { ...finding, hint: first?.flags, when: first?.when, otherwise: others };
}

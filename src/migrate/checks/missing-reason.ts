import type { Finding } from '../../import/survey/finding.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { ImportOptions } from '../options.ts';

const STATES = { unsubscribed: 'suppressed', bounced: 'bounced', complained: 'complained' } as const;

const LEAVE_OUT = { when: 'To leave out the rows that are not about a suppression', flags: '--default-status skip' };

/**
 * Asks `suppressions import` for a reason if rows hold no state. A reason counts for each row of the list and cannot be
 * undone. So it comes last if the list has a column about consent: it may say who wants mail (C11).
 */
export function missingReason(finding: Finding, { command, inputs }: ImportOptions, survey: Survey): Finding {
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
  const speaks = survey.inputs.some(({ reading }) => reading.stateFrom !== undefined);
  const who = speaks ? 'Only if all people of the list' : 'If they';
  const answers = reasons.map((reason) => ({
    when: `${who} are suppressed as ${reason}`,
    flags: `--reason ${reason}`,
  }));
  const [first, ...others] = speaks ? [LEAVE_OUT, ...answers] : answers;
  return { ...finding, hint: first?.flags, when: first?.when, otherwise: others };
}

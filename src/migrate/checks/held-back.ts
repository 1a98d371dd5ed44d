import type { Finding } from '../../base/finding.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural, shellFile } from '../../base/lib/text.ts';
import type { CheckContext } from './check-context.ts';

// Warnings about people whom svc does not send, although they may get mail.

/**
 * Warns if a list for `contacts import` has people who bounced, complained or opted out of all mail. That command
 * writes no suppressions, so these people may still get mail (G11).
 */
export function notSuppressedFindings({ survey, options }: CheckContext): readonly Finding[] {
  const suppressed = sumOf(Object.values(survey.suppressions));
  if (options.command !== 'contacts import' || suppressed === 0) {
    return [];
  }
  const who = `${plural(suppressed, 'person', 'people')} of this list bounced, complained or opted out of everything`;
  const message = `${who}: contacts import suppresses no person, so they may still get mail`;
  const hint = `svc suppressions import ${options.inputs.map(shellFile).join(' ')}`;
  return [{ check: 'held_back', level: 'warn', message, hint }];
}

/**
 * Warns about people whose status the user answered with `skip`, if the audience has contacts. A skipped person who is
 * in the audience already keeps the status there (G11). With a ledger svc knows who these people are, and
 * `only-changed.ts` warns instead.
 */
export function skippedPeopleFindings({ survey, snapshot, ledgerCounts }: CheckContext): readonly Finding[] {
  const skipped = survey.rows.skipped.by_request ?? 0;
  const contacts = snapshot?.audience?.contact_counts?.total ?? 0;
  if (skipped === 0 || contacts === 0 || ledgerCounts) {
    return [];
  }
  const [are, them, they] = skipped === 1 ? ['is', 'the person', 'this person'] : ['are', 'these people', 'they'];
  const message = `${plural(skipped, 'person', 'people')} of this list ${are} skipped. If the audience has ${them} already, ${they} may still get mail`;
  const hint = 'If a skipped word means that people left, answer it with =unsubscribed instead of =skip';
  return [{ check: 'held_back', level: 'warn', message, hint, total: skipped }];
}

import { formatNumber, plural } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import type { ChangeCounts } from '../changes/compare-ledger.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/** Says how many people --only-changed sends, and why it may send all of them (G3). */
export function onlyChanged(context: CheckContext): readonly Finding[] {
  const { changes, survey, snapshot, options } = context;
  const check = 'only_changed';
  if (!changes) {
    return [];
  }
  if (!snapshot) {
    return [skippedCheck(check, context)];
  }
  const whole = formatNumber(survey.contacts + changes.unchanged);
  if (changes.known === 0) {
    const message = `this machine has not sent a list to this audience before: all ${whole} people are sent`;
    return [{ check, level: 'pass', message }];
  }
  if (options.changes?.full) {
    return [{ check, level: 'pass', message: `--full: all ${whole} people are sent` }, ...heldBack(changes)];
  }
  const unchanged = `${plural(changes.unchanged, 'person is', 'people are')} unchanged and not sent`;
  return [
    {
      check,
      level: 'pass',
      message: `${formatNumber(survey.contacts)} of ${whole} people are new or changed; ${unchanged}`,
    },
    ...heldBack(changes),
  ];
}

/** Warns about people who were sent before, and whose rows are skipped now: they keep their status (G11). */
function heldBack({ heldBack: count }: ChangeCounts): readonly Finding[] {
  if (count === 0) {
    return [];
  }
  const one = count === 1;
  const message = `${plural(count, 'person', 'people')} of earlier lists ${one ? 'is' : 'are'} in this one, but not sent: the row is skipped or rejected. The audience keeps the status of ${one ? 'this person, who' : 'these people, who'} may still get mail`;
  const hint =
    'If a skipped word means that people left, answer it with =unsubscribed instead of =skip. If people bounced, complained or left everything, also import the list with svc suppressions import';
  return [{ check: 'held_back', level: 'warn', message, hint, total: count }];
}

import { formatNumber, plural } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
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
    return [{ check, level: 'pass', message: `--full: all ${whole} people are sent` }];
  }
  const unchanged = `${plural(changes.unchanged, 'person is', 'people are')} unchanged and not sent`;
  return [
    {
      check,
      level: 'pass',
      message: `${formatNumber(survey.contacts)} of ${whole} people are new or changed; ${unchanged}`,
    },
  ];
}

import { formatNumber } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import { LIMITS } from '../../wire/limits.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/**
 * The free plan's cap of 500 subscribers is that of the account, but counts are per audience (P2). svc never cuts a
 * list or splits a batch to stay below it (P1).
 */
export function planCap(context: CheckContext): Finding {
  const { survey, snapshot, options, newPeople } = context;
  const finding = (level: Finding['level'], message: string): Finding => ({ check: 'plan_cap', level, message });
  if (options.plan === 'paid') {
    return finding('pass', 'paid plan: no subscriber cap');
  }
  if (!snapshot) {
    return skippedCheck('plan_cap', context);
  }
  const cap = LIMITS.freePlanSubscribers;
  if (snapshot.accountTotal > cap && options.plan !== 'free') {
    return finding(
      'pass',
      `the account holds at least ${formatNumber(snapshot.accountTotal)} contacts, so it is not a free account`,
    );
  }
  const added = newPeople ?? survey.contacts;
  const sum = `${formatNumber(snapshot.accountTotal)} contacts in all audiences and ${formatNumber(added)} new people`;
  if (added === 0 || snapshot.accountTotal + added <= cap) {
    return finding('pass', `${sum}: within the ${cap} of a free plan`);
  }
  const message = `${sum} make ${formatNumber(snapshot.accountTotal + added)}, and a free plan holds ${cap}; svc doesn't leave people out to fit`;
  return { ...finding('stop', message), hint: '--plan paid', when: 'If the account is on a paid plan' };
}

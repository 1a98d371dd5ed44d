import { formatNumber, safe } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/** Names the target audience. Notes that a list cannot give its people their old sign-up date (C8). */
export function audience(known: CheckContext): Finding {
  const { facts, creates, options } = known;
  if (!facts) {
    const { create, name } = options.target;
    const wanted = create && name !== undefined ? `; "${safe(name)}" is created if no audience has that name` : '';
    const unasked = skippedCheck('audience', known);
    return { ...unasked, message: unasked.message + wanted };
  }
  if (creates) {
    return {
      check: 'audience',
      level: 'pass',
      message: `audience "${safe(options.target.name ?? '')}" will be created`,
    };
  }
  if (!facts.audience) {
    return { check: 'audience', level: 'pass', message: 'suppressions belong to the account, not to an audience' };
  }
  const total = facts.audience.contact_counts?.total ?? 0;
  const message = `audience "${safe(facts.audience.name)}" (${safe(facts.audience.id)}) holds ${formatNumber(total)} contacts`;
  return { check: 'audience', level: 'pass', message };
}

import { formatNumber, safe } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/finding.ts';
import { type CheckContext, skippedCheck } from './context.ts';

/** Names the target audience. Notes that a list cannot give its people their old sign-up date (C8). */
export function audience(context: CheckContext): Finding {
  const { snapshot, creates, options } = context;
  if (!snapshot) {
    const { create, name } = options.target;
    const wanted = create && name !== undefined ? `; "${safe(name)}" is created if no audience has that name` : '';
    const notAskedBecause = skippedCheck('audience', context);
    return { ...notAskedBecause, message: notAskedBecause.message + wanted };
  }
  if (creates) {
    return {
      check: 'audience',
      level: 'pass',
      message: `audience "${safe(options.target.name ?? '')}" will be created`,
    };
  }
  if (!snapshot.audience) {
    return { check: 'audience', level: 'pass', message: 'suppressions belong to the account, not to an audience' };
  }
  const total = snapshot.audience.contact_counts?.total ?? 0;
  const message = `audience "${safe(snapshot.audience.name)}" (${safe(snapshot.audience.id)}) holds ${formatNumber(total)} contacts`;
  return { check: 'audience', level: 'pass', message };
}

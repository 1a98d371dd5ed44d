import { formatNumber, safe } from '../../base/lib/text.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Automation } from '../../wire/shapes.ts';
import type { DoctorFinding } from './finding.ts';
import type { AccountRead } from './read-account.ts';

/** What gives the plan away; the service has no endpoint that says it. Subscribers count over all audiences (rule P2). */
export function examinePlan({ audiences, automations }: AccountRead, told: 'free' | 'paid' | undefined): DoctorFinding {
  const total = audiences.reduce((sum, audience) => sum + audience.contact_counts.total, 0);
  const proof = proofOfPaid(total, automations);
  if (proof === undefined) {
    const message = `nothing shows whether it is free or paid; ${formatNumber(total)} contacts, and a free plan ends at ${LIMITS.freePlanSubscribers}`;
    return { check: 'plan', level: 'info', message };
  }
  return told === 'free'
    ? {
        check: 'plan',
        level: 'warn',
        message: `paid (${proof}), but the settings say free`,
        hint: 'See: svc auth status',
      }
    : { check: 'plan', level: 'pass', message: `paid: ${proof}` };
}

function proofOfPaid(total: number, automations: readonly Automation[]): string | undefined {
  if (total > LIMITS.freePlanSubscribers) {
    return `${formatNumber(total)} contacts are more than a free plan holds`;
  }
  const open = automations.find(({ sandbox, live_version }) => sandbox === false && live_version !== null);
  return open && `the automation "${safe(open.name)}" was published outside the sandbox`;
}

import { formatNumber, safe } from '../../base/lib/text.ts';
import type { RunReport } from '../../migrate/types.ts';

const ENDED: readonly string[] = ['completed', 'partial'];

// These counts say nothing about why a person was not enrolled.
const NO_REASON: readonly string[] = ['read', 'merged', 'enrolled'];

/**
 * The headline of an enrollment that ended without an enrolled person: `No one was enrolled: 1 not subscribed.`
 * Undefined for other runs. Every row has an outcome then, so "done" alone would hide that no flow was started.
 */
export function enrolledNone({
  status,
  dry_run,
  rows,
}: Pick<RunReport, 'status' | 'dry_run'> & { readonly rows: object }): string | undefined {
  const counts = Object.entries(rows).filter(([, count]) => typeof count === 'number' && count > 0);
  const reasons = counts.filter(([name]) => !NO_REASON.includes(name));
  const isEnrollment = 'enrolled' in rows && rows.enrolled === 0 && !dry_run && ENDED.includes(status);
  if (!isEnrollment || reasons.length === 0) {
    return undefined;
  }
  const words = reasons.map(([name, count]) => `${formatNumber(count)} ${name.replaceAll('_', ' ')}`);
  return safe(`No one was enrolled: ${words.join(', ')}.`);
}

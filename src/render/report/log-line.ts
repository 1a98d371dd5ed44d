import { logTime } from '../../base/lib/duration.ts';
import { safe } from '../../base/lib/text.ts';
import type { RunStatus } from '../../migrate/types.ts';
import { counts } from '../text/block.ts';
import type { ShownReport } from './report.ts';

const ORDER = ['created', 'updated', 'enrolled', 'suppressed'];

/**
 * The end of a run on one line, for cron: `2026-11-22T01:51:14Z migrate ok run_… read=200000 created=191975
 * suppressed=8025 62s`. Counts of 0 are left out, but for `read`.
 */
export function logLine(report: ShownReport, now: number, ms: number): string {
  const { read, ...outcomes } = report.rows;
  const warnings = report.findings.filter(({ level }) => level === 'warn').length;
  const known: [string, number][] = [
    ...counts(outcomes, ORDER),
    ...counts({ gone: report.gone?.missing ?? 0, warnings }),
  ];
  const words = [
    logTime(now),
    safe(report.command).replaceAll(' ', '-'),
    STATUS_WORDS[report.status] ?? report.status,
    safe(report.run),
    ...[['read', read] as const, ...known].map(([name, count]) => `${safe(name)}=${count}`),
    `${Math.ceil(ms / 1000)}s`,
  ];
  return `${words.join(' ')}\n`;
}

const STATUS_WORDS: Readonly<Partial<Record<RunStatus, string>>> = { completed: 'ok', planned: 'dry-run' };

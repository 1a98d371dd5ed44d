import type { OutcomeCounts, RunReport } from '../../run-lifecycle/data/run-report.ts';

/** A report to show. For an enrollment, `rows` has the outcome words of enrollments. */
export interface ShownReport extends Omit<RunReport, 'rows'> {
  readonly rows: OutcomeCounts | ({ readonly read: number } & Readonly<Record<string, number>>);
  /** The bytes of the input copies that still exist. Undefined if svc did not count them. */
  readonly input_copy_bytes?: number;
}

/** The report in the form that the text of a plan needs. */
export function planMeta(report: ShownReport) {
  const { merged = 0, rejected = 0, unchanged = 0 }: Partial<RunReport['rows']> = report.rows;
  return { ...report, rows: { read: report.rows.read, merged, rejected, unchanged } };
}

/** The findings that a reader must see: stops and warnings. */
export function stopsAndWarnings({ findings }: ShownReport) {
  return findings.filter(({ level }) => level === 'stop' || level === 'warn');
}

/**
 * Replaces the home folder by `~`, but only where a shell understands it: at the start of a word that is not quoted.
 */
export function shortenHome(text: string, home: string): string {
  const isStart = (all: string, position: number) => position === 0 || all[position - 1] === ' ';
  return home === ''
    ? text
    : text.replaceAll(`${home}/`, (found, position, all) => (isStart(all, position) ? '~/' : found));
}

export function withShortHome(report: ShownReport, home: string): ShownReport {
  return { ...report, next: report.next.map((step) => shortenHome(step, home)) };
}

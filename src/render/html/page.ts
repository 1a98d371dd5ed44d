import { formatNumber, plural } from '../../base/lib/text.ts';
import type { RunStatus } from '../../migrate/types.ts';
import { skippedWords } from '../plan/skipped.ts';
import { headline } from '../report/headline.ts';
import type { ShownReport } from '../report/report.ts';
import { resultSentence } from '../report/result.ts';
import { html, type Markup } from './markup.ts';
import {
  checksSection,
  destinationSection,
  listSection,
  readingSection,
  rowsSection,
  sendingSection,
  stepsSection,
  verificationSection,
} from './sections.ts';
import { STYLE } from './style.ts';

const TONES: Readonly<Record<RunStatus, 'good' | 'warn' | 'bad'>> = {
  completed: 'good',
  planned: 'good',
  partial: 'warn',
  interrupted: 'warn',
  later: 'warn',
  busy: 'warn',
  refused: 'bad',
  stopped: 'bad',
  failed: 'bad',
  unverified: 'bad',
  bug: 'bad',
};

/** The page of a run, for its user: one file without scripts, outside resources or addresses. */
export function reportPage(report: ShownReport): string {
  const { timeline } = report;
  const text = timeline
    ? resultSentence(report, Date.parse(timeline.ended_at) - Date.parse(timeline.started_at))
    : headline(report).text;
  const title = `${report.command}: ${report.status}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<header>
<h1>${text}</h1>
<p><span class="badge ${TONES[report.status]}">${report.status}</span> ${summary(report)}</p>
${problem(report)}
</header>
<main>
${destinationSection(report)}
${rowsSection(report)}
${listSection(report)}
${sendingSection(report)}
${readingSection(report)}
${checksSection(report)}
${verificationSection(report)}
${stepsSection(report)}
</main>
</body>
</html>
`;
  return page.html;
}

/** The counts that matter, in one line. */
function summary({ rows, plan, skipped, dry_run }: ShownReport): string {
  const { created = 0, updated = 0, suppressed = 0, enrolled = 0 } = rows as Readonly<Record<string, number>>;
  const counts: readonly (string | undefined)[] = dry_run
    ? [plural(plan.contacts, 'contact'), plural(sum(plan.suppressions), 'suppression')]
    : [
        countPart(created, 'created'),
        countPart(updated, 'updated'),
        countPart(enrolled, 'enrolled'),
        countPart(plan.unsubscribed, 'of the contacts unsubscribed'),
        countPart(suppressed, 'suppressed'),
        countPart(sum(skipped), 'skipped'),
      ];
  const words = counts.filter((word) => word !== undefined);
  return `${plural(rows.read, 'row')} read${words.length > 0 ? `: ${words.join(', ')}` : ''}${skippedNote(skipped)}`;
}

function skippedNote(skipped: ShownReport['skipped']): string {
  const reasons = skippedWords(skipped).map(([, words]) => words);
  return reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
}

function countPart(count: number, word: string): string | undefined {
  return count > 0 ? `${formatNumber(count)} ${word}` : undefined;
}

function sum(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}

function problem({ error }: ShownReport): Markup | undefined {
  return (
    error &&
    html`<p><b>Why:</b> ${error.message}</p>${error.hint === undefined ? undefined : html`<p><b>What to do:</b> <code>${error.hint}</code></p>`}`
  );
}

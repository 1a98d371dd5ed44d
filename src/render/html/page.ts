import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import { skippedWords } from '../plan/plan.ts';
import { headline, STATUS_TONES } from '../report/headline.ts';
import { resultSentence } from '../report/short-report.ts';
import type { ShownReport } from '../report/shown-report.ts';
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

/** The CSS class of the status badge, by tone. */
const BADGES = { green: 'good', yellow: 'warn', red: 'bad' } as const;

/** The report of a run as one HTML file. It has no scripts, loads no other files, and shows no email addresses. */
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
<p><span class="badge ${BADGES[STATUS_TONES[report.status]]}">${report.status}</span> ${summary(report)}</p>
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

/** The most important row counts of a run, in one line. */
function summary({ rows, plan, skipped, dry_run }: ShownReport): string {
  const { created = 0, updated = 0, suppressed = 0, enrolled = 0 } = rows as Readonly<Record<string, number>>;
  const counts: readonly (string | undefined)[] = dry_run
    ? [plural(plan.contacts, 'contact'), plural(sumOf(Object.values(plan.suppressions)), 'suppression')]
    : [
        countPart(created, 'created'),
        countPart(updated, 'updated'),
        countPart(enrolled, 'enrolled'),
        countPart(plan.unsubscribed, 'of the contacts unsubscribed'),
        countPart(suppressed, 'suppressed'),
        countPart(sumOf(Object.values(skipped)), 'skipped'),
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

function problem({ error }: ShownReport): Markup | undefined {
  return (
    error &&
    html`<p><b>Why:</b> ${error.message}</p>${error.hint === undefined ? undefined : html`<p><b>What to do:</b> <code>${error.hint}</code></p>`}`
  );
}

/**
 * The style sheet of the report, for light and dark screens, phones and paper. Uses only system fonts, so that the page
 * loads no files.
 */
const STYLE = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --paper: #ffffff; --line: #d9dee7;
  --good: #2a7f62; --fine: #3d6fb4; --left: #8a63b8; --merged: #8b95a5; --wait: #d98a1f; --bad: #c23b3b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaf0; --soft: #a3adbd; --paper: #14181f; --line: #333b48;
  --good: #4db992; --fine: #74a5e8; --left: #b996e4; --merged: #7f8a9b; --wait: #f0aa4a; --bad: #f07070; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
p, ul, ol, dl, table { margin: .5rem 0; }
small, .soft, dt { color: var(--soft); }
.badge { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; color: var(--paper); font-size: .85rem; }
.badge.good { background: var(--good); } .badge.warn { background: var(--wait); } .badge.bad { background: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dd { margin: 0; }
svg { display: block; width: 100%; height: auto; } svg.bar { height: 34px; } svg text { font-size: 13px; fill: var(--soft); }
.good { fill: var(--good); } .fine { fill: var(--fine); } .left { fill: var(--left); } .merged { fill: var(--merged); }
.wait { fill: var(--wait); opacity: .45; } .bad { fill: var(--bad); } rect.skip { fill: var(--line); stroke: var(--soft); }
.legend { list-style: none; padding: 0; columns: 2; } .legend li { break-inside: avoid; }
.swatch { display: inline-block; margin-right: .4rem; width: .8rem; height: .8rem; border-radius: .2rem; }
.swatch.good { background: var(--good); } .swatch.fine { background: var(--fine); } .swatch.left { background: var(--left); }
.swatch.merged { background: var(--merged); } .swatch.bad { background: var(--bad); }
.swatch.skip { background: var(--line); outline: 1px solid var(--soft); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; white-space: nowrap; } code { font: .9em ui-monospace, Menlo, Consolas, monospace; }
li.stop::marker { content: "\\2717  "; color: var(--bad); } li.warn::marker { content: "!  "; color: var(--wait); }
li.passed::marker { content: "\\2713  "; color: var(--good); } li.failed::marker { content: "\\2717  "; color: var(--bad); }
li.skipped::marker { content: "\\2013  "; }
@media (max-width: 30rem) { .legend { columns: 1; } dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } h2 { break-after: avoid; } svg, li, tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;

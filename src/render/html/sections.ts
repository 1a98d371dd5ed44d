import { formatDuration, formatUtcTime } from '../../base/lib/duration.ts';
import { ownValue } from '../../base/lib/json.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural } from '../../base/lib/text.ts';
import type { ReportInput } from '../../run-lifecycle/data/run-report.ts';
import { type ShownReport, stopsAndWarnings } from '../report/shown-report.ts';
import { barChart, type ChartPart, monthChart, sendingChart, stackedBar } from './charts.ts';
import { html, type Markup } from './markup.ts';

/** The section about the run: the list, the destination and the times. */
export function destinationSection(report: ShownReport): Markup {
  const { run, origin, audience, automation, inputs, timeline } = report;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['Run', run],
    ['List', inputNames(inputs) || undefined],
    ['Service', origin ?? 'not contacted'],
    ['Audience', audience?.name],
    ['Automation', automation?.name],
    ['Began', timeline && formatUtcTime(Date.parse(timeline.started_at))],
    ['Ended', timeline && formatUtcTime(Date.parse(timeline.ended_at))],
  ];
  const shown = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`],
  );
  return html`<dl>${shown}</dl>`;
}

/** The names of the input files. For an archive with several lists, also their number. */
function inputNames(inputs: readonly ReportInput[]): string {
  const paths = [...new Set(inputs.map(({ path }) => path))];
  const countLists = (path: string) => inputs.filter((input) => input.path === path).length;
  return paths.map((path) => (countLists(path) > 1 ? `${path} (${countLists(path)} files)` : path)).join(', ');
}

function inputName({ path, entry }: ReportInput): string {
  return entry === undefined ? path : `${path} (${entry})`;
}

const OUTCOMES: Readonly<Record<string, readonly [label: string, tone: string]>> = {
  created: ['created as contacts', 'good'],
  updated: ['updated', 'fine'],
  unchanged: ['unchanged, so not sent', 'fine'],
  enrolled: ['enrolled', 'good'],
  suppressed: ['suppressed: no mail at all', 'left'],
  already_suppressed: ['suppressed before this run', 'left'],
  merged: ['merged into another row of the same person', 'merged'],
  skipped: ['skipped', 'skip'],
  rejected: ['rejected: given back in the rejects file', 'bad'],
  failed: ['refused by the service', 'bad'],
  unsent: ['not sent', 'skip'],
  unknown: ['unknown: no response is recorded', 'bad'],
};

/** The section with the number of rows per outcome, and of suppressions per reason. */
export function rowsSection({ rows, plan, dry_run }: ShownReport): Markup {
  const { read: _, ...outcomes } = rows as { readonly read: number } & Readonly<Record<string, number>>;
  const shares = Object.entries(outcomes).map(([name, count]): ChartPart => {
    const [label, tone] = ownValue(OUTCOMES, name) ?? [name.replaceAll('_', ' '), 'merged'];
    return { label: dry_run && name === 'unsent' ? 'would be sent' : label, rows: count, tone };
  });
  const reasons = Object.entries(plan.suppressions).map(
    ([reason, count]): ChartPart => ({ label: reason.replaceAll('_', ' '), rows: count ?? 0, tone: 'left' }),
  );
  return html`<section><h2>Where every row went</h2>${stackedBar(shares)}
${reasons.length === 0 ? undefined : html`<h2>Suppressions by reason</h2>${barChart(reasons, 'Suppressions by reason')}`}</section>`;
}

/** The section about the list: sign-ups and opt-outs per month, and the largest mail domains. */
export function listSection({ list }: ShownReport): Markup | undefined {
  if (list === undefined) {
    return undefined;
  }
  const domains = [
    ...list.domains.map(({ domain, rows }): ChartPart => ({ label: domain, rows, tone: 'fine' })),
    ...(list.other_domains > 0 ? [{ label: 'all others', rows: list.other_domains, tone: 'merged' }] : []),
  ];
  return html`<section>${months('Sign-ups over time', list.signed_up, 'good')}${months('Opt-outs over time', list.opted_out, 'left')}
${domains.length === 0 ? undefined : html`<h2>Largest mail domains</h2>${barChart(domains, 'Rows by mail domain')}`}</section>`;
}

function months(title: string, counts: Readonly<Record<string, number>>, tone: string): Markup | undefined {
  return Object.keys(counts).length === 0
    ? undefined
    : html`<h2>${title}</h2><p class="soft">Rows of the list by its own dates.</p>${monthChart(counts, tone, title)}`;
}

const WAITS: Readonly<Record<string, string>> = {
  rate_limit: 'the rate limit of the service',
  reserve: 'requests kept free for other programs',
  retry: 'trying again after a failure',
  in_flight_elsewhere: 'the same request was still in progress',
  too_many_retries: 'too many failures at once',
  lock: 'another run at the same destination',
};

/** The section about sending: requests, waits, and a curve of the rows sent. */
export function sendingSection({ timeline, requests }: ShownReport): Markup | undefined {
  if (timeline === undefined || timeline.sent.length === 0) {
    return undefined;
  }
  const waits = timeline.waits.map(({ at: time, ms, reason }) => ({
    startedAt: Date.parse(time),
    ms,
    why: WAITS[reason] ?? reason,
  }));
  const waited = sumOf(waits.map(({ ms }) => ms));
  const chart = sendingChart({
    start: Date.parse(timeline.started_at),
    end: Date.parse(timeline.ended_at),
    sent: timeline.sent.map(({ at: time, rows }) => ({ sentAt: Date.parse(time), rows })),
    waits,
  });
  const reasons = [...new Set(waits.map(({ why }) => why))];
  return html`<section><h2>Sending</h2><p class="soft">${plural(requests.sent, 'request')}, ${formatNumber(requests.retried)} of them repeats.
${waits.length === 0 ? 'No waits.' : `Waited ${formatDuration(waited)} in all (marked): ${reasons.join('; ')}.`}</p>${chart}</section>`;
}

const MAX_SHOWN_VALUES = 12;
const MAX_SHOWN_INPUTS = 50;
const MAX_SHOWN_COLUMNS = 100;

/** The section on how svc read the first files: platform, columns, and the meaning of the status values. */
export function readingSection({ inputs }: ShownReport): Markup | undefined {
  return inputs.length === 0
    ? undefined
    : html`<section><h2>How the list was read</h2>${inputs.slice(0, MAX_SHOWN_INPUTS).map(inputPart)}${
        inputs.length > MAX_SHOWN_INPUTS
          ? html`<p>and ${formatNumber(inputs.length - MAX_SHOWN_INPUTS)} more.</p>`
          : undefined
      }</section>`;
}

function inputPart(input: ReportInput): Markup {
  const { columns = [], state } = input;
  const sent = columns.filter(({ target }) => target !== 'not sent');
  const notSent = columns.filter(({ target }) => target === 'not sent').map(({ header }) => header);
  const values = (state?.columns ?? []).flatMap(({ column, values: counted }) =>
    counted
      .slice(0, MAX_SHOWN_VALUES)
      .map(
        ({ value, rows, states }) =>
          html`<tr><td>${column}</td><td>${value === '' ? '(empty)' : value}</td><td class="number">${formatNumber(rows)}</td><td>${Object.keys(states).join(', ')}</td></tr>`,
      ),
  );
  return html`<p><b>${inputName(input)}</b>: ${plural(input.rows, 'row')}, ${input.platform}, ${input.encoding}. ${
    state === undefined ? 'It has no status column.' : `The status comes from ${state.from}.`
  }</p>
<p class="soft">Sent: ${
    joinAtMost(
      sent.map(({ header, target }) => `${header} as ${target}`),
      MAX_SHOWN_COLUMNS,
    ) || 'nothing'
  }.
${notSent.length === 0 ? undefined : `Not sent: ${joinAtMost(notSent, MAX_SHOWN_COLUMNS)}.`}</p>
${values.length === 0 ? undefined : html`<table><tr><th>Column</th><th>Value</th><th class="number">Rows</th><th>Meaning</th></tr>${values}</table>`}`;
}

/** The section with all stops and warnings. Passed checks are only counted. */
export function checksSection(report: ShownReport): Markup {
  const passed = report.findings.filter(({ level }) => level === 'pass').length;
  const items = stopsAndWarnings(report).map(
    ({ level, message, hint }) =>
      html`<li class="${level}">${message}${hint === undefined ? undefined : html`<br><code>${hint}</code>`}</li>`,
  );
  return html`<section><h2>Checks</h2>${items.length === 0 ? undefined : html`<ul>${items}</ul>`}<p class="soft">${plural(passed, 'check')} passed.</p></section>`;
}

export function verificationSection({ verification }: ShownReport): Markup | undefined {
  return verification.checks.length === 0
    ? undefined
    : html`<section><h2>Verified with the service</h2><ul>${verification.checks.map(({ status, message }) => html`<li class="${status}">${message}</li>`)}</ul></section>`;
}

export function stepsSection({ next }: ShownReport): Markup | undefined {
  return next.length === 0
    ? undefined
    : html`<section><h2>What to do next</h2><ol>${next.map((step) => html`<li>${step}</li>`)}</ol></section>`;
}

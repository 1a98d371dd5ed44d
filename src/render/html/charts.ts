import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { formatUtcTime } from '../../base/lib/duration.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural } from '../../base/lib/text.ts';
import { html, type Markup } from './markup.ts';

/** One part of a stacked bar, or one bar of a bar chart. `tone` is a CSS class of the report. */
export interface ChartPart {
  readonly label: string;
  readonly rows: number;
  readonly tone: string;
}

/** The width of each chart in SVG units. The page scales the charts. */
const WIDTH = 640;

/** One bar with a part for each outcome. The legend below it shows the numbers of rows. */
export function stackedBar(shares: readonly ChartPart[]): Markup {
  const shown = shares.filter(({ rows }) => rows > 0);
  const total = sumOf(shown.map(({ rows }) => rows));
  if (total === 0) {
    return html`<p>The list holds no rows.</p>`;
  }
  const x = scaleLinear([0, total], [0, WIDTH]);
  let rowsBefore = 0;
  const parts = shown.map(({ rows, tone, label }) => {
    const start = rowsBefore;
    rowsBefore += rows;
    const width = Math.max(1.5, x(rows));
    return html`<rect class="${tone}" x="${round(x(start))}" y="0" width="${round(width)}" height="34"><title>${label}: ${formatNumber(rows)}</title></rect>`;
  });
  const legend = shown.map(
    ({ label, rows, tone }) =>
      html`<li><span class="swatch ${tone}"></span><b>${formatNumber(rows)}</b> ${label} <small>${percent(rows, total)}</small></li>`,
  );
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} 34" preserveAspectRatio="none" role="img" aria-label="Rows by outcome">${parts}</svg>
<ul class="legend">${legend}</ul>`;
}

const LINE_HEIGHT = 24;
const CHART_LABEL_WIDTH = 190;

/** A bar for each share, with its label and number. */
export function barChart(shares: readonly ChartPart[], title: string): Markup {
  const maxRows = largest(shares);
  const x = scaleLinear([0, maxRows], [0, WIDTH - CHART_LABEL_WIDTH - 90]);
  const height = shares.length * LINE_HEIGHT;
  const bars = shares.map(({ label, rows, tone }, index) => {
    const y = index * LINE_HEIGHT;
    const end = CHART_LABEL_WIDTH + x(rows);
    return html`<text x="${CHART_LABEL_WIDTH - 8}" y="${y + 16}" text-anchor="end">${shortenLabel(label)}</text>
<rect class="${tone}" x="${CHART_LABEL_WIDTH}" y="${y + 4}" width="${round(Math.max(1, x(rows)))}" height="16"/>
<text x="${round(end + 6)}" y="${y + 16}">${formatNumber(rows)}</text>`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">${bars}</svg>`;
}

const LONGEST_LABEL = 27;

function shortenLabel(label: string): string {
  const letters = [...label];
  return letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…` : label;
}

const COLUMN_HEIGHT = 120;
const AXIS = 22;
/** With at most this many months, each month gets a column. A longer history gets a column for each year. */
const MAX_MONTHS = 36;

/** A chart with a column for each month between the first and the last. For a long history, a column for each year. */
export function monthChart(months: Readonly<Record<string, number>>, tone: string, title: string): Markup {
  const spans = allSpans(months);
  const maxRows = largest(spans);
  const y = scaleLinear([0, maxRows], [0, COLUMN_HEIGHT - 16]);
  const step = Math.min(60, WIDTH / spans.length);
  const every = Math.ceil(spans.length / Math.floor(WIDTH / 60));
  const columns = spans.map(({ span, rows }, index) => {
    const height = rows === 0 ? 0 : Math.max(1, y(rows));
    const label =
      index % every === 0 && (index === 0 || index * step <= WIDTH - 55)
        ? html`<text x="${round(index * step)}" y="${COLUMN_HEIGHT + 15}">${span}</text>`
        : undefined;
    return html`<rect class="${tone}" x="${round(index * step)}" y="${round(COLUMN_HEIGHT - height)}" width="${round(step * 0.85)}" height="${round(height)}"><title>${span}: ${formatNumber(rows)}</title></rect>${label}`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${COLUMN_HEIGHT + AXIS}" role="img" aria-label="${title}">
<text x="${WIDTH}" y="12" text-anchor="end">most: ${formatNumber(maxRows)}</text>${columns}</svg>`;
}

/** All months (or years) from the first to the last, including those without rows. */
function allSpans(months: Readonly<Record<string, number>>): { readonly span: string; readonly rows: number }[] {
  const keys = Object.keys(months).sort();
  const [first, last] = [indexOf(keys[0] ?? '1970-01'), indexOf(keys.at(-1) ?? '1970-01')];
  if (last - first < MAX_MONTHS) {
    return Array.from({ length: last - first + 1 }, (_, offset) => {
      const span = monthOf(first + offset);
      return { span, rows: months[span] ?? 0 };
    });
  }
  const [from, to] = [Math.floor(first / 12), Math.floor(last / 12)];
  return Array.from({ length: to - from + 1 }, (_, offset) => {
    const span = String(from + offset);
    const rows = sumOf(keys.filter((key) => key.startsWith(span)).map((key) => months[key] ?? 0));
    return { span, rows };
  });
}

function indexOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
}

function monthOf(index: number): string {
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/**
 * The data of the sending chart. `ms` is the length of a wait, and `rows` a number of rows. All other numbers are
 * milliseconds since the epoch.
 */
interface SendingChart {
  readonly start: number;
  readonly end: number;
  readonly sent: readonly { readonly sentAt: number; readonly rows: number }[];
  readonly waits: readonly { readonly startedAt: number; readonly ms: number; readonly why: string }[];
}

/** A curve of the number of rows sent so far, with the waits marked. */
export function sendingChart({ start, end, sent, waits }: SendingChart): Markup {
  const to = Math.max(end, start + 1_000);
  const x = scaleUtc([start, to], [0, WIDTH]);
  const points = [{ time: start, rows: 0 }];
  for (const { sentAt: time, rows } of sent) {
    points.push({ time, rows: rows + (points.at(-1)?.rows ?? 0) });
  }
  const total = points.at(-1)?.rows ?? 0;
  points.push({ time: to, rows: total });
  const y = scaleLinear([0, Math.max(1, total)], [COLUMN_HEIGHT, 16]);
  const shape = area<{ time: number; rows: number }>()
    .x(({ time }) => x(time))
    .y0(COLUMN_HEIGHT)
    .y1(({ rows }) => y(rows))
    .curve(curveStepAfter)
    .digits(1);
  const pauses = waits.map(
    ({ startedAt: time, ms, why }) =>
      html`<rect class="wait" x="${round(x(time))}" y="16" width="${round(Math.max(1, x(Math.min(to, time + ms)) - x(time)))}" height="${COLUMN_HEIGHT - 16}"><title>${why}, ${Math.round(ms / 1_000)} s</title></rect>`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${COLUMN_HEIGHT + AXIS}" role="img" aria-label="Rows sent over time">
<path class="good" d="${shape(points) ?? ''}"/>${pauses}
<text x="0" y="${COLUMN_HEIGHT + 15}">${formatUtcTime(start)}</text>
<text x="${WIDTH}" y="${COLUMN_HEIGHT + 15}" text-anchor="end">${formatUtcTime(to)}</text>
<text x="${WIDTH}" y="12" text-anchor="end">${plural(total, 'row')}</text></svg>`;
}

/** The largest number of rows of an item. At least 1, because charts divide by it. */
function largest(items: readonly { readonly rows: number }[]): number {
  return items.reduce((max, { rows }) => Math.max(max, rows), 1);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function percent(part: number, total: number): string {
  const share = (100 * part) / total;
  if (share < 0.1) {
    return 'below 0.1 %';
  }
  return `${share === 100 || (share >= 10 && share < 99.5) ? Math.round(share) : share.toFixed(1)} %`;
}

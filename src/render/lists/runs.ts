import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, terminalSafe } from '../../base/lib/text.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { RunCounts } from '../../runs/store/counts.ts';
import { type Cell, timeCell } from '../text/cell.ts';
import type { Style, Tone } from '../text/style.ts';
import { itemTable } from '../text/table.ts';

const TONES: ReadonlyMap<string, Tone> = new Map([
  ['completed', 'green'],
  ['planned', 'dim'],
  ['partial', 'yellow'],
  ['interrupted', 'yellow'],
  ['later', 'yellow'],
  ['stopped', 'red'],
  ['failed', 'red'],
  ['unverified', 'red'],
  ['bug', 'red'],
]);

/**
 * The table of `svc runs ls`: command, status and start of each run, its rows with an unknown outcome, and where it
 * writes.
 */
export function runsTable(runs: readonly RunSummary[], now: number, style: Style): string {
  return itemTable(
    [
      { title: 'run', neverCut: true, cell: ({ run }) => run },
      { title: 'command', minWidth: 12, cell: ({ command }) => command },
      { title: 'status', neverCut: true, cell: statusCell },
      {
        title: 'started',
        field: 'started_at',
        dropOrder: 2,
        cell: ({ startedAt }) => timeCell(isoTime(startedAt), now),
      },
      {
        title: 'unknown',
        align: 'right',
        cell: ({ unknown }) => ({ text: String(unknown), tone: unknown > 0 ? 'red' : 'dim', raw: unknown }),
      },
      { title: 'to', field: 'destination', minWidth: 10, cell: ({ destination }) => destination },
      { title: 'origin', minWidth: 22, cutFirst: true, dropOrder: 1, cell: ({ origin }) => origin },
    ],
    runs,
    style,
  );
}

function statusCell({ status, overtakenBy }: RunSummary): Cell {
  return overtakenBy === undefined ? { text: status, tone: TONES.get(status) } : { text: 'overtaken', tone: 'dim' };
}

/**
 * A run as `runs ls --json` prints it: names in snake_case, times in ISO 8601, null for missing values. Only an
 * overtaken run has `overtaken_by`.
 */
export function runJson(run: RunSummary): Readonly<Record<string, unknown>> {
  return {
    object: 'run',
    run: run.run,
    command: run.command,
    status: run.status,
    phase: run.phase ?? null,
    exit_code: run.exitCode ?? null,
    finished: run.finished ?? null,
    ...(run.overtakenBy !== undefined && { overtaken_by: run.overtakenBy }),
    unknown: run.unknown,
    origin: run.origin,
    destination: run.destination ?? null,
    destination_id: run.destinationId ?? null,
    started_at: isoTime(run.startedAt),
    ended_at: run.endedAt === undefined ? null : isoTime(run.endedAt),
    folder: run.folder,
    input_copy_bytes: run.copiedBytes,
  };
}

/** The JSON of a run without a report yet, with the row counts of its journal. */
export function unreportedRunJson(run: RunSummary, journalCounts: RunCounts): Readonly<Record<string, unknown>> {
  const counts = Object.entries(journalCounts).map(([name, count]) => [snakeCase(name), count]);
  return { ...runJson(run), counts: Object.fromEntries(counts) };
}

/** The text of `svc runs show` for a run without a report yet: status, row counts so far, next step. */
export function unreportedRunText(run: RunSummary, counts: RunCounts, next: string | undefined): string {
  const place = run.destination === undefined ? '' : ` to ${terminalSafe(run.destination)}`;
  return [
    `${run.run}: ${terminalSafe(run.command)}${place}\n`,
    `${standingText(run)} ${rowsText(run, counts)}\n`,
    next === undefined ? '' : `Next: ${next}\n`,
  ].join('');
}

function standingText({ status, overtakenBy }: RunSummary): string {
  if (overtakenBy !== undefined) {
    return `It can't continue: ${overtakenBy} wrote to the same audience since.`;
  }
  if (status === 'running') {
    return 'It is running now.';
  }
  return status === 'unfinished' ? 'Not finished: svc was killed.' : `Not finished: ${terminalSafe(status)}.`;
}

function rowsText({ status, overtakenBy }: RunSummary, counts: RunCounts): string {
  const sumOfCounts = (numbers: Readonly<Record<string, number>>) => sumOf(Object.values(numbers));
  const known = Object.entries({
    created: counts.created,
    updated: counts.updated,
    suppressed: counts.suppressed + counts.alreadySuppressed,
    ...counts.outcomes,
    refused: sumOfCounts(counts.failed) + counts.refused,
  }).filter(([, count]) => count > 0);
  const unknown = counts.doubt + counts.pending;
  if (known.length === 0 && unknown === 0) {
    return 'Nothing was sent.';
  }
  const until = status === 'running' || overtakenBy !== undefined ? '' : ' until it continues';
  const parts = [
    ...known.map(([word, count]) => `${formatNumber(count)} ${terminalSafe(word.replaceAll('_', ' '))}`),
    ...(unknown > 0 ? [`${formatNumber(unknown)} unknown${until}`] : []),
  ];
  return `Rows so far: ${parts.join(', ')}.`;
}

/** Turns `freshCreated` into `fresh_created`, because all JSON names of svc are in snake_case. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

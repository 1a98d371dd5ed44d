import type { RunSummary } from '../../runs/find/list.ts';
import type { Cell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import { timeCell } from '../table/time-cell.ts';
import type { Style, Tone } from '../text/style.ts';

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

/** `svc runs ls`: what ran where, how it ended, and how many rows nobody can speak for. */
export function runsTable(runs: readonly RunSummary[], now: number, style: Style): string {
  return table(
    [
      { title: 'run', whole: true },
      { title: 'command' },
      { title: 'status' },
      { title: 'started' },
      { title: 'unknown', align: 'right' },
      { title: 'to' },
      { title: 'origin', least: 22, yields: true, drops: 1 },
    ],
    runs.map((run) => runRow(run, now)),
    style,
  );
}

function runRow(run: RunSummary, now: number): Cell[] {
  return [
    run.run,
    run.command,
    { text: run.status, tone: TONES.get(run.status) },
    timeCell(new Date(run.startedAt).toISOString(), now),
    { text: String(run.unknown), tone: run.unknown > 0 ? 'red' : 'dim', raw: run.unknown },
    run.destination,
    run.origin,
  ];
}

import type { RunSummary } from '../../runs/find/list.ts';
import type { Tally } from '../../runs/store/counts.ts';

/** A run as `runs ls --json` shows it: names as the service writes them, times in ISO 8601, null where nothing is known. */
export function runJson(run: RunSummary): Readonly<Record<string, unknown>> {
  return {
    object: 'run',
    run: run.run,
    command: run.command,
    status: run.status,
    phase: run.phase ?? null,
    exit_code: run.exitCode ?? null,
    finished: run.finished ?? null,
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

/** A run that has no report yet, with what its journal has counted so far, in rows. */
export function unreportedRunJson(run: RunSummary, tally: Tally): Readonly<Record<string, unknown>> {
  const counts = Object.entries(tally).map(([name, count]) => [snakeCase(name), count]);
  return { ...runJson(run), counts: Object.fromEntries(counts) };
}

/** `freshCreated` as `fresh_created`: no name in our JSON is in camelCase. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exit, type Program, startProgram } from '../support/program.ts';
import { listOf } from './list.ts';
import type { Service } from './service.ts';

/** One list and its audience, with its own state folder. */
export interface Trial {
  readonly state: string;
  /** Starts the migration or its resume. */
  begin(): Program;
  resume(): Program;
  /** What the service holds of this list. */
  contents(): Promise<readonly string[]>;
  end(): void;
}

/** Prepares a trial; `mark` makes its people different from those of all others. */
export async function prepareTrial(service: Service, mark: string, state?: string): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-torture-'));
  const place = state ?? join(folder, 'state');
  const list = join(folder, 'list.csv');
  writeFileSync(list, listOf(mark));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const audience = await service.createAudience(mark);
  const env = { ...service.env, SVC_STATE_DIR: place };
  const line = ['migrate', list, '--json', '--yes', '--plan', 'paid', '--audience', audience];
  return {
    state: place,
    begin: () => startProgram(line, env),
    resume: () => startProgram(['runs', 'resume', '--json'], env),
    contents: () => service.state(audience, mark),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Resumes a run until it is finished, with at most two programs. Returns the end of the last one. */
export async function finish(trial: Trial): Promise<Exit> {
  const first = await trial.resume().exit;
  if (first.code === 0) {
    return first;
  }
  return isNothingToResume(first) ? trial.begin().exit : trial.resume().exit;
}

/** The signal came before the journal existed, or after the end. In both cases the same command again is right. */
export function isNothingToResume({ code, err }: Exit): boolean {
  return code === 2 && /nothing_to_resume|broken_run/.test(err);
}

/** Describes what is wrong with the end of a trial. */
export function problemsOf(end: Exit, found: readonly string[], expected: readonly string[]): string[] {
  if (end.code !== 0) {
    return [`exit ${end.code} after the resume: ${end.err}`];
  }
  const { rows } = JSON.parse(end.out) as { rows: Readonly<Record<string, number>> };
  const { read = 0, ...outcomes } = rows;
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
  const missing = expected.filter((line) => !found.includes(line));
  return [
    ...(sum === read && (rows.unsent ?? 0) + (rows.unknown ?? 0) === 0 ? [] : [`books: ${JSON.stringify(rows)}`]),
    ...(found.length === expected.length ? [] : [`${found.length} lines in the service instead of ${expected.length}`]),
    ...missing.slice(0, 3).map((line) => `missing: ${line}`),
  ];
}

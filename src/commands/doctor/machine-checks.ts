import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '../../api/client.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { EXIT, type ExitCode } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural, shellWord } from '../../base/lib/text.ts';
import { isFolder } from '../../base/os/files.ts';
import { listRuns, unreadableRunError } from '../../runs/find/list-runs.ts';
import type { Invocation } from '../framework/invocation.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import { type DoctorFinding, finding } from './findings.ts';

/** Reports whether runs can be stored in the state folder, and which runs are unfinished. */
export function examineState({ settings, context }: Invocation<unknown>): DoctorFinding[] {
  const folder = resolveStateFolder(context, settings);
  if (!existsSync(folder)) {
    const problem = folderProblem(existingParent(folder));
    const message = problem ? `${folder} can't be created: ${problem}` : `${folder} will be created when it is needed`;
    return [problem ? stateStop(message, EXIT.usage) : finding('pass', 'state', message)];
  }
  const problem = folderProblem(folder);
  if (problem) {
    return [stateStop(problem, isFolder(folder) ? EXIT.failed : EXIT.usage)];
  }
  return [accessFinding(folder), ...runFindings(folder)];
}

const STATE_HINT = 'svc records there what it sends, and sends nothing without it. Another folder: --state-dir <dir>';

function stateStop(message: string, exit_code: ExitCode): DoctorFinding {
  return { ...finding('stop', 'state', message, STATE_HINT), exit_code };
}

function existingParent(path: string): string {
  return existsSync(path) ? path : existingParent(dirname(path));
}

function folderProblem(folder: string): string | undefined {
  if (!isFolder(folder)) {
    return `${folder} is not a folder`;
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `${folder} can't be read and written`;
  }
}

function accessFinding(folder: string): DoctorFinding {
  return (statSync(folder).mode & 0o077) === 0
    ? finding('pass', 'state', `${folder} is writable, and other users cannot read it`)
    : finding('warn', 'state', `other users can read ${folder}`, `chmod 700 ${shellWord(folder)}`);
}

function runFindings(folder: string): DoctorFinding[] {
  const all = listRuns(folder);
  const unread = unreadableRunError(all, 'no command sends anything');
  if (unread) {
    return [finding('warn', 'runs', unread.message, unread.hint)];
  }
  const runs = all.filter(({ overtakenBy }) => overtakenBy === undefined);
  const unfinished = runs.filter(({ finished, status }) => finished === false && status !== 'running');
  const open = runs.filter(({ unknown, status }) => unknown > 0 && status !== 'running');
  const [latest, ...others] = open;
  if (latest) {
    const rows = sumOf(open.map(({ unknown }) => unknown));
    const message = `${plural(rows, 'row')} of earlier runs with an unknown outcome`;
    // Some runs need a resume, others a decision of the user. The hint names `runs show`, which says what a run needs.
    const hint = `svc runs show ${latest.run}${others.length > 0 ? '. The others: svc runs ls' : ''}`;
    return [finding('warn', 'runs', message, hint)];
  }
  return unfinished.length === 0
    ? []
    : [finding('info', 'runs', `${plural(unfinished.length, 'run')} not finished`, 'svc runs ls')];
}

// Up to this difference between the two clocks, svc reports no problem.
const TOLERATED_MS = 30_000;

/**
 * Reports how far the clock of this machine is from the service's clock. If they differ by more than 300 s, no webhook
 * signature is valid on this machine. The document promises no `Date` header, so the service's time may be unknown.
 */
export function examineClock(client: Pick<Client, 'knowsServerTime' | 'serverNow'>, now: number): DoctorFinding {
  if (!client.knowsServerTime()) {
    return finding('info', 'clock', 'the service does not show its time, so svc could not compare the clocks');
  }
  const skewMs = client.serverNow() - now;
  const off = Math.abs(skewMs);
  if (off < TOLERATED_MS) {
    return finding('pass', 'clock', 'agrees with the service');
  }
  const message = `this machine is ${formatDuration(off)} ${skewMs > 0 ? 'behind' : 'ahead of'} the service`;
  return finding('warn', 'clock', message, 'Set it by NTP: webhook signatures tolerate 300 s.');
}

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { EXIT } from '../../base/lib/exit.ts';
import { plural } from '../../base/lib/text.ts';
import { listRuns } from '../../runs/find/list.ts';
import { describeKey } from '../auth/status.ts';
import type { Invocation } from '../framework/invocation.ts';
import type { Account } from '../framework/settings/account.ts';
import { stateOf } from '../framework/settings/state.ts';
import type { DoctorFinding } from './findings.ts';

/** The key that the service accepted: where it came from and its fingerprint, nothing more (rule K1). */
export function examineKey({ settings, context }: Invocation<unknown>, account: Account): DoctorFinding {
  const { source } = settings.emulator ? { source: 'embedded emulator' } : describeKey(settings.key, context);
  const message = `accepted at ${account.origin}; from ${source}, fingerprint ${account.keyFingerprint}`;
  return { check: 'key', level: 'pass', message };
}

/** The state folder: whether runs can be kept there, and what waits in it. */
export function examineState({ settings, context }: Invocation<unknown>): DoctorFinding[] {
  const folder = stateOf(context, settings);
  if (!existsSync(folder)) {
    return [{ check: 'state', level: 'pass', message: `${folder} will be made when it is needed` }];
  }
  const problem = unusable(folder);
  if (problem) {
    return [{ check: 'state', level: 'stop', message: `${folder} ${problem}`, hint: HINT, exit_code: EXIT.failed }];
  }
  return [openness(folder), ...waiting(folder)];
}

const HINT = 'Runs are kept there, and nothing is sent that could not be recorded. Another folder: --state-dir <dir>';

function unusable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory() ? undefined : 'is no folder';
  } catch {
    return "can't be read and written";
  }
}

function openness(folder: string): DoctorFinding {
  return (statSync(folder).mode & 0o077) === 0
    ? { check: 'state', level: 'pass', message: `${folder} is writable and closed to others` }
    : { check: 'state', level: 'warn', message: `others may look into ${folder}`, hint: `chmod 700 '${folder}'` };
}

function waiting(folder: string): DoctorFinding[] {
  const runs = listRuns(folder);
  const unfinished = runs.filter(({ finished, status }) => finished === false && status !== 'running');
  const unknown = runs.reduce((sum, run) => sum + run.unknown, 0);
  if (unknown > 0) {
    const message = `${plural(unknown, 'row')} of earlier runs whose fate nobody knows`;
    return [{ check: 'runs', level: 'warn', message, hint: 'svc runs ls, then svc runs resume <run>' }];
  }
  return unfinished.length === 0
    ? []
    : [
        {
          check: 'runs',
          level: 'info',
          message: `${plural(unfinished.length, 'run')} not finished`,
          hint: 'svc runs ls',
        },
      ];
}

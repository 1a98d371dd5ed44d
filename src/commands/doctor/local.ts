import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { EXIT } from '../../base/lib/exit.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural, shellWord } from '../../base/lib/text.ts';
import { listRuns } from '../../runs/find/list.ts';
import { describeKey } from '../auth/status.ts';
import type { Invocation } from '../framework/invocation.ts';
import type { Account } from '../framework/settings/account.ts';
import { stateOf } from '../framework/settings/settings.ts';
import type { DoctorFinding } from './findings.ts';

/** Reports the source and the fingerprint of the accepted key, and nothing else of it (K1). */
export function examineKey({ settings, context }: Invocation<unknown>, account: Account): DoctorFinding {
  const { source } = settings.emulator ? { source: 'embedded emulator' } : describeKey(settings.key, context);
  const message = `accepted at ${account.origin}; from ${source}, fingerprint ${account.keyFingerprint}`;
  return { check: 'key', level: 'pass', message };
}

/** Reports whether runs can be stored in the state folder, and which ones are unfinished. */
export function examineState({ settings, context }: Invocation<unknown>): DoctorFinding[] {
  const folder = stateOf(context, settings);
  if (!existsSync(folder)) {
    return [{ check: 'state', level: 'pass', message: `${folder} will be created when it is needed` }];
  }
  const problem = unusable(folder);
  if (problem) {
    return [{ check: 'state', level: 'stop', message: `${folder} ${problem}`, hint: HINT, exit_code: EXIT.failed }];
  }
  return [accessFinding(folder), ...unfinishedFindings(folder)];
}

const HINT = 'svc records there what it sends, and sends nothing without it. Another folder: --state-dir <dir>';

function unusable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory() ? undefined : 'is no folder';
  } catch {
    return "can't be read and written";
  }
}

function accessFinding(folder: string): DoctorFinding {
  return (statSync(folder).mode & 0o077) === 0
    ? { check: 'state', level: 'pass', message: `${folder} is writable, and other users cannot read it` }
    : {
        check: 'state',
        level: 'warn',
        message: `other users can read ${folder}`,
        hint: `chmod 700 ${shellWord(folder)}`,
      };
}

function unfinishedFindings(folder: string): DoctorFinding[] {
  const runs = listRuns(folder).filter(({ overtakenBy }) => overtakenBy === undefined);
  const unfinished = runs.filter(({ finished, status }) => finished === false && status !== 'running');
  const [latest, ...others] = runs.filter(({ unknown }) => unknown > 0);
  if (latest) {
    const rows = sumOf(runs.map(({ unknown }) => unknown));
    const message = `${plural(rows, 'row')} of earlier runs with an unknown outcome`;
    // The next step depends on the run: a resume, or an answer of the user.
    const hint = `svc runs show ${latest.run}${others.length > 0 ? '. The others: svc runs ls' : ''}`;
    return [{ check: 'runs', level: 'warn', message, hint }];
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

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { checkAddress } from '../../api/resources/ids.ts';
import type { RunEvent } from '../../base/events.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, plural, shellWord } from '../../base/lib/text.ts';
import { listRuns, unreadRun } from '../../runs/find/list-runs.ts';
import { LIMITS } from '../../wire/limits.ts';
import { describeKey } from '../auth/status.ts';
import { sendOnce, withExplanation } from '../emails/send.ts';
import type { Invocation } from '../framework/invocation.ts';
import { type Account, DEFAULT_LIMITS } from '../framework/settings/account.ts';
import { stateOf } from '../framework/settings/settings.ts';
import { type DoctorFinding, findingOf } from './findings.ts';

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
  return [accessFinding(folder), ...runFindings(folder)];
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

function runFindings(folder: string): DoctorFinding[] {
  const all = listRuns(folder);
  const unread = unreadRun(all, 'no command sends anything');
  if (unread) {
    return [{ check: 'runs', level: 'warn', message: unread.message, ...(unread.hint && { hint: unread.hint }) }];
  }
  const runs = all.filter(({ overtakenBy }) => overtakenBy === undefined);
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

const SKEW_MS = 30_000;

/** Compares the clock with the service's `Date`, which counts whole seconds. Signatures tolerate 300 s. */
export function examineClock(skewMs: number): DoctorFinding {
  const off = Math.abs(skewMs);
  if (off < SKEW_MS) {
    return { check: 'clock', level: 'pass', message: 'agrees with the service' };
  }
  const message = `this machine is ${formatDuration(off)} ${skewMs > 0 ? 'behind' : 'ahead of'} the service`;
  return {
    check: 'clock',
    level: 'warn',
    message,
    hint: 'Set it by NTP: webhook signatures tolerate 300 s.',
  };
}

/** Reports the rate budget of the first response, before our own waits changed it, and how much others used. */
export function examineRate(seen: readonly Extract<RunEvent, { type: 'request' }>[]): DoctorFinding {
  const at = seen.findIndex(({ remaining }) => remaining !== undefined);
  const first = seen[at];
  if (first?.remaining === undefined) {
    return { check: 'rate', level: 'info', message: 'the service does not say how many requests are left' };
  }
  const limit = first.limit ?? LIMITS.requestsPerMinute;
  const others = Math.max(0, limit - first.remaining - (at + 1));
  const message = `${formatNumber(first.remaining)} of ${plural(limit, 'request')} a minute are left; ${usedBy(others)}`;
  const scarce = first.remaining <= DEFAULT_LIMITS.reserve;
  return scarce
    ? { check: 'rate', level: 'warn', message, hint: 'A run would wait until others use less; see --reserve.' }
    : { check: 'rate', level: 'pass', message };
}

function usedBy(others: number): string {
  return others === 0
    ? 'no other program used any in the last minute'
    : `others (your application, other runs and commands) used ${others} in the last minute`;
}

/** Sends one message and reports whether the service accepted it. Only the mailbox shows whether it arrives. */
export async function examineSending(
  invocation: Invocation<unknown>,
  account: Account,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DoctorFinding> {
  const text = 'svc doctor sent this message to see whether sending works.';
  const message = { from: from.trim(), to: [checkAddress(to.trim())], subject: 'svc doctor', text };
  try {
    const value = await sendOnce(account, invocation, { message });
    return { check: 'sending', level: 'pass', message: `accepted as ${value.id}: check that it arrives at ${to}` };
  } catch (error) {
    return findingOf('sending', withExplanation(error));
  }
}

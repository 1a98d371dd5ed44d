import { creationKey, type Keyed } from '../api/retry/write-request.ts';
import type { Context } from '../base/context.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { hashPlain } from '../base/lib/hash.ts';
import { newRunId } from '../base/lib/run.ts';
import { safe } from '../base/lib/text.ts';
import { transaction } from '../base/os/sqlite.ts';
import { findUnfinishedTwin } from '../runs/find/matching-run.ts';
import { inTurn } from '../runs/lock.ts';
import { createRun, type Journal, openRun } from '../runs/store/journal.ts';
import type { Unit } from '../runs/store/recorded-request.ts';
import type { Account } from './framework/settings/account.ts';

/** What a write that happens once is listed as, and what it sends. */
export interface OnceWork {
  /** The words under which its run is listed. */
  readonly command: string;
  /** The word in its key. */
  readonly op: string;
  /** What it sends and where the answer goes, enough to go on with it; never a secret. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Throws where it must not begin because of another run. */
  mayBegin?(): void;
}

/** Where a write is made; `resume` is the run of an earlier try whose answer never came. */
export interface OnceSetting {
  readonly account: Account;
  readonly context: Context;
  readonly state: string;
  readonly resume?: string | undefined;
  note(message: string): void;
}

/** The run that keeps the key of a write: the one to resume, one of the same command that is in doubt, or a new one. */
export function openOnce(work: OnceWork, setting: OnceSetting): Journal {
  const { account, state, resume } = setting;
  if (resume !== undefined) {
    return checkedRun(openRun(state, resume), account);
  }
  // Of two that begin in the same moment, the second finds the run of the first.
  return work.mayBegin ? inTurn(state, work.op, () => beginOnce(work, setting)) : beginOnce(work, setting);
}

function beginOnce(work: OnceWork, setting: OnceSetting): Journal {
  const { account, context, state } = setting;
  work.mayBegin?.();
  const twin = twinOf(work, setting);
  if (twin !== undefined) {
    return checkedRun(openRun(state, twin), account);
  }
  return createRun(state, {
    run: newRunId(context.clock.now(), context.randomHex),
    command: work.command,
    options: work.options,
    origin: account.origin,
    destination: undefined,
    inputs: [],
    keyFingerprint: account.keyFingerprint,
    startedAt: context.clock.now(),
    version: 1,
  });
}

/** The unit as an earlier program left it; undefined where nothing was sent yet, or nothing is in doubt. */
export function unsettledUnit(journal: Journal, op: string): Unit | undefined {
  const earlier = journal.units.find(KIND, op);
  return earlier && isUnsettled(earlier) ? earlier : undefined;
}

/** The key of the write: the one on disk, or a new one that gets there before the first byte (rule I9). */
export function keyOnce({ op }: OnceWork, journal: Journal, context: Context): Keyed {
  const earlier = journal.units.find(KIND, op);
  const random = randomOf(journal, context);
  let id = earlier?.id;
  return {
    keyAt: (generation) => creationKey(op, random, generation),
    generation: earlier?.generation ?? 0,
    firstSentAt: earlier?.firstSentAt,
    inDoubt: earlier !== undefined && isUnsettled(earlier),
    beforeKey: (intent) => {
      if (id === undefined) {
        id = journal.units.begin({ kind: KIND, name: op, rows: 1, ...intent });
      } else {
        journal.units.regenerate(id, intent);
      }
    },
  };
}

/** When a key in doubt was sent, by the service's clock: at first, and at first in its present window. */
export interface Sent {
  readonly begunAt: number;
  readonly firstSentAt: number;
}

/** When the unit was sent by earlier programs. */
export function sentBefore(journal: Journal, { firstSentAt }: Unit): Sent {
  return { firstSentAt, begunAt: (journal.read(BEGUN_AT) as number | undefined) ?? firstSentAt };
}

/** The same key in a new window of 4 min 30 s; still in doubt, so that its generation stays where it is (rule I2). */
export function renewOnce(keyed: Keyed, journal: Journal, { earlier, now }: { earlier: Unit; now: number }): Keyed {
  journal.note(BEGUN_AT, sentBefore(journal, earlier).begunAt);
  journal.units.regenerate(earlier.id, { key: earlier.key, generation: earlier.generation, firstSentAt: now });
  return { ...keyed, firstSentAt: now, inDoubt: true };
}

/** Writes down what became of the write. */
export function finishOnce(journal: Journal, op: string, state: 'done' | 'refused' | 'doubt'): void {
  const unit = journal.units.find(KIND, op);
  if (unit) {
    journal.units.finish(unit.id, state);
  }
}

/** The answer was kept and shown: whatever becomes of the run's folder, there is nothing to go on with. */
export function settleOnce(journal: Journal, op: string, now: number): void {
  transaction(journal.db, () => {
    finishOnce(journal, op, 'done');
    journal.setStatus('completed', EXIT.ok, now);
  });
}

/** The same command again goes on with what it left in doubt: a second key would make a second thing. */
function twinOf({ command, options }: OnceWork, { account, state, note }: OnceSetting): string | undefined {
  const query = { command, origin: account.origin, destinationId: undefined, inputs: [] };
  const twin = findUnfinishedTwin(state, { ...query, optionsHash: hashPlain(options) });
  if (twin) {
    note(`Going on with ${twin.run}, which is not settled yet.`);
  }
  return twin?.run;
}

/** A key in doubt means nothing at another origin or under another API key (rule K4). */
function checkedRun(journal: Journal, account: Account): Journal {
  try {
    refuseOther(journal.header, account);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

function refuseOther({ origin, keyFingerprint, run }: Journal['header'], account: Account): void {
  if (origin === account.origin && keyFingerprint === account.keyFingerprint) {
    return;
  }
  const what = origin === account.origin ? 'with another API key' : `at ${safe(origin)}`;
  throw new SvcError(EXIT.usage, 'another_destination', `${run} was begun ${what}, so it can't be repeated here`, {
    hint: `Look whether it was done; then remove its record: svc runs delete ${run} --confirm ${run}`,
  });
}

function randomOf(journal: Journal, context: Context): string {
  const random = (journal.read(RANDOM) as string | undefined) ?? context.randomHex(24);
  journal.note(RANDOM, random);
  return random;
}

const KIND = 'creation';
const RANDOM = 'random';
const BEGUN_AT = 'begun_at';

function isUnsettled({ state }: Unit): boolean {
  return state === 'pending' || state === 'doubt';
}

import { creationKey } from '../api/idempotency.ts';
import type { Keyed, UnitOutcome } from '../api/unit.ts';
import type { Context } from '../base/context.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { hashPlain } from '../base/hash.ts';
import { newRunId } from '../base/ids.ts';
import { safe } from '../base/text.ts';
import { deleteRun } from '../journal/delete-run.ts';
import { createRun, type Journal, openRun } from '../journal/run.ts';
import { findUnfinishedTwin } from '../journal/twin.ts';
import type { Unit } from '../journal/types.ts';
import { interrupted, later } from '../migrate/deliver.ts';
import type { Account } from './account.ts';

/** One POST that must have its effect once. Its key is on disk before the first byte and until nothing is in doubt. */
export interface OnceWrite<T> {
  /** The words under which its run is listed. */
  readonly command: string;
  /** The word in its key. */
  readonly op: string;
  /** What it sends and where the answer goes, enough to go on with it; never a secret. */
  readonly options: Readonly<Record<string, unknown>>;
  post(keyed: Keyed): Promise<UnitOutcome<T>>;
  /**
   * Looks at the service before a write in doubt is repeated; `firstSentAt` is service time. True opens a new window for
   * the same key, false leaves it to the key's age.
   */
  again?(firstSentAt: number): Promise<boolean>;
  /** Puts the answer where it is safe; the key is kept until this is done. */
  keep(answer: Answered<T>): Promise<void> | void;
}

export type Answered<T> = Extract<UnitOutcome<T>, { kind: 'answered' }>;

/** Where a write is made; `resume` is the run of an earlier try whose answer never came. */
export interface OnceSetting {
  readonly account: Account;
  readonly context: Context;
  readonly state: string;
  readonly resume?: string | undefined;
  note(message: string): void;
}

/**
 * Makes the write, or goes on with the same one that was left in doubt. The run that keeps the key is removed once the
 * fate is known; where it isn't, the error names the command that goes on.
 */
export async function writeOnce<T>(write: OnceWrite<T>, setting: OnceSetting): Promise<Answered<T>> {
  const journal = openJournal(write, setting);
  const { run } = journal.header;
  try {
    const answered = await send(write, journal, setting);
    await write.keep(answered);
    finish(journal, write.op, 'done');
    return answered;
  } catch (error) {
    throw inDoubt(journal) ? leave(journal, error, setting) : error;
  } finally {
    const removable = !inDoubt(journal);
    journal.close();
    if (removable) {
      deleteRun(setting.state, run);
    }
  }
}

function openJournal<T>(write: OnceWrite<T>, setting: OnceSetting): Journal {
  const { account, context, state } = setting;
  const run = setting.resume ?? twinOf(write, setting);
  if (run !== undefined) {
    return checkedRun(openRun(state, run), account);
  }
  return createRun(state, {
    run: newRunId(context.clock.now(), context.randomHex),
    command: write.command,
    options: write.options,
    origin: account.origin,
    destination: undefined,
    inputs: [],
    keyFingerprint: account.keyFingerprint,
    startedAt: context.clock.now(),
    version: 1,
  });
}

/** The same command again goes on with what it left in doubt: a second key would make a second thing. */
function twinOf<T>(write: OnceWrite<T>, { account, state, note }: OnceSetting): string | undefined {
  const { command, options } = write;
  const query = { command, origin: account.origin, destinationId: undefined, inputs: [] };
  const twin = findUnfinishedTwin(state, { ...query, optionsHash: hashPlain(options) });
  if (twin) {
    note(`Going on with ${twin.run}, whose answer never came.`);
  }
  return twin?.run;
}

/** A key in doubt means nothing at another origin or under another API key (rule K4). */
function checkedRun(journal: Journal, account: Account): Journal {
  const { origin, keyFingerprint, run } = journal.header;
  if (origin === account.origin && keyFingerprint === account.keyFingerprint) {
    return journal;
  }
  journal.close();
  const what = origin === account.origin ? 'with another API key' : `at ${safe(origin)}`;
  throw new SvcError(EXIT.usage, 'another_destination', `${run} was begun ${what}, so it can't be repeated here`, {
    hint: `Look whether it was done; then remove its record: svc runs delete ${run} --confirm ${run}`,
  });
}

async function send<T>(write: OnceWrite<T>, journal: Journal, { account, context }: OnceSetting): Promise<Answered<T>> {
  const { signal } = context;
  const earlier = journal.units.find(KIND, write.op);
  const keyed = keyedBy({ write, journal, random: randomOf(journal, context) }, earlier);
  const anew = earlier && unsettled(earlier) && (await write.again?.(earlier.firstSentAt));
  const outcome = await write.post(
    anew ? renewed(keyed, journal, { earlier, now: account.client.serverNow() }) : keyed,
  );
  switch (outcome.kind) {
    case 'answered':
      return outcome;
    case 'refused':
      finish(journal, write.op, 'refused');
      throw outcome.error;
    case 'doubt':
      finish(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw outcome.cause;
    case 'later':
      finish(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw later(outcome.resumeAt);
    case 'interrupted':
      finish(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw interrupted(signal);
    default:
      return outcome satisfies never;
  }
}

interface Keying<T> {
  readonly write: OnceWrite<T>;
  readonly journal: Journal;
  readonly random: string;
}

function keyedBy<T>({ write, journal, random }: Keying<T>, earlier: Unit | undefined): Keyed {
  let id = earlier?.id;
  return {
    keyAt: (generation) => creationKey(write.op, random, generation),
    generation: earlier?.generation ?? 0,
    firstSentAt: earlier?.firstSentAt,
    inDoubt: earlier !== undefined && unsettled(earlier),
    beforeKey: (intent) => {
      if (id === undefined) {
        id = journal.units.begin({ kind: KIND, name: write.op, rows: 1, ...intent });
      } else {
        journal.units.regenerate(id, intent);
      }
    },
  };
}

/** The same key in a new window of 4 min 30 s; still in doubt, so that its generation stays where it is (rule I2). */
function renewed(keyed: Keyed, journal: Journal, { earlier, now }: { earlier: Unit; now: number }): Keyed {
  journal.units.regenerate(earlier.id, { key: earlier.key, generation: earlier.generation, firstSentAt: now });
  return { ...keyed, firstSentAt: now, inDoubt: true };
}

function randomOf(journal: Journal, context: Context): string {
  const random = (journal.read(RANDOM) as string | undefined) ?? context.randomHex(24);
  journal.note(RANDOM, random);
  return random;
}

const KIND = 'creation';
const RANDOM = 'random';

function unsettled({ state }: Unit): boolean {
  return state === 'pending' || state === 'doubt';
}

function inDoubt(journal: Journal): boolean {
  return journal.units.unknownRows() > 0;
}

function finish(journal: Journal, name: string, state: 'done' | 'refused' | 'doubt'): void {
  const unit = journal.units.find(KIND, name);
  if (unit) {
    journal.units.finish(unit.id, state);
  }
}

function leave(journal: Journal, error: unknown, { context }: OnceSetting): unknown {
  const { run } = journal.header;
  if (!(error instanceof SvcError)) {
    return error;
  }
  journal.setStatus(error.exit === EXIT.later ? 'later' : 'failed', error.exit, context.clock.now());
  const { requestId } = error;
  return new SvcError(error.exit, error.code, error.message, { hint: wayOn(error, run), cause: error, requestId });
}

function wayOn({ code }: SvcError, run: string): string {
  return code === 'in_doubt'
    ? `Nobody knows whether it was done, and it is too late to ask. Look; then: svc runs delete ${run} --confirm ${run}`
    : `Nobody knows whether it was done. Ask again: svc runs resume ${run}`;
}

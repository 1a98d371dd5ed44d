import { ApiError } from '../api/api-error.ts';
import type { Keyed, UnitOutcome } from '../api/retry/write-request.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { requireOpenFiles } from '../base/os/resources.ts';
import { isPassing, problemOf } from '../base/os/storage-error.ts';
import { interrupted, later } from '../migrate/write/deliver.ts';
import { forgetRun } from '../runs/find/delete-run.ts';
import type { Journal } from '../runs/store/journal.ts';
import {
  finishOnce,
  keyOnce,
  type OnceSetting,
  type OnceWork,
  openOnce,
  renewOnce,
  type Sent,
  sentBefore,
  settleOnce,
  unsettledUnit,
} from './once-journal.ts';

/**
 * One POST that must have its effect once. Its key is on disk before the first byte and until the answer was shown. `T` is
 * what the service answers, `Known` what of it is written down, `Kept` what comes out.
 */
export interface OnceWrite<T, Known, Kept> extends OnceWork {
  post(keyed: Keyed): Promise<UnitOutcome<T>>;
  /**
   * Looks at the service before a write in doubt is repeated. True opens a new window for the same key, false leaves it to
   * the key's age.
   */
  again?(sent: Sent): Promise<boolean>;
  /** Says what is there all the same, though the service refuses. */
  refused?(): void;
  /** What of an answer is written down as soon as it is there, so that a resume need not ask for it; never a secret. */
  know(value: T): Known;
  /** Called before anything is sent, with what an earlier program knew. */
  prepare?(known: Known | undefined): void;
  /** True where the answer itself is needed again, although its earlier reader wrote down what there is to know. */
  needsAnswer?(): boolean;
  /**
   * Puts the answer where it is safe, reads it back and shows it: only then the key is given up. `answered` is undefined
   * where an earlier program had the answer.
   */
  keep(known: Known, answered: Answered<T> | undefined): Promise<Kept> | Kept;
  /** The command that shows whether it was done. */
  readonly look: string;
}

export type Answered<T> = Extract<UnitOutcome<T>, { kind: 'answered' }>;

/**
 * Makes the write, or goes on with the same one that was left in doubt. The run that keeps the key is removed once the
 * fate is known; where it isn't, the error names the command that goes on.
 */
export async function writeOnce<T, Known, Kept>(write: OnceWrite<T, Known, Kept>, setting: OnceSetting): Promise<Kept> {
  requireOpenFiles(OPEN_AT_ONCE);
  const journal = openOnce(write, setting);
  const { context } = setting;
  const unguard = setting.account.client.guard(journal.lost);
  try {
    const kept = await keepAnswer(write, journal, setting);
    settleOnce(journal, write.op, context.clock.now());
    return kept;
  } catch (error) {
    if (isGone(error)) {
      finishOnce(journal, write.op, 'refused');
    }
    throw inDoubt(journal) ? leave(write, journal, { error, context }) : error;
  } finally {
    unguard();
    letGo(journal, setting.state);
  }
}

/** Removes the run where nothing is in doubt. Whether that works changes nothing of what was done. */
function letGo(journal: Journal, state: string): void {
  let removable = false;
  try {
    removable = !inDoubt(journal) && !journal.lost();
  } catch (error) {
    if (!isPassing(problemOf(error))) {
      throw error;
    }
  } finally {
    journal.close();
  }
  if (removable) {
    forgetRun(state, journal.run);
  }
}

/** Reads back what an answer says was created: it may be gone again by now (design, "Idempotency keys"). */
export async function readBack<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) {
      throw error;
    }
    throw new SvcError(EXIT.stopped, GONE, `${what} was created, and somebody has deleted it since`, {
      hint: 'The same command creates it anew.',
      cause: error,
    });
  }
}

/** True for what `readBack` throws where the thing is gone. */
export function isGone(error: unknown): boolean {
  return error instanceof SvcError && error.code === GONE;
}

async function keepAnswer<T, Known, Kept>(
  write: OnceWrite<T, Known, Kept>,
  journal: Journal,
  setting: OnceSetting,
): Promise<Kept> {
  // Written below by a program that had the answer.
  const before = journal.read(KNOWN) as Known | undefined;
  write.prepare?.(before);
  if (before !== undefined && !write.needsAnswer?.()) {
    return write.keep(before, undefined);
  }
  const answered = await send(write, journal, setting);
  const known = write.know(answered.value);
  journal.note(KNOWN, known);
  return write.keep(known, answered);
}

async function send<T, Known, Kept>(
  write: OnceWrite<T, Known, Kept>,
  journal: Journal,
  { account, context }: OnceSetting,
): Promise<Answered<T>> {
  const { signal } = context;
  const keyed = keyOnce(write, journal, context);
  const earlier = unsettledUnit(journal, write.op);
  const again = write.again ?? (() => learnTime(account, signal));
  const anew = earlier && (await again(sentBefore(journal, earlier)));
  const outcome = await write.post(
    anew ? renewOnce(keyed, journal, { earlier, now: account.client.serverNow() }) : keyed,
  );
  switch (outcome.kind) {
    case 'answered':
      return outcome;
    case 'refused':
      write.refused?.();
      finishOnce(journal, write.op, 'refused');
      throw outcome.error;
    case 'doubt':
      finishOnce(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw isOver(write, outcome.over) ? new BeyondAsking(outcome.cause) : outcome.cause;
    case 'later':
      finishOnce(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw later(outcome.resumeAt);
    case 'interrupted':
      finishOnce(journal, write.op, outcome.inDoubt ? 'doubt' : 'refused');
      throw interrupted(signal);
    default:
      return outcome satisfies never;
  }
}

/** A key's age counts by the service's clock, which its answer to anything tells (rules I3, I6). */
async function learnTime({ client }: OnceSetting['account'], signal: AbortSignal): Promise<false> {
  try {
    await client.get(['audiences'], { limit: 1 }, { signal });
  } catch {
    // A refusal tells the time as well; and without any answer the repeat itself gets none.
    signal.throwIfAborted();
  }
  return false;
}

// The journal and its lock, a connection, the file of a secret, and those of an earlier run that is looked at.
const OPEN_AT_ONCE = 16;

const KNOWN = 'known';
const GONE = 'deleted_since';

function inDoubt(journal: Journal): boolean {
  return journal.units.unknownRows() > 0;
}

/** True where another program will not learn more: who looks first may open a new window. */
function isOver<T, Known, Kept>(write: OnceWrite<T, Known, Kept>, over: 'stored' | 'time' | undefined): boolean {
  return over === 'stored' || (over === 'time' && write.again === undefined);
}

/** The key can't be asked again: a person has to look. */
class BeyondAsking extends SvcError {
  constructor(cause: SvcError) {
    super(cause.exit, 'in_doubt', cause.message, { cause, requestId: cause.requestId });
  }
}

/** The error with the command that goes on, under which the run stays listed. */
function leave<T, Known, Kept>(
  { look }: OnceWrite<T, Known, Kept>,
  journal: Journal,
  { error, context }: { readonly error: unknown } & Pick<OnceSetting, 'context'>,
): unknown {
  const problem = context.signal.aborted && !(error instanceof SvcError) ? interrupted(context.signal) : error;
  if (!(problem instanceof SvcError)) {
    return problem;
  }
  const { code, message, requestId } = problem;
  // What is in doubt may be gone on with, whatever was refused on the way.
  const exit = problem.exit === EXIT.stopped ? EXIT.failed : problem.exit;
  journal.setStatus(exit === EXIT.later ? 'later' : 'failed', exit, context.clock.now());
  return new SvcError(exit, code, message, { hint: wayOn(journal, problem, look), cause: problem, requestId });
}

function wayOn(journal: Journal, problem: SvcError, look: string): string {
  const { run } = journal.header;
  if (journal.lost()) {
    const done = journal.read(KNOWN) === undefined ? 'Whether it was done is unknown' : 'It was done';
    return `${done}. Look: ${look}\n${problem.hint ?? ''}`;
  }
  if (journal.read(KNOWN) !== undefined) {
    return `It was done, and is not settled yet. Go on: svc runs resume ${run}`;
  }
  return problem instanceof BeyondAsking
    ? `Nobody knows whether it was done, and it is too late to ask. Once ten minutes have passed since it was sent, in which the service may still be at it, look: ${look}\nThen: svc runs delete ${run} --confirm ${run}\nWhere it was not done, the same command does it after that.`
    : `Nobody knows whether it was done. Ask again: svc runs resume ${run}`;
}

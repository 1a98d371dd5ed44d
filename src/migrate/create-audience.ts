import type { Context } from '../base/context.ts';
import { SvcError } from '../base/errors.ts';
import { newRunId } from '../base/ids.ts';
import { deleteRun } from '../journal/delete-run.ts';
import { createRun, type Journal, openRun } from '../journal/run.ts';
import type { Audience } from '../wire/shapes.ts';
import { CREATE_AUDIENCE, createTarget } from './create-target.ts';
import type { RunAccount } from './outside.ts';

/** What creating an audience needs; `resume` is the run of an earlier try whose answer never came. */
export interface Creating {
  readonly name: string;
  readonly account: RunAccount;
  readonly context: Context;
  readonly state: string;
  readonly resume?: string | undefined;
}

/**
 * Creates an audience. The idempotency key is kept in a run of its own until the answer is there, so that a lost answer
 * can be asked for again with the same key; once nothing is in doubt the run is removed.
 */
export async function createAudience(creating: Creating): Promise<Audience> {
  const { account, context, state, name } = creating;
  const journal = creating.resume ? openRun(state, creating.resume) : createRun(state, headerOf(creating));
  const { run } = journal.header;
  let lost = false;
  try {
    return await createTarget(
      { journal, client: account.client, signal: context.signal, randomHex: context.randomHex },
      name,
    );
  } catch (error) {
    lost = isInDoubt(journal);
    if (lost && error instanceof SvcError) {
      journal.setStatus('failed', error.exit, context.clock.now());
    }
    throw error;
  } finally {
    journal.close();
    if (!lost) {
      deleteRun(state, run);
    }
  }
}

function headerOf({ name, account, context }: Creating) {
  return {
    run: newRunId(context.clock.now(), context.randomHex),
    command: CREATE_AUDIENCE,
    options: { name },
    origin: account.origin,
    destination: undefined,
    inputs: [],
    keyFingerprint: account.keyFingerprint,
    startedAt: context.clock.now(),
    version: 1,
  };
}

function isInDoubt(journal: Journal): boolean {
  return journal.read('creation_in_doubt') === true;
}

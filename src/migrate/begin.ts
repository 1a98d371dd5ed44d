import { existsSync, statSync } from 'node:fs';
import { SvcError } from '../base/errors.ts';
import { EXIT, type ExitCode } from '../base/exit.ts';
import { hashPlain } from '../base/hash.ts';
import { newRunId } from '../base/ids.ts';
import { safe } from '../base/text.ts';
import { hashFile } from '../import/hash-file.ts';
import { placeAgain, spooled } from '../import/spool.ts';
import { deleteRun } from '../journal/delete-run.ts';
import { createRun, type Journal, openRun, peekRun, type RunState } from '../journal/run.ts';
import { emptyTwins, findUnfinishedTwin, lastFinishedTwin } from '../journal/twin.ts';
import type { RunHeader } from '../journal/types.ts';
import type { Outside } from './outside.ts';

/** An open journal and how the run it belongs to came about. */
export interface Begun {
  readonly journal: Journal;
  readonly resumed: boolean;
  /** How a run that goes on had ended before; undefined where it was killed. */
  readonly before?: Standing | undefined;
  /** A finished run of the same work, where this one is new. */
  readonly finishedBefore?: string | undefined;
}

/** How a run ended. */
export type Standing = Pick<RunState, 'status'> & { readonly exitCode: ExitCode; readonly endedAt: number };

/** What every run is told, whatever it does; kept in its header as a whole. */
export interface Told {
  readonly command: string;
  readonly inputs: readonly string[];
  readonly dryRun: boolean;
}

/** Where a run writes to, as its header keeps it. */
export type Destination = NonNullable<RunHeader['destination']>;

/** Names the place of a run whose audience is still to be created. */
export function newPlaceId(name: string): string {
  return `new:${name}`;
}

/** Version of what the options in a header mean. */
const HEADER_VERSION = 1;

/**
 * Opens the journal of a run: the unfinished one of the same list to the same place where there is one, else a new one.
 * The inputs are hashed first, because a run is bound to their bytes (rule D5).
 */
export async function beginRun(options: Told, destination: Destination | undefined, outside: Outside): Promise<Begun> {
  const run = newRunId(outside.context.clock.now(), outside.context.randomHex);
  const journal = createRun(outside.state, headerOf(run, options, outside));
  const inputs = await hashInputs(options, journal, outside).catch((error: unknown) => {
    // Nothing was read, so there is nothing to go on with.
    journal.close();
    deleteRun(outside.state, run);
    throw error;
  });
  journal.amend({ inputs, ...(destination ? { destination } : {}) });
  const query = {
    command: options.command,
    origin: journal.header.origin,
    destinationId: journal.header.destination?.id,
    formerId: destination && newPlaceId(destination.name),
    inputs: inputs.map((input) => input.sha256),
  };
  const finishedBefore = lastFinishedTwin(outside.state, query)?.run;
  if (options.dryRun) {
    return { journal, resumed: false, finishedBefore };
  }
  const same = { ...query, optionsHash: hashPlain(journal.header.options) };
  const twin = findUnfinishedTwin(outside.state, same);
  if (twin) {
    journal.close();
    // The new run was closed just now, so it is among them.
    for (const other of emptyTwins(outside.state, same, twin.run)) {
      deleteRun(outside.state, other.run);
    }
    outside.emit({ type: 'note', message: `Continuing ${twin.run}, which was not finished.` });
    const before = standingOf(outside.state, twin.run);
    return { journal: openRun(outside.state, twin.run), resumed: true, before };
  }
  return { journal, resumed: false, finishedBefore };
}

/** Opens a run to go on with it, after its inputs proved to be the same bytes (rule D5). */
export async function reopenRun(run: string, destination: Destination | undefined, outside: Outside): Promise<Begun> {
  const before = standingOf(outside.state, run);
  const journal = openRun(outside.state, run);
  try {
    checkPlace(journal, destination, outside);
    await checkInputs(journal, outside);
    return { journal, resumed: true, before };
  } catch (error) {
    restore(journal, before);
    journal.close();
    throw error;
  }
}

function standingOf(state: string, run: string): Standing | undefined {
  const ended = peekRun(state, run, (journal) => journal.state);
  const { status, exitCode, endedAt } = ended ?? {};
  return status === undefined || exitCode === undefined || endedAt === undefined
    ? undefined
    : { status, exitCode, endedAt };
}

/** Nothing was done, so the run stands as it ended before: a person may have to settle what it left in doubt. */
export function restore(journal: Journal, before: Standing | undefined): void {
  if (before) {
    journal.setStatus(before.status, before.exitCode, before.endedAt);
  }
}

function headerOf(run: string, options: Told, outside: Outside): RunHeader {
  return {
    run,
    command: options.command,
    options: { ...options },
    origin: outside.account?.origin ?? '',
    destination: undefined,
    inputs: [],
    keyFingerprint: outside.account?.keyFingerprint ?? '',
    startedAt: outside.context.clock.now(),
    version: HEADER_VERSION,
  };
}

async function hashInputs(options: Told, { folder }: Journal, outside: Outside): Promise<RunHeader['inputs']> {
  const { cwd, stdin, signal } = outside.context;
  const inputs: RunHeader['inputs'][number][] = [];
  for (const path of options.inputs) {
    inputs.push({ path, ...(await hashFile(await spooled(path, { cwd, stdin, folder, signal }))) });
  }
  return inputs;
}

/** Another key may go on with a run, another origin, audience or automation may not (rule K4). */
function checkPlace(journal: Journal, found: Destination | undefined, outside: Outside): void {
  const { origin, destination, run } = journal.header;
  if (origin !== outside.account?.origin) {
    throw elsewhere(run, `it was begun at ${safe(origin)}, not at ${safe(outside.account?.origin ?? 'no service')}`);
  }
  if (destination && destination.kind !== 'new audience' && !isSame(destination, found)) {
    const { kind, name, id } = destination;
    throw elsewhere(run, `its ${kind} was "${safe(name)}" (${safe(id)}), and this is another`);
  }
}

/** A flow that was renamed is the same flow: its id is what a person typed. */
function isSame(destination: Destination, found: Destination | undefined): boolean {
  const renamed = destination.kind !== 'automation' && found?.name !== destination.name;
  return found?.id === destination.id && found.createdAt === destination.createdAt && !renamed;
}

function elsewhere(run: string, why: string): SvcError {
  return new SvcError(EXIT.usage, 'another_destination', `${run} can't go on here: ${why}`, {
    hint: 'Give the base URL and a key of the same account. A run begun with --emulator-data needs that folder again.',
  });
}

async function checkInputs(journal: Journal, outside: Outside): Promise<void> {
  for (const input of journal.header.inputs) {
    const place = placeAgain(input.path, { cwd: outside.context.cwd, folder: journal.folder });
    if (!existsSync(place)) {
      throw changed(journal, `${safe(input.path)} is gone`);
    }
    if (statSync(place).size !== input.size || (await hashFile(place)).sha256 !== input.sha256) {
      throw changed(journal, `${safe(input.path)} was changed since the run began`);
    }
  }
}

function changed(journal: Journal, what: string): SvcError {
  return new SvcError(EXIT.usage, 'input_changed', `${journal.header.run} can't go on: ${what}`, {
    hint: 'Put the file back as it was, or start anew with the file as it is: a new run mails nobody twice, and so leaves out whoever may have been enrolled.',
  });
}

import { concurrently } from '../base/concurrency.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { plural } from '../base/text.ts';
import type { Chunk, Survey } from '../import/types.ts';
import type { Contact } from '../wire/shapes.ts';
import { limitText, passes } from './checks/failures.ts';
import { createExplicitSending, readAudience } from './explicit-status.ts';
import type { Facts } from './facts.ts';
import { faults } from './fates.ts';
import { chosenFirst, sendFirstBatch } from './first-batch.ts';
import { createFlowGuard } from './flow-guard.ts';
import type { Sampler } from './sample.ts';
import { type SendChunk, sendChunk } from './send-chunk.ts';
import type { Work } from './work.ts';

interface ContactRun {
  readonly audienceId: string;
  /** Reads the list once more; every call yields the same chunks. */
  readonly chunks: () => AsyncIterable<Chunk>;
  readonly facts: Facts;
  readonly survey: Survey;
  readonly sampler: Sampler;
}

/** Writes the contacts: one telling batch alone, then the rest a few at a time. Batches the journal knows are passed over. */
export async function applyContacts(work: Work, run: ContactRun): Promise<void> {
  const left = new Map(run.facts.left.map((contact) => [contact.email, contact]));
  const first = await pickFirst(run.chunks(), left, chosenFirst(work));
  if (!first) {
    return;
  }
  const send = await chooseSending(work, run.audienceId);
  await sendFirstBatch(work, { audienceId: run.audienceId, chunk: first, left, send });
  await sendRest(work, run, send);
}

async function chooseSending(work: Work, audienceId: string): Promise<SendChunk> {
  if (!work.options.explicitStatus) {
    return sendChunk;
  }
  return createExplicitSending(await readAudience(work, audienceId));
}

/** The chunk chosen before; else the first with somebody who left and would be sent without a status; else simply the first. */
async function pickFirst(
  chunks: AsyncIterable<Chunk>,
  left: ReadonlyMap<string, Contact>,
  chosen: number | undefined,
): Promise<Chunk | undefined> {
  const tells = ({ items }: Chunk) =>
    items.some(({ contact }) => contact.status === undefined && left.has(contact.email));
  let first: Chunk | undefined;
  for await (const chunk of chunks) {
    first ??= chunk;
    if (chosen === undefined ? left.size === 0 || tells(chunk) : chunk.index === chosen) {
      return chunk;
    }
  }
  return first;
}

async function sendRest(work: Work, run: ContactRun, sendOne: SendChunk): Promise<void> {
  work.emit({ type: 'phase', phase: 'contacts', total: run.survey.contacts, unit: 'rows' });
  const stopper = new AbortController();
  const signal = AbortSignal.any([work.signal, stopper.signal]);
  const inner: Work = { ...work, signal };
  const guard = createFlowGuard(inner, run.audienceId);
  let done = 0;
  let failed = faults(work.journal.tally());
  const send = async (chunk: Chunk) => {
    try {
      failed += await sendOne(inner, run.audienceId, chunk);
      checkFailures(work, run.survey, failed);
    } catch (error) {
      // One batch that stops the run stops its siblings too, once what they have in flight is answered.
      stopper.abort(error);
      throw error;
    }
    done += chunk.items.length;
    work.emit({ type: 'progress', phase: 'contacts', done });
  };
  for await (const _ of concurrently(watched(run, guard, signal), work.options.concurrency, send)) {
    // Each call records its own outcome in the journal; there is nothing to collect.
  }
}

async function* watched(run: ContactRun, guard: () => Promise<void>, signal: AbortSignal): AsyncGenerator<Chunk> {
  for await (const chunk of run.chunks()) {
    signal.throwIfAborted();
    await guard();
    run.sampler.look(chunk);
    yield chunk;
  }
}

function checkFailures(work: Work, survey: Survey, failed: number): void {
  const bad = survey.rows.rejected + failed;
  const limit = work.options.maxFailures;
  if (!passes(limit, bad, survey.rows.read)) {
    throw new SvcError(
      EXIT.stopped,
      'max_failures',
      `${plural(bad, 'row')} rejected or failed; the limit is ${limitText(limit)}`,
      {
        hint: 'See the reject file for the reasons; --max-failures raises the limit.',
      },
    );
  }
}

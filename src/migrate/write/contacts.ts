import { concurrently } from '../../base/lib/concurrency.ts';
import type { Batches } from '../../import/batch/batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { Chunk, OpenBatches } from '../../import/types.ts';
import type { Contact } from '../../wire/shapes.ts';
import { createProving, isGone, type Proving } from '../canary/first-batch.ts';
import { chosenFirst } from '../canary/first-batch-note.ts';
import { refuseTooManyFailures } from '../checks/failures.ts';
import type { Facts } from '../prepare/facts.ts';
import { faults } from '../report/fates.ts';
import { type Announce, createAnnounce } from '../stage.ts';
import type { Sampler } from '../verify/sample.ts';
import type { Work } from '../work.ts';
import { type Delivered, refuseUnsent } from './deliver.ts';
import { createExplicitSending, readAudience } from './explicit-status.ts';
import { createFlowGuard } from './flow-guard.ts';
import { type SendChunk, sendChunk } from './send-chunk.ts';

interface ContactRun {
  readonly audienceId: string;
  readonly batches: Batches;
  readonly facts: Facts;
  readonly survey: Survey;
  readonly sampler: Sampler;
}

/** Writes the contacts: one telling batch alone, then the rest a few at a time. Batches the journal knows are passed over. */
export async function applyContacts(work: Work, run: ContactRun): Promise<void> {
  const batches = run.batches.open();
  try {
    await sendAll(work, run, batches);
  } finally {
    await batches.close();
  }
}

async function sendAll(work: Work, run: ContactRun, batches: OpenBatches): Promise<void> {
  const left = new Map(run.facts.left.map((contact) => [contact.email, contact]));
  const first = await pickFirst(run.batches.look(), left, chosenFirst(work.journal));
  if (!first) {
    return;
  }
  const { audienceId, facts, survey } = run;
  const guard = createFlowGuard(work, audienceId, facts.sinceAsked);
  await guard();
  const announce = createAnnounce(work.emit);
  const send = await chooseSending(work, audienceId);
  const proving = createProving(work, {
    audienceId,
    left,
    send,
    joins: survey.contacts > survey.unsubscribed,
    othersLeft: facts.othersLeft,
    announce,
  });
  if (!proving.done) {
    await proving.send(first);
  }
  await sendRest(work, run, { batches, proving, send, announce, guard });
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
  const tells = ({ items }: Chunk) => items.some(isGone(left));
  let first: Chunk | undefined;
  for await (const chunk of chunks) {
    first ??= chunk;
    if (chosen === undefined ? left.size === 0 || tells(chunk) : chunk.index === chosen) {
      return chunk;
    }
  }
  return first;
}

interface Sending {
  readonly batches: OpenBatches;
  readonly proving: Proving;
  readonly send: SendChunk;
  readonly announce: Announce;
  readonly guard: () => Promise<void>;
}

/** Alone until a batch has shown what the others rely on, then a few at a time. */
async function sendRest(work: Work, run: ContactRun, sending: Sending): Promise<void> {
  const { proving, send, announce } = sending;
  const stopper = new AbortController();
  const inner: Work = { ...work, signal: AbortSignal.any([work.signal, stopper.signal]) };
  const rest = watched(sending, run.sampler, inner.signal);
  const count = createCount(work, run.survey);
  try {
    while (!proving.done) {
      const next = await rest.next();
      if (next.done) {
        return;
      }
      const sent = await proving.send(next.value);
      announce('contacts', run.survey.contacts);
      count(next.value, sent);
    }
    announce('contacts', run.survey.contacts);
    let unsent = 0;
    const sendOne = async (chunk: Chunk) => {
      try {
        const sent = await send(inner, run.audienceId, chunk);
        unsent += sent.unsent;
        count(chunk, sent);
      } catch (error) {
        // One batch that stops the run stops its siblings too, once what they have in flight is answered.
        stopper.abort(error);
        throw error;
      }
    };
    for await (const _ of concurrently(rest, work.options.concurrency, sendOne)) {
      // Each call records its own outcome in the journal; there is nothing to collect.
    }
    refuseUnsent(work, unsent);
  } finally {
    await rest.return(undefined);
  }
}

/** Says how far the run is, and stops it when too many rows failed. */
function createCount(work: Work, survey: Survey) {
  let done = 0;
  let failed = faults(work.journal.tally());
  return (chunk: Chunk, sent: Delivered) => {
    failed += sent.failed;
    refuseTooManyFailures(work.options.maxFailures, survey.rows.rejected + failed, survey.rows.read);
    done += chunk.rows.length;
    work.emit({ type: 'progress', phase: 'contacts', done });
  };
}

async function* watched({ batches, guard }: Sending, sampler: Sampler, signal: AbortSignal): AsyncGenerator<Chunk> {
  for await (const chunk of batches.chunks) {
    signal.throwIfAborted();
    await guard();
    sampler.look(chunk);
    yield chunk;
  }
}

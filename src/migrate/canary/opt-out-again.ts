import { contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { contactBody } from '../../import/batch/chunk.ts';
import type { ContactItem } from '../../import/types.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { lookUp } from '../verify/look-up.ts';
import { rowKey } from '../verify/refused-rows.ts';
import type { Work } from '../work.ts';
import { readBatchAnswer } from '../write/batch-answer.ts';
import { type Delivery, deliver, EXPECTED_FAILURE } from '../write/deliver.ts';

/**
 * Opts people out again whom a batch of ours signed up, with the dates they had. The key is new and journaled: an earlier
 * run may have sent the same bytes, and a replay of its answer would write nothing. Throws SvcError `put_back_refused` with
 * the names of those whom the service refuses on their own; a resume tries them again under a new key.
 */
export async function optOutAgain(work: Work, audienceId: string, gone: readonly ContactItem[]): Promise<void> {
  const { mark, open } = readRound(work) ?? beginRound(work, gone);
  if (open.length === 0) {
    return;
  }
  await deliver(work, deliveryOf(work, audienceId, { name: `put_back.${mark}`, mark, items: open }));
  const refused = readRound(work)?.refused ?? [];
  beginRound(work, refused);
  if (refused.length > 0) {
    throw refusal(work, refused);
  }
}

/** One try at putting people back, as the journal keeps it. */
interface Round {
  /** What makes its keys new. */
  readonly mark: string;
  /** Who was still to be put back when it began. */
  readonly open: readonly ContactItem[];
  /** Those whom the service refused so far. */
  readonly refused: readonly ContactItem[];
}

const NOTE = 'put_back_round';

function readRound({ journal }: Work): Round | undefined {
  return journal.read(NOTE) as Round | undefined;
}

function beginRound({ journal, randomHex }: Work, open: readonly ContactItem[]): Round {
  const round = { mark: randomHex(8), open, refused: [] };
  journal.note(NOTE, round);
  return round;
}

interface Part {
  readonly name: string;
  readonly mark: string;
  readonly items: readonly ContactItem[];
}

function deliveryOf(work: Work, audienceId: string, { name, mark, items }: Part): Delivery<BatchResponse> {
  const batch = { audienceId, body: contactBody(items), again: mark };
  return {
    kind: 'contacts',
    name,
    rows: items,
    onRefused: () => keepRefused(work, items),
    keyAt: contactBatchKey(work.client, batch),
    post: (calling) => postContactBatch(work.client, batch, calling),
    answer: async (value, replayed) => {
      keepRefused(work, await refusedOf(work, audienceId, { value, replayed, items }));
      return { status: 200, replayed, created: 0, updated: 0, alreadySuppressed: 0, failures: [] };
    },
    part: (from, to, partName) => deliveryOf(work, audienceId, { name: partName, mark, items: items.slice(from, to) }),
  };
}

interface Answered {
  readonly value: BatchResponse;
  readonly replayed: boolean;
  readonly items: readonly ContactItem[];
}

/** Those of a batch who were not opted out, by its answer. Who is suppressed is out already. */
async function refusedOf(work: Work, audienceId: string, { value, replayed, items }: Answered): Promise<ContactItem[]> {
  const { failures } = await readBatchAnswer(value, {
    rows: items,
    replayed,
    addressAt: (index) => items[index]!.contact.email,
    isThere: async (email) => (await lookUp(work, audienceId, email)) !== undefined,
  });
  const failed = new Set(failures.filter(({ code }) => code !== EXPECTED_FAILURE).map(rowKey));
  return items.filter((item) => failed.has(rowKey(item)));
}

/** Before the answer is recorded, because a unit with an answer is not sent again; after a kill in between they come twice. */
function keepRefused(work: Work, items: readonly ContactItem[]): void {
  const round = readRound(work);
  if (round && items.length > 0) {
    const refused = new Map([...round.refused, ...items].map((item) => [rowKey(item), item]));
    work.journal.note(NOTE, { ...round, refused: [...refused.values()] });
  }
}

function refusal({ journal }: Work, refused: readonly ContactItem[]): SvcError {
  const who = refused.map(({ contact }) => safe(contact.email)).join(', ');
  const message = `signed up again, and can't be put back: ${who}`;
  const hint = `Unsubscribe them in the app, or try again: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.unverified, 'put_back_refused', message, { hint });
}

import { contactBatchKey, findContact, postContactBatch } from '../api/contacts.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { safe } from '../base/text.ts';
import { contactBody } from '../import/chunk.ts';
import type { Chunk, ContactItem } from '../import/types.ts';
import type { BatchContact, Contact } from '../wire/shapes.ts';
import { compareConsent, compareContact, type Difference } from './compare.ts';
import { deliver } from './deliver.ts';
import { refusedRows, rowKey } from './refused-rows.ts';
import type { SendChunk } from './send-chunk.ts';
import type { Work } from './work.ts';

/** A person of the first batch as the service showed them before it went out; `before` is null for a new one. */
interface Witness {
  readonly source: number;
  readonly line: number;
  readonly sent: BatchContact;
  readonly before: Contact | null;
}

/** The batch that goes first; `left` are addresses of people who left the audience before. */
export interface FirstBatch {
  readonly audienceId: string;
  readonly chunk: Chunk;
  readonly left: ReadonlySet<string>;
  readonly send: SendChunk;
}

const WITNESSES = 3;
const NOTE = 'first_batch';

/**
 * Sends one batch alone, then reads people of it back: the service drops unknown fields in silence and its document
 * doesn't say what an omitted status becomes. A difference stops the run after one batch instead of after a million rows.
 */
export async function sendFirstBatch(work: Work, batch: FirstBatch): Promise<void> {
  const { audienceId, chunk, send } = batch;
  const earlier = work.journal.read(NOTE) as FirstBatchNote | undefined;
  if (earlier?.verified === true) {
    return;
  }
  work.emit({ type: 'phase', phase: 'first_batch', total: chunk.items.length, unit: 'rows' });
  // After a kill the people are judged by how they were before the batch, which only the journal still knows.
  const witnesses = earlier?.witnesses ?? (await chooseWitnesses(work, batch));
  work.journal.note(NOTE, { verified: false, witnesses } satisfies FirstBatchNote);
  await send(work, audienceId, chunk);
  await readBack(work, audienceId, witnesses);
  work.journal.note(NOTE, { verified: true, witnesses: [] } satisfies FirstBatchNote);
}

interface FirstBatchNote {
  readonly verified: boolean;
  readonly witnesses: readonly Witness[];
}

async function chooseWitnesses(work: Work, { audienceId, chunk, left }: FirstBatch): Promise<Witness[]> {
  const gone = chunk.items
    .filter((item) => left.has(item.contact.email) && item.contact.status === undefined)
    .slice(0, 1);
  const chosen = new Set([...gone, ...telling(chunk.items)].slice(0, WITNESSES + gone.length));
  const witnesses: Witness[] = [];
  for (const item of chosen) {
    const before = await findContact(work.client, { audienceId, idOrEmail: item.contact.email, signal: work.signal });
    witnesses.push({ source: item.source, line: item.line, sent: item.contact, before: before ?? null });
  }
  return witnesses;
}

/** The people who show most: one without a status, one who left with a date, one with many fields. */
function telling(items: readonly ContactItem[]): ContactItem[] {
  const plain = items.find((item) => item.contact.status === undefined);
  const left =
    items.find((item) => item.contact.unsubscribed_at !== undefined) ??
    items.find((item) => item.contact.status !== undefined);
  const richest = items.reduce((most, item) => (richness(item) > richness(most) ? item : most), items[0]!);
  return [plain, left, richest, ...items.slice(0, WITNESSES)].filter((item) => item !== undefined);
}

function richness(item: ContactItem): number {
  return Object.keys(item.contact.attributes ?? {}).length;
}

async function readBack(work: Work, audienceId: string, witnesses: readonly Witness[]): Promise<void> {
  const refused = refusedRows(work.journal);
  const problems: string[] = [];
  for (const witness of witnesses) {
    const after = await findContact(work.client, { audienceId, idOrEmail: witness.sent.email, signal: work.signal });
    if (after === undefined) {
      // Suppressed people are refused row by row and are rightly not there.
      if (!refused.has(rowKey(witness))) {
        problems.push(`${safe(witness.sent.email)} is not in the audience after the batch`);
      }
      continue;
    }
    problems.push(...differencesOf(witness, after).map((difference) => inWords(witness, difference)));
    await putBack(work, audienceId, { witness, after });
  }
  if (problems.length > 0) {
    throw unverified(problems);
  }
}

function differencesOf(witness: Witness, after: Contact): Difference[] {
  const fields = compareContact(witness.sent, after);
  if (witness.before === null) {
    return [...fields, ...compareConsent(witness.sent, after)];
  }
  return cameBack(witness, after) ? [...fields, { field: 'status', sent: '(none)', got: after.status }] : fields;
}

/** True when a person who had left is subscribed again although no status was sent. */
function cameBack(witness: Witness, after: Contact): boolean {
  const { before, sent } = witness;
  return (
    before !== null && before.status !== 'subscribed' && after.status === 'subscribed' && sent.status === undefined
  );
}

interface Seen {
  readonly witness: Witness;
  readonly after: Contact;
}

async function putBack(work: Work, audienceId: string, { witness, after }: Seen): Promise<void> {
  if (!cameBack(witness, after)) {
    return;
  }
  const at = witness.before?.unsubscribed_at;
  const contact: BatchContact = {
    email: witness.sent.email,
    status: 'unsubscribed',
    ...(at ? { unsubscribed_at: at } : {}),
  };
  const batch = { audienceId, body: contactBody([{ source: witness.source, line: witness.line, contact }]) };
  await deliver(work, {
    kind: 'contacts',
    name: `put_back.${witness.source}.${witness.line}`,
    rows: [],
    keyAt: contactBatchKey(work.client, batch),
    post: (calling) => postContactBatch(work.client, batch, calling),
    answer: async (_value, replayed) => ({
      status: 200,
      replayed,
      created: 0,
      updated: 0,
      alreadySuppressed: 0,
      failures: [],
    }),
    part: () => {
      throw new SvcError(
        EXIT.unverified,
        'put_back_refused',
        `${safe(witness.sent.email)} was signed up again and can't be put back`,
      );
    },
  });
}

function inWords(witness: Witness, { field, sent, got }: Difference): string {
  return `${safe(witness.sent.email)}: ${safe(field)} was sent as "${safe(sent)}" and reads "${safe(got)}"`;
}

function unverified(problems: readonly string[]): SvcError {
  const status = problems.some((problem) => problem.includes(': status was sent'));
  return new SvcError(
    EXIT.unverified,
    'first_batch',
    `the first batch reads back differently: ${problems.join('; ')}`,
    {
      hint: status
        ? 'Nothing else was sent. If new people should be subscribed: --explicit-status'
        : 'Nothing else was sent. Compare these people in the app before going on.',
    },
  );
}

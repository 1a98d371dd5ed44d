import { findContact } from '../api/contacts.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { safe } from '../base/text.ts';
import type { Chunk, ContactItem } from '../import/types.ts';
import type { BatchContact, Contact } from '../wire/shapes.ts';
import { compareConsent, compareContact, type Difference } from './compare.ts';
import { optOutAgain } from './opt-out-again.ts';
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

/** The batch that goes first; `left` are the people who left the audience before, by address. */
export interface FirstBatch {
  readonly audienceId: string;
  readonly chunk: Chunk;
  readonly left: ReadonlyMap<string, Contact>;
  readonly send: SendChunk;
}

async function beginNote(work: Work, batch: FirstBatch): Promise<FirstBatchNote> {
  const witnesses = await chooseWitnesses(work, batch);
  return { verified: false, chunk: batch.chunk.index, witnesses, gone: goneOf(batch) };
}

/** Index of the chunk that goes first, once that is settled: a resume may not take another, its people were looked at. */
export function chosenFirst(work: Work): number | undefined {
  return readNote(work)?.chunk;
}

function readNote({ journal }: Work): FirstBatchNote | undefined {
  return journal.read(NOTE) as FirstBatchNote | undefined;
}

/** What run.db keeps of the first batch. */
interface FirstBatchNote {
  readonly verified: boolean;
  readonly chunk?: number;
  readonly witnesses: readonly Witness[];
  /** Contacts that put people back who had left; absent in runs of older versions. */
  readonly gone?: readonly ContactItem[];
  /** Who was found to be signed up again. */
  readonly signedUp?: readonly string[];
}

type SignedUp = Required<Pick<FirstBatchNote, 'gone' | 'signedUp'>>;

interface Seen {
  readonly witness: Witness;
  readonly after: Contact | undefined;
}

const WITNESSES = 3;
const NOTE = 'first_batch';

/**
 * Sends one batch alone, then reads people of it back: the service drops unknown fields in silence and its document
 * doesn't say what an omitted status becomes. A difference stops the run after one batch instead of after a million rows.
 */
export async function sendFirstBatch(work: Work, batch: FirstBatch): Promise<void> {
  const { audienceId, chunk, send } = batch;
  const earlier = readNote(work);
  if (earlier?.verified === true) {
    return;
  }
  work.emit({ type: 'phase', phase: 'first_batch', total: chunk.items.length, unit: 'rows' });
  // After a kill the people are judged by how they were before the batch, which only the journal still knows.
  const note = earlier ?? (await beginNote(work, batch));
  work.journal.note(NOTE, note satisfies FirstBatchNote);
  await send(work, audienceId, chunk);
  if (note.signedUp === undefined) {
    await readBack(work, audienceId, note);
  } else {
    // They were put back since, which must not pass for proof that nobody is signed up again.
    await putBack(work, audienceId, { gone: note.gone ?? [], signedUp: note.signedUp });
  }
  work.journal.note(NOTE, { verified: true, witnesses: [] } satisfies FirstBatchNote);
}

/** The people of a batch who had left before it and are sent without a status, as they are put back if need be. */
function goneOf({ chunk, left }: FirstBatch): ContactItem[] {
  return chunk.items.filter(isGone(left)).map(({ source, line, contact }) => {
    const at = left.get(contact.email)?.unsubscribed_at;
    return {
      source,
      line,
      contact: { email: contact.email, status: 'unsubscribed', ...(at && { unsubscribed_at: at }) },
    };
  });
}

function isGone(left: FirstBatch['left']): (item: ContactItem) => boolean {
  return ({ contact }) => contact.status === undefined && left.has(contact.email);
}

async function chooseWitnesses(work: Work, { audienceId, chunk, left }: FirstBatch): Promise<Witness[]> {
  const gone = chunk.items.filter(isGone(left)).slice(0, 1);
  const chosen = [...new Set([...gone, ...telling(chunk.items)])].slice(0, WITNESSES + gone.length);
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

async function readBack(work: Work, audienceId: string, note: FirstBatchNote): Promise<void> {
  const seen = await lookAgain(work, audienceId, note.witnesses);
  const back = seen.filter(cameBack).map(({ witness }) => safe(witness.sent.email));
  const signedUp = back.length > 0 ? back : await lookAtGone(work, audienceId, note.gone ?? []);
  if (signedUp.length > 0) {
    work.journal.note(NOTE, { ...note, signedUp } satisfies FirstBatchNote);
    await putBack(work, audienceId, { gone: note.gone ?? [], signedUp });
  }
  const subscribes = seen.some(isNewlySubscribed);
  const problems = seen.flatMap((one) => differencesOf(one, subscribes));
  if (problems.length > 0) {
    throw unverified(problems);
  }
}

/** The first of the people who had left for whom something was written: the witness among them may have been refused. */
async function lookAtGone(work: Work, audienceId: string, gone: readonly ContactItem[]): Promise<string[]> {
  const refused = refusedRows(work.journal);
  const email = gone.find((one) => !refused.has(rowKey(one)))?.contact.email;
  const after = email && (await findContact(work.client, { audienceId, idOrEmail: email, signal: work.signal }));
  return after && after.status === 'subscribed' ? [safe(after.email)] : [];
}

/** The witnesses as they are now, less those whose row was refused: nothing was written for them. */
async function lookAgain(work: Work, audienceId: string, witnesses: readonly Witness[]): Promise<Seen[]> {
  const refused = refusedRows(work.journal);
  const seen: Seen[] = [];
  for (const witness of witnesses.filter((one) => !refused.has(rowKey(one)))) {
    const after = await findContact(work.client, { audienceId, idOrEmail: witness.sent.email, signal: work.signal });
    seen.push({ witness, after });
  }
  return seen;
}

function differencesOf({ witness, after }: Seen, subscribes: boolean): string[] {
  if (after === undefined) {
    return [`${safe(witness.sent.email)} is not in the audience after the batch`];
  }
  const fields = compareContact(witness.sent, after);
  const consent = witness.before === null ? compareConsent(witness.sent, after) : [];
  // Where others are subscribed without a status, one who isn't has left in the meantime.
  const left = subscribes && witness.sent.status === undefined;
  return [...fields, ...(left ? [] : consent)].map((difference) => inWords(witness, difference));
}

function isNewlySubscribed({ witness, after }: Seen): boolean {
  return witness.before === null && witness.sent.status === undefined && after?.status === 'subscribed';
}

/** True when a person who had left is subscribed again although no status was sent. */
function cameBack({ witness, after }: Seen): boolean {
  const { before, sent } = witness;
  return (
    before !== null && before.status !== 'subscribed' && after?.status === 'subscribed' && sent.status === undefined
  );
}

function inWords(witness: Witness, { field, sent, got }: Difference): string {
  return `${safe(witness.sent.email)}: ${safe(field)} was sent as "${safe(sent)}" and reads "${safe(got)}"`;
}

/** The run can't go on with a service that does this, also when it is resumed. */
async function putBack(work: Work, audienceId: string, { gone, signedUp }: SignedUp): Promise<never> {
  await optOutAgain(work, audienceId, gone);
  throw unverified(signedUp.map((email) => `${email}: status was sent as "(none)" and reads "subscribed"`));
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

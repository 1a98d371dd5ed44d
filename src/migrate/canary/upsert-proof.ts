import { contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { EMPTY_ANSWER } from '../../runs/store/recorded-request.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { lookUp } from '../verify/contacts.ts';
import { readBatchAnswer } from '../write/batch-answer.ts';
import { type RecordedWrite, sendRecorded } from '../write/send-recorded.ts';
import { ALREADY_THERE } from '../write/send-result.ts';
import type { WriteContext } from '../write-context.ts';

/** The note in the journal once it is proven that `upsert: false` does not change existing people. */
const PROVEN = 'upsert_false';
/** The recorded word of a response that shows the opposite. */
const UPDATED = 'updated';

// Each candidate costs a look-up.
const CANDIDATES = 4;

/** Where to make the proof. `name` is the batch with the candidates. */
interface Proof {
  readonly audienceId: string;
  readonly name: string;
  readonly candidates: readonly ContactItem[];
}

/**
 * Proves that a contact sent with `upsert: false` does not change an existing contact. The service document does not
 * say so. Without this proof, svc could sign up a person again who joins and opts out after the audience was read (C1).
 * The proof sends one subscribed person of the audience, without `subscribed`, so it can do no harm.
 */
export async function proveUpsertFalse(context: WriteContext, { audienceId, name, candidates }: Proof): Promise<void> {
  if (context.journal.read(PROVEN) === true) {
    return;
  }
  const item = await findSubscribed(context, audienceId, candidates.slice(0, CANDIDATES));
  if (!item) {
    return;
  }
  const requestName = `${name}.upsert`;
  await sendRecorded(context, proofWrite(context, { audienceId, name: requestName, item }));
  const word = context.journal.requests.find('contacts', requestName)?.answer?.word;
  if (word === UPDATED) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      'the service changes people who are in the audience, although svc sends upsert: false',
      {
        hint: 'Nothing more is sent. With --explicit-status, people who leave during the import would be signed up again. Import without --explicit-status.',
      },
    );
  }
  if (word === ALREADY_THERE) {
    context.journal.note(PROVEN, true);
  }
}

async function findSubscribed(
  context: WriteContext,
  audienceId: string,
  items: readonly ContactItem[],
): Promise<ContactItem | undefined> {
  for (const item of items) {
    if ((await lookUp(context, audienceId, item.contact))?.status === 'subscribed') {
      return item;
    }
  }
  return undefined;
}

interface ProofRequest {
  readonly audienceId: string;
  readonly name: string;
  readonly item: ContactItem;
}

/** Its row does not count, because the batch records the outcome of the row. */
function proofWrite(context: WriteContext, { audienceId, name, item }: ProofRequest): RecordedWrite<BatchResponse> {
  const { client, again } = context;
  const body = Buffer.from(JSON.stringify({ upsert: false, contacts: [item.contact] }));
  const request = { audienceId, body, again, op: 'upsert' } as const;
  const write: RecordedWrite<BatchResponse> = {
    kind: 'contacts',
    name,
    rows: [item],
    counts: () => false,
    keyForVersion: contactBatchKey(client, request),
    post: (sendOptions) => postContactBatch(client, request, sendOptions),
    answer: async (value, replayed) => {
      const isThere = () => Promise.resolve(true);
      const answered = { rows: [item], replayed, addressAt: () => item.contact.email, isThere };
      const { answer } = await readBatchAnswer(value, answered);
      const word = answer.failures[0]?.code ?? (answer.updated > 0 ? UPDATED : 'created');
      return { ...EMPTY_ANSWER, status: 200, replayed, word };
    },
    // One row is never bisected.
    part: () => write,
  };
  return write;
}

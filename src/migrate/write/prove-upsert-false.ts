import { canonicalEmail, contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { EMPTY_RESPONSE } from '../../runs/store/recorded-request.ts';
import { ALREADY_EXISTS_CODE } from '../../sending/record-and-send.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { lookUpContact } from '../compare/look-up.ts';
import { readBatchResponse } from './batch-response.ts';
import { type RecordedWrite, sendRecorded } from './send-and-bisect.ts';

/** A note in the journal: true if `upsert: false` leaves existing contacts as they are, false if it changes them. */
const UPSERT_FALSE_NOTE = 'upsert_false';
/** The word by which the journal stores that the service counted an existing contact as updated. */
const UPDATED_WORD = 'updated';

// The maximum number of people to try the proof with. Each person costs a look-up, and perhaps one more request.
export const MAX_PROOF_CANDIDATES = 4;

/**
 * True while --explicit-status still needs the proof that `upsert: false` changes no existing contact. Until it has the
 * proof, svc sends one batch at a time.
 */
export function mustProveUpsertFalse({ journal, options }: Pick<WriteContext, 'journal' | 'options'>): boolean {
  return options.explicitStatus && journal.readNote(UPSERT_FALSE_NOTE) !== true;
}

/** The people to try the proof with. `name` is the batch that they belong to. */
interface Proof {
  readonly audienceId: string;
  readonly name: string;
  readonly candidates: readonly ContactItem[];
}

/**
 * Finds out whether `upsert: false` changes an existing contact, because the service document does not say so. If it
 * does, svc could sign up again a person who joins and opts out during the run (C1). Sends one subscribed person of the
 * audience, without a status. This can do no harm. If this person is suppressed, the response proves nothing, and svc
 * tries the next person. Returns true if any person that svc looked up is in the audience.
 */
export async function proveUpsertFalse(
  context: WriteContext,
  { audienceId, name, candidates }: Proof,
): Promise<boolean> {
  let isAnyThere = false;
  let tries = 0;
  for (const item of candidates) {
    if (!mustProveUpsertFalse(context) || tries === MAX_PROOF_CANDIDATES) {
      break;
    }
    const known = await lookUpContact(context, audienceId, item.contact);
    isAnyThere ||= known !== undefined;
    // A contact under another spelling proves nothing, because the address of the list would become a second contact
    // (F8).
    if (known?.status === 'subscribed' && canonicalEmail(known) === item.contact.email) {
      tries += 1;
      await sendRecorded(context, proofWrite(context, { audienceId, name: `${name}.upsert.${rowKey(item)}`, item }));
      refuseDisprovenUpsertFalse(context);
    }
  }
  return isAnyThere;
}

/**
 * Called before each attempt to send new people as `subscribed`. Some of them may be in the audience by now: they
 * joined, or an earlier attempt lost its response (I2, I4, I6). They may also have opted out since. Without the proof,
 * the attempt could sign them up again, so the run stops. A new run finds these people in the audience.
 */
export async function refuseOptedOutPeople(context: WriteContext, proof: Proof): Promise<void> {
  const candidates = proof.candidates.filter(({ contact }) => contact.status === undefined);
  if ((await proveUpsertFalse(context, { ...proof, candidates })) && mustProveUpsertFalse(context)) {
    const { commandWith, options, journal } = context;
    const again = commandWith?.(options.again ? '' : '--again') ?? 'the same command with --again';
    // If --again was given already, the same command would continue this run. So the user must delete the run first.
    const first = options.again ? `svc runs delete ${journal.run} --confirm ${journal.run}\n` : '';
    throw new SvcError(
      EXIT.stopped,
      'in_doubt',
      'people of the list joined the audience during the run and may have opted out since; to send them could sign them up again',
      { hint: `A new run reads the audience again:\n${first}${again}` },
    );
  }
}

/** Throws once it is known that `upsert: false` changes existing contacts. Each resume throws too. */
export function refuseDisprovenUpsertFalse({ journal }: WriteContext): void {
  if (journal.readNote(UPSERT_FALSE_NOTE) === false) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      'the service changes people who are in the audience, although svc sends upsert: false',
      {
        hint: 'Nothing more is sent. With --explicit-status, people who leave during the import would be signed up again. Import without --explicit-status.',
      },
    );
  }
}

/** The request that tests `upsert: false` with one person. It counts no row, because the batch of this person does. */
function proofWrite(
  context: WriteContext,
  { audienceId, name, item }: { readonly audienceId: string; readonly name: string; readonly item: ContactItem },
): RecordedWrite<BatchResponse> {
  const { client, keySuffix } = context;
  const body = Buffer.from(JSON.stringify({ upsert: false, contacts: [item.contact] }));
  const request = { audienceId, body, keySuffix, op: 'upsert' } as const;
  const write: RecordedWrite<BatchResponse> = {
    kind: 'contacts',
    name,
    rows: [item],
    isCounted: () => false,
    keyForVersion: contactBatchKey(client, request),
    post: (sendOptions) => postContactBatch(client, request, sendOptions),
    readResponse: async (value, replayed) => {
      const batch = { rows: [item], replayed, isWritten: () => Promise.resolve(true) };
      const { recorded } = await readBatchResponse(value, batch);
      const word = recorded.failures[0]?.code ?? (recorded.updated > 0 ? UPDATED_WORD : 'created');
      if (word === UPDATED_WORD || word === ALREADY_EXISTS_CODE) {
        context.journal.writeNote(UPSERT_FALSE_NOTE, word === ALREADY_EXISTS_CODE);
      }
      return { ...EMPTY_RESPONSE, status: 200, replayed, word };
    },
    // A request with one row is never bisected, so this is never called.
    part: () => write,
  };
  return write;
}

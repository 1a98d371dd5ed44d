import { canonicalEmail } from '../../api/resources/contacts.ts';
import { transaction } from '../../base/os/sqlite.ts';
import type { ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../../runs/find/run-status.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { storeAddresses } from '../compare/look-up.ts';
import { isSentInParts, type WasInAudience } from '../write/explicit-status.ts';
import type { OutgoingBatch } from '../write/send-batch.ts';
import type { KnownAudience, OptedOut } from './canary-record.ts';
import { createOptedOutTest } from './proofs.ts';

const AUDIENCE_READ_NOTE = 'audience_read';

/**
 * Stores in run.db who is in the audience before the first write. Otherwise a resume would treat contacts that the run
 * created as contacts from before the run. Until the canary is sent, each process reads the audience again, because
 * people join and leave. `optedOut` adds people whom the pages may not show.
 */
export async function recordAudienceMembers(
  context: WriteContext,
  { audienceId, optedOut }: Pick<KnownAudience, 'audienceId' | 'optedOut'>,
): Promise<WasInAudience> {
  const { db, requests } = context.journal;
  if (context.journal.readNote(AUDIENCE_READ_NOTE) !== true || !requests.stateOf(CANARY_NAME).isRecorded) {
    context.emit({ type: 'note', message: 'Reading the audience to find out which people are new.' });
    db.exec(
      'CREATE TABLE IF NOT EXISTS was_there (email TEXT PRIMARY KEY) STRICT, WITHOUT ROWID; DELETE FROM was_there',
    );
    await storeAddresses(context, audienceId, { table: 'was_there', addressOf: canonicalEmail });
    addAudienceMembers(context, optedOut);
    context.journal.writeNote(AUDIENCE_READ_NOTE, true);
  }
  return readAudienceMembers(context.journal);
}

/**
 * Adds opted-out people of a batch if no page of the audience shows them. svc looks them up right before it sends the
 * batch. Adds no person of a batch that was sent, because that batch keeps its parts (I9). Adds no person of the canary
 * either, because the rows of the canary do not count.
 */
export function recordOptedOutOfBatch(
  context: WriteContext,
  { optedOut, mustLookUp }: KnownAudience,
  batch: ListBatch,
  isCounted: NonNullable<OutgoingBatch['isCounted']>,
): void {
  if (!mustLookUp || !context.options.explicitStatus || isSentInParts(context.journal, String(batch.index))) {
    return;
  }
  const isOptedOut = createOptedOutTest(optedOut);
  const people = batch.items.filter((item) => mustLookUp(item.contact.email) && isOptedOut(item) && isCounted(item));
  addAudienceMembers(context, new Map(people.map(({ contact: { email } }) => [email, optedOut.get(email) ?? {}])));
}

function addAudienceMembers({ journal: { db } }: WriteContext, optedOut: OptedOut): void {
  const insert = db.prepare('INSERT OR IGNORE INTO was_there VALUES (?)');
  transaction(db, () => {
    for (const [email, contact] of optedOut) {
      // The audience may spell the address in another way (F8).
      insert.run(contact.email === undefined ? email : canonicalEmail({ email: contact.email }));
    }
  });
}

/** Returns what `recordAudienceMembers` stored. */
export function readAudienceMembers({ db }: Pick<Journal, 'db'>): WasInAudience {
  const has = db.prepare('SELECT 1 FROM was_there WHERE email = ?');
  return (email) => has.get(email) !== undefined;
}

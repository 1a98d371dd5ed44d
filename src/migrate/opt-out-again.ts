import { contactBatchKey, postContactBatch } from '../api/contacts.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { safe } from '../base/text.ts';
import { contactBody } from '../import/chunk.ts';
import type { ContactItem } from '../import/types.ts';
import { deliver } from './deliver.ts';
import type { Work } from './work.ts';

/**
 * Opts people out again whom a batch of ours signed up, with the dates they had. The key is new and journaled: an earlier
 * run may have sent the same bytes, and a replay of its answer would write nothing.
 */
export async function optOutAgain(work: Work, audienceId: string, gone: readonly ContactItem[]): Promise<void> {
  if (gone.length === 0) {
    return;
  }
  const batch = { audienceId, body: contactBody(gone), again: markOf(work) };
  await deliver(work, {
    kind: 'contacts',
    name: 'put_back',
    // These people are counted with the batch that signed them up.
    rows: [],
    keyAt: contactBatchKey(work.client, batch),
    post: (calling) => postContactBatch(work.client, batch, calling),
    answer: async (_value, replayed) => ({ status: 200, replayed, ...NOTHING }),
    part: () => {
      const who = gone.map(({ contact }) => safe(contact.email)).join(', ');
      throw new SvcError(EXIT.unverified, 'put_back_refused', `signed up again, and can't be put back: ${who}`);
    },
  });
}

const NOTHING = { created: 0, updated: 0, alreadySuppressed: 0, failures: [] };
const NOTE = 'put_back';

function markOf({ journal, randomHex }: Work): string {
  const kept = journal.read(NOTE);
  if (typeof kept === 'string') {
    return kept;
  }
  const mark = randomHex(8);
  journal.note(NOTE, mark);
  return mark;
}

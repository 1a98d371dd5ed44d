import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { plural, safe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/types.ts';
import { lookUp } from '../verify/look-up.ts';
import { refusedRows, rowKey } from '../verify/refused-rows.ts';
import type { Work } from '../work.ts';
import type { Delivered } from '../write/deliver.ts';
import { type FirstBatchNote, keepNote, NOTHING_SHOWN, type Shown } from './first-batch-note.ts';
import { optOutAgain } from './opt-out-again.ts';
import { missingOptOuts, type OptOutCount } from './opt-out-count.ts';
import { hadLeft, isNewlySubscribed, lookAgain, problemsOf, type Seen } from './witnesses.ts';

/** A batch that was answered, and what was known before it. */
export interface Answered {
  readonly note: FirstBatchNote;
  readonly items: readonly ContactItem[];
  readonly sent: Delivered;
}

/** Reads the people of a batch back; throws where the service did something else than was meant. */
export async function readBack(work: Work, audienceId: string, { note, items, sent }: Answered): Promise<Shown> {
  const { witnesses, shown = NOTHING_SHOWN } = note;
  const seen = await lookAgain(work, audienceId, { witnesses, joins: shown.joins, items, sent });
  const outs = await lookAtGone(work, audienceId, { note, seen });
  const signedUp = outs.filter((one) => one.status === 'subscribed').map(({ email }) => safe(email));
  const lost = signedUp.length === 0 && note.outs ? await lostOf(work, audienceId, { outs: note.outs, sent }) : 0;
  if (signedUp.length > 0 || lost > 0) {
    const proof = { ...note, signedUp, lost };
    keepNote(work.journal, proof);
    await putBack(work, audienceId, proof);
  }
  const problems = problemsOf(seen);
  if (problems.length > 0) {
    throw unverified(problems, hintOf(problems, sent.replayed ? work.journal.header.run : undefined));
  }
  const fresh = !sent.replayed && sent.created + sent.updated > 0;
  // Who was written twice shows what becomes of people who are there.
  const once = sent.replayed || !sent.afterLost;
  return {
    // Whoever wasn't there before was written by this batch, also where a lost answer was replayed.
    fields: seen.some(({ witness }) => fresh || witness.before === null),
    joins: once && seen.some(isNewlySubscribed),
    stays: fresh && outs.some((one) => one.status !== undefined && one.status !== 'subscribed'),
  };
}

/** How those who had left are now; the witness among them may have been refused, then it is the first who was not. */
async function lookAtGone(
  work: Work,
  audienceId: string,
  { note, seen }: { readonly note: FirstBatchNote; readonly seen: readonly Seen[] },
): Promise<{ readonly email: string; readonly status: string | undefined }[]> {
  const outs = seen.filter(hadLeft);
  if (outs.length > 0) {
    return outs.map(({ witness, after }) => ({ email: witness.sent.email, status: after?.status }));
  }
  const refused = refusedRows(work.journal);
  const email = note.gone?.find((one) => !refused.has(rowKey(one)))?.contact.email;
  const after = email && (await lookUp(work, audienceId, email));
  return after ? [{ email: after.email, status: after.status }] : [];
}

/** A batch that updated nobody signed nobody up again: then somebody else changed the number. */
async function lostOf(
  work: Work,
  audienceId: string,
  { outs, sent }: { readonly outs: OptOutCount; readonly sent: Delivered },
): Promise<number> {
  return sent.updated === 0 && !sent.replayed ? 0 : missingOptOuts(work, audienceId, outs);
}

type Proof = Pick<FirstBatchNote, 'gone' | 'lost'> & Required<Pick<FirstBatchNote, 'signedUp'>>;

/** The run can't go on with a service that does this, also when it is resumed. */
export async function putBack(
  work: Work,
  audienceId: string,
  { gone = [], signedUp, lost = 0 }: Proof,
): Promise<never> {
  await optOutAgain(work, audienceId, gone);
  const named = signedUp.map((email) => `${email}: status was sent as "(none)" and reads "subscribed"`);
  const counted = `${plural(lost, 'person', 'people')} fewer unsubscribed in the audience than before and than the batch opts out`;
  throw unverified(lost > 0 ? [...named, counted] : named, lost > 0 ? countedHint(work) : SIGNED_UP_HINT);
}

const SIGNED_UP_HINT =
  'Nothing else was sent. Without a status the service signs up people again who left: give everybody who left their state in the list ("svc contacts export" shows it) before a new run.';

/** A number alone doesn't tell who did it. */
function countedHint({ journal }: Work): string {
  return `Nothing else was sent. Either the service signs up people again who left when no status is sent, or somebody came back on their own meanwhile: "svc contacts export" shows who is in. If they came back on their own: svc runs delete ${journal.header.run}, and the same command again.`;
}

/** `replayed` is the run whose batch the service had answered before: people may have been removed since. */
function hintOf(problems: readonly string[], replayed: string | undefined): string {
  if (problems.some((problem) => problem.includes(': status was sent'))) {
    return 'Nothing else was sent. If new people should be subscribed, import them with --explicit-status (svc migrate, svc contacts import).';
  }
  const compare = 'Nothing else was sent. Compare these people in the app before going on.';
  return replayed === undefined
    ? compare
    : `${compare} The service had written this batch before and wrote nothing now; if somebody changed or removed these people since: svc runs delete ${replayed}, and a day after that first time the same command.`;
}

function unverified(problems: readonly string[], hint: string): SvcError {
  const message = `the first batch reads back differently: ${problems.join('; ')}`;
  return new SvcError(EXIT.unverified, 'first_batch', message, { hint });
}

import { getAudience } from '../../api/resources/audiences.ts';
import type { Batches } from '../../import/batch/batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import { type ReadPages, readShownContacts } from '../account/audience-contacts.ts';
import type { CanaryRecord, KnownAudience, Proofs } from './canary-record.ts';
import { withOptedOutLookAlikes } from './known-opt-outs.ts';
import { hiddenStatuses } from './proofs.ts';

/** The contacts of a list, and the snapshot of the account that the plan was made with. */
export interface ListToWrite {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'preview'>;
  readonly snapshot: AccountSnapshot;
  readonly survey: Survey;
}

// A snapshot older than this is read again, because a person may opt out while svc waits for the user or the rate
// limit.
const FRESH_MS = 60_000;

/** How old the snapshot may be, and which pages of the audience are read if it is older. */
interface ReadLimits extends ReadPages {
  readonly maxAgeMs: number;
}

/**
 * What svc knows about the audience and the list before it sends contacts. Uses the snapshot of the plan. If the
 * snapshot is too old, it reads the opted-out people again.
 */
export async function readKnownAudience(
  context: WriteContext,
  toWrite: ListToWrite,
  limits: ReadLimits = { maxAgeMs: FRESH_MS },
): Promise<{ readonly snapshot: AccountSnapshot; readonly audience: KnownAudience }> {
  const { audienceId, survey } = toWrite;
  const snapshot = await freshSnapshot(context, toWrite, limits);
  const audience = {
    audienceId,
    optedOut: await withOptedOutLookAlikes(context, { ...toWrite, ...snapshot }),
    othersOptedOut: snapshot.moreOptedOut,
    othersUnconfirmed: snapshot.moreUnconfirmed,
    unknownStatuses: snapshot.unknownStatuses,
    subscribesPeople: survey.contacts > survey.unsubscribed,
    optOutRows: survey.unsubscribed,
    mustLookUp: undefined,
  };
  return { snapshot, audience };
}

async function freshSnapshot(
  context: WriteContext,
  { audienceId, snapshot, survey }: ListToWrite,
  { maxAgeMs, ...pages }: ReadLimits,
): Promise<AccountSnapshot> {
  if (!snapshot.audience || snapshot.ageMs() < maxAgeMs) {
    return snapshot;
  }
  const audience = await getAudience(context.client, audienceId, context);
  return { ...snapshot, audience, ...(await readShownContacts(context, audience, survey, pages)) };
}

/**
 * True if the audience has opted-out people whom svc did not read, and no proof shows that they stay opted out. False
 * if the list subscribes no person.
 */
export function hasHiddenOptOuts(record: Partial<Proofs> | undefined, audience: KnownAudience): boolean {
  return audience.subscribesPeople && hiddenStatuses(record, audience).length > 0;
}

/**
 * True if svc must count the opt-outs before and after the first batch, because it can't read who the opted-out people
 * are.
 */
export function mustCountOptOuts(record: CanaryRecord, audience: KnownAudience): boolean {
  return hasHiddenOptOuts(record, audience) && record.batchesRead === 0;
}

import { addBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import { plural } from '../../../base/lib/text.ts';
import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import type { AudienceTarget } from '../../../run-lifecycle/data/run-options.ts';
import { lookUpContact } from '../../compare/look-up.ts';

/** People whose rows changed, and whom the audience accepted before. */
export interface ChangedPeople {
  readonly changed: number;
  /** How many of them are not in the audience any more. They count as unchanged, and are not sent. */
  readonly deleted: number;
  /** The first few of the deleted people. */
  readonly examples: readonly string[];
  /** False if they are too many to look them up one by one. */
  readonly lookedUp: boolean;
}

interface ChangedPerson {
  readonly position: number;
  readonly email: string;
}

// One request for each person: at 600 requests a minute, this takes less than a minute.
const MAX_LOOK_UPS = 400;
const MAX_EXAMPLES = 5;

/** Collects changed people of a list, but not those whom the list opts out: an opt-out signs no person up. */
export function collectChanged() {
  const people: ChangedPerson[] = [];
  let total = 0;
  return {
    people: people as readonly ChangedPerson[],
    get total() {
      return total;
    },
    add(position: number, { email, optsOut }: Pick<ContactText, 'email' | 'optsOut'>): void {
      total += optsOut ? 0 : 1;
      if (!optsOut && people.length < MAX_LOOK_UPS) {
        people.push({ position, email });
      }
    },
  };
}

/** What a look-up of people needs before the plan. */
export interface LookUpContext extends Pick<OpenRun, 'account' | 'signal' | 'emit'> {
  readonly target: AudienceTarget | undefined;
}

/**
 * Looks up the changed people, and adds those who are not in the audience any more to `unchanged`. They were deleted in
 * the app, and a changed row must not sign them up again (C1). If a look-up fails, the run ends before it sends
 * anything. Undefined if no person changed, or without an account or an existing audience.
 */
export async function holdBackDeleted(
  { account, target, signal, emit }: LookUpContext,
  { people, total }: Pick<ReturnType<typeof collectChanged>, 'people' | 'total'>,
  unchanged: PositionSet,
): Promise<ChangedPeople | undefined> {
  if (total === 0 || !account || target?.kind !== 'found') {
    return undefined;
  }
  const examples: string[] = [];
  let deleted = 0;
  const lookedUp = total <= MAX_LOOK_UPS;
  if (lookedUp) {
    emit({ type: 'note', message: `Looking up ${plural(total, 'changed person', 'changed people')}.` });
  }
  for (const { position, email } of lookedUp ? people : []) {
    if ((await lookUpContact({ client: account.client, signal }, target.audience.id, { email })) === undefined) {
      addBit(unchanged, position);
      deleted += 1;
      examples.push(email);
    }
  }
  return { changed: total, deleted, examples: examples.slice(0, MAX_EXAMPLES), lookedUp };
}

import { addBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import { plural } from '../../../base/lib/text.ts';
import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { LedgerIndex } from '../../../ledgers/ledger-index.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import type { AudienceTarget } from '../../../run-lifecycle/data/run-options.ts';
import { lookUpContact } from '../../compare/look-up.ts';

/** People of earlier lists to send. svc first looks up whether the audience still has them. */
export interface ResentPeople {
  /** The number of these people. Runs of an older svc stored only changed people, under this name. */
  readonly changed: number;
  /** How many of these people the audience does not have any more. They count as unchanged, and are not sent. */
  readonly deleted: number;
  /** The first few of the deleted people. */
  readonly examples: readonly string[];
  /** False if svc did not look these people up, because there are too many of them. */
  readonly lookedUp: boolean;
}

/** The people of earlier lists to send. Each field is undefined if there are none, and if all people are sent. */
export interface ResentCounts {
  /** People whose row changed. */
  readonly changed?: ResentPeople | undefined;
  /** People whom the audience accepted before, but the ledger forgot what it accepted (G2, G8). */
  readonly withoutContent?: ResentPeople | undefined;
  /** People whom an earlier list lacked, who had left the audience by then, and who are back in this list (G6). */
  readonly optedOut?: ResentPeople | undefined;
  /** The number of people sent only by a run that found differences. The audience may never have had them (G8). */
  readonly unproven?: number | undefined;
}

/**
 * A person to send whom svc looked up before the plan. `lookedUp` is the address that svc looked up: the earlier one of
 * the row, if the person has a new address (G13).
 */
export interface LookedUpPerson {
  readonly email: string;
  readonly lookedUp: string;
}

interface ResentPerson {
  readonly position: number;
  readonly email: string;
}

/** How many people of each kind svc looks up: at 600 requests a minute, this takes less than a minute. */
export const MAX_LOOK_UPS = 400;
const MAX_EXAMPLES = 5;

/** Counts people, and keeps as many of them as svc looks up. */
export function collectPeople<Person>() {
  const people: Person[] = [];
  let total = 0;
  return {
    people: people as readonly Person[],
    get total() {
      return total;
    },
    add(person: Person): void {
      total += 1;
      if (people.length < MAX_LOOK_UPS) {
        people.push(person);
      }
    },
  };
}

type CollectedPeople = Pick<ReturnType<typeof collectPeople<ResentPerson>>, 'people' | 'total'>;

/** Collects people of the ledger to send again. Leaves out opt-outs of the list, because they sign no person up. */
export function collectResent(index: Pick<LedgerIndex, 'acceptanceOf'>) {
  const changed = collectPeople<ResentPerson>();
  const withoutContent = collectPeople<ResentPerson>();
  let unproven = 0;
  return {
    changed: changed as CollectedPeople,
    withoutContent: withoutContent as CollectedPeople,
    get unproven() {
      return unproven;
    },
    add(entry: number, position: number, { email, optsOut }: Pick<ContactText, 'email' | 'optsOut'>): void {
      const acceptance = optsOut ? 'none' : index.acceptanceOf(entry);
      unproven += acceptance === 'unproven' ? 1 : 0;
      if (acceptance === 'known' || acceptance === 'without content') {
        (acceptance === 'known' ? changed : withoutContent).add({ position, email });
      }
    },
  };
}

/** What a look-up of people needs before the plan. */
export interface LookUpContext extends Pick<OpenRun, 'account' | 'signal' | 'emit'> {
  readonly target: AudienceTarget | undefined;
}

/**
 * Looks up people of earlier lists before they are sent again. Adds those who are not in the audience any more to
 * `unchanged`: they were deleted in the app, and no run must sign them up again (C1). Adds the others to `lookedUp`. If
 * a look-up fails, the run ends before it sends anything. Looks up no person without an account or an existing
 * audience.
 */
export async function holdBackDeleted(
  { account, target, signal, emit }: LookUpContext,
  {
    changed,
    withoutContent,
    unproven,
  }: Pick<ReturnType<typeof collectResent>, 'changed' | 'withoutContent' | 'unproven'>,
  { unchanged, lookedUp }: { readonly unchanged: PositionSet; readonly lookedUp: LookedUpPerson[] },
): Promise<ResentCounts> {
  if (!account || target?.kind !== 'found') {
    return {};
  }
  const lookUp = async (people: readonly ResentPerson[], message: string): Promise<readonly string[]> => {
    emit({ type: 'note', message });
    const deleted: string[] = [];
    for (const { position, email } of people) {
      if ((await lookUpContact({ client: account.client, signal }, target.audience.id, { email })) === undefined) {
        addBit(unchanged, position);
        deleted.push(email);
      } else {
        lookedUp.push({ email, lookedUp: email });
      }
    }
    return deleted;
  };
  const checkFirst = async ({ people, total }: CollectedPeople, message: string): Promise<ResentPeople> => {
    const isFew = total <= MAX_LOOK_UPS;
    const deleted = isFew ? await lookUp(people, message) : [];
    return { changed: total, deleted: deleted.length, examples: deleted.slice(0, MAX_EXAMPLES), lookedUp: isFew };
  };
  const changedText = plural(changed.total, 'changed person', 'changed people');
  const resentText = plural(withoutContent.total, 'person', 'people');
  return {
    ...(changed.total > 0 && { changed: await checkFirst(changed, `Looking up ${changedText}.`) }),
    ...(withoutContent.total > 0 && {
      withoutContent: await checkFirst(
        withoutContent,
        `Looking up ${resentText} of earlier lists, to send them again.`,
      ),
    }),
    ...(unproven > 0 && { unproven }),
  };
}

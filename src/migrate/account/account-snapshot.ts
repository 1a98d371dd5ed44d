import { isNotFound } from '../../api/http/api-error.ts';
import { type AudienceWithCounts, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations, mayMailPeople, startsByItself } from '../../api/resources/automations.ts';
import { type Clock, startStopwatch } from '../../base/lib/clock.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { type ImportOptions, writeKindsOf } from '../../run-lifecycle/data/run-options.ts';
import type { ReplacedAudience } from '../../runs/find/same-audience.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Audience, Automation } from '../../wire/shapes.ts';
import {
  type ContactSource,
  createPersonTest,
  NO_CONTACTS,
  type PersonTest,
  readShownContacts,
  type ShownContacts,
} from './audience-contacts.ts';

/** What svc read from the account before it made the plan. */
export interface AccountSnapshot extends ShownContacts {
  /** The audience to which the run writes, with its counts. Undefined if it must still be created or is not needed. */
  readonly audience: Audience | undefined;
  /** The audience that was replaced, as the account shows it now. Undefined if the account does not have it. */
  readonly replaced: Audience | undefined;
  /** Returns the milliseconds since svc began to read the account. */
  readonly ageMs: () => number;
  /**
   * The number of contacts in all audiences (P2). svc stops counting once the sum shows that the account is on a paid
   * plan.
   */
  readonly accountTotal: number;
  /** Automations that start when a person joins the audience (M3), including those in sandbox mode. */
  readonly joinAutomations: readonly Automation[];
  /** True for a person of the audience. Undefined if the plan does not need a count of the new people. */
  readonly isInAudience: PersonTest | undefined;
}

interface SnapshotSource extends ContactSource {
  readonly clock: Clock;
}

interface SnapshotQuery {
  /** The audience to write to. Undefined if it must still be created, or if no audience is needed. */
  readonly target: Audience | undefined;
  /** The audience to which an earlier list of this name went. Undefined if there is none. */
  readonly replaced: ReplacedAudience | undefined;
  readonly survey: Survey;
  readonly options: ImportOptions;
}

/**
 * Reads the account: the audiences and their counts, the automations, and the first pages of the audience's contacts.
 */
export async function fetchSnapshot(source: SnapshotSource, query: SnapshotQuery): Promise<AccountSnapshot> {
  const { client, signal, clock } = source;
  const elapsedMs = startStopwatch(clock);
  const { target, survey } = query;
  if (!writeKindsOf(query.options.command).writesContacts) {
    return EMPTY_SNAPSHOT;
  }
  const audience = target && (await getAudience(client, target.id, { signal }));
  const accountTotal = await sumContacts(source, query.options.plan, audience);
  const shown = audience ? await readShownContacts(source, audience, survey) : NO_CONTACTS;
  const readsPeople = mustCountNewPeople(accountTotal, audience, query);
  return {
    audience,
    replaced: query.replaced && (await findAudience(source, query.replaced.id)),
    ageMs: elapsedMs,
    accountTotal,
    joinAutomations: audience ? await joinAutomationsOf(source, audience.id) : [],
    ...shown,
    isInAudience: readsPeople && audience ? await createPersonTest(source, audience) : undefined,
  };
}

/**
 * The snapshot of a run that writes only suppressions. svc reads nothing for it, because suppressions do not depend on
 * audiences, automations or the plan of the account.
 */
const EMPTY_SNAPSHOT: AccountSnapshot = {
  audience: undefined,
  replaced: undefined,
  ageMs: () => Number.POSITIVE_INFINITY,
  accountTotal: 0,
  joinAutomations: [],
  ...NO_CONTACTS,
  isInAudience: undefined,
};

/**
 * All automations that may start when a person joins the audience. Leaves out drafts and archived automations, which
 * never start.
 */
export async function joinAutomationsOf({ client, signal }: ContactSource, audienceId: string): Promise<Automation[]> {
  const automations = await Array.fromAsync(listAutomations(client, { signal }));
  return automations.filter(
    (automation) => startsByItself(automation) && automation.audience_id === audienceId && mayMailPeople(automation),
  );
}

/**
 * Counts the contacts of all audiences. Returns 0 for `--plan paid`, because a paid plan has no cap. Stops once the sum
 * is above the cap of the free plan, because the account must then be on a paid plan. With `--plan free` it counts them
 * all.
 */
async function sumContacts(
  source: SnapshotSource,
  plan: ImportOptions['plan'],
  target: AudienceWithCounts | undefined,
): Promise<number> {
  let total = 0;
  if (plan === 'paid') {
    return total;
  }
  for await (const { id } of listAudiences(source.client, source)) {
    // The count of the target was read already. `countContacts` would count a deleted target as 0, and so hide that the
    // run must stop.
    total += id === target?.id ? target.contact_counts.total : await countContacts(source, id);
    if (total > LIMITS.freePlanSubscribers && plan !== 'free') {
      return total;
    }
  }
  return total;
}

/** The number of contacts in an audience. 0 if the audience was deleted after it was listed. */
async function countContacts(source: SnapshotSource, id: string): Promise<number> {
  return (await findAudience(source, id))?.contact_counts.total ?? 0;
}

/** Reads an audience. Undefined if the account does not have it. */
async function findAudience({ client, signal }: SnapshotSource, id: string): Promise<AudienceWithCounts | undefined> {
  try {
    return await getAudience(client, id, { signal });
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * True if svc must count how many people of the list are new. svc counts them if the whole list does not fit into the
 * free plan, but could fit without the people who are in the audience already.
 */
function mustCountNewPeople(
  accountTotal: number,
  audience: Audience | undefined,
  { survey, options }: SnapshotQuery,
): boolean {
  const room = LIMITS.freePlanSubscribers - accountTotal;
  const contactCount = audience?.contact_counts?.total ?? 0;
  const mayBeFree = options.plan !== 'paid' && (options.plan === 'free' || room >= 0);
  return mayBeFree && survey.contacts > room && survey.contacts - contactCount <= room;
}

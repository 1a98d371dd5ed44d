import { isNotFound } from '../../api/api-error.ts';
import type { Client } from '../../api/client.ts';
import { type CountedAudience, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { isStarted, listAutomations } from '../../api/resources/automations.ts';
import { canonicalEmail, listContacts } from '../../api/resources/contacts.ts';
import { type Clock, timeSince } from '../../base/lib/clock.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { LIMITS } from '../../wire/limits.ts';
import { hasSpellings, otherSpellings, personKey } from '../../wire/person-key.ts';
import type { Audience, Automation, Contact } from '../../wire/shapes.ts';
import { type ImportOptions, writesOf } from '../options.ts';

export interface AccountSnapshot {
  /** The target with its counts. Undefined if it must still be created. */
  readonly audience: Audience | undefined;
  /** How long ago the account was queried, in milliseconds. */
  readonly sinceAsked: () => number;
  /** Sum of `contact_counts.total` over all audiences (P2), counted only as far as the plan depends on it. */
  readonly accountTotal: number;
  /** Automations that start when people join the target, whatever their sandbox mark (M3). */
  readonly joinFlows: readonly Automation[];
  /** Attribute keys that the first page of the target's contacts shows. */
  readonly shownKeys: ReadonlySet<string>;
  /** Contacts of up to ten pages that opted out and may be in the list, by each spelling of their address. */
  readonly optedOut: ReadonlyMap<string, Contact>;
  /** True if more people opted out of the target than those pages show. */
  readonly moreOptedOut: boolean;
  /** People in the target, by person key. Read only if the plan cap depends on them. */
  readonly present: ReadonlySet<string> | undefined;
}

const OPT_OUT_PAGES = 10;

interface SnapshotSource {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

interface SnapshotQuery {
  /** Undefined if the audience must still be created, or if none is needed. */
  readonly target: Audience | undefined;
  readonly survey: Survey;
  readonly options: ImportOptions;
}

/** Reads the account: the audiences and their counts, the automations, and the first pages of the target's contacts. */
export async function fetchSnapshot(source: SnapshotSource, query: SnapshotQuery): Promise<AccountSnapshot> {
  const { client, signal, clock } = source;
  const sinceAsked = timeSince(clock);
  const { target, survey } = query;
  if (!writesOf(query.options.command).contacts) {
    return NOTHING_ASKED;
  }
  const audience = target && (await getAudience(client, target.id, { signal }));
  const accountTotal = await sumContacts(source, query.options.plan, audience);
  const shown = audience ? await readContacts(source, audience, survey) : NO_CONTACTS;
  const near = capMatters(accountTotal, audience, query);
  return {
    audience,
    sinceAsked,
    accountTotal,
    joinFlows: audience ? await joinFlowsOf(source, audience.id) : [],
    ...shown,
    present: near && audience ? await peopleIn(source, audience.id) : undefined,
  };
}

/** The snapshot for suppressions: they do not depend on audiences, automations or the plan of the account. */
const NOTHING_ASKED: AccountSnapshot = {
  audience: undefined,
  sinceAsked: () => Number.POSITIVE_INFINITY,
  accountTotal: 0,
  joinFlows: [],
  shownKeys: new Set(),
  optedOut: new Map(),
  moreOptedOut: false,
  present: undefined,
};

/** Every automation that starts when people join the audience and is not draft or archived, of all pages. */
export async function joinFlowsOf(
  { client, signal }: Omit<SnapshotSource, 'clock'>,
  audienceId: string,
): Promise<Automation[]> {
  const flows: Automation[] = [];
  for await (const automation of listAutomations(client, { signal })) {
    if (automation.trigger === 'audience_join' && automation.audience_id === audienceId && isStarted(automation)) {
      flows.push(automation);
    }
  }
  return flows;
}

/** Stops counting early: a paid plan has no cap, and an account above the cap is not on the free plan. */
async function sumContacts(
  source: SnapshotSource,
  plan: ImportOptions['plan'],
  target: CountedAudience | undefined,
): Promise<number> {
  let total = 0;
  if (plan === 'paid') {
    return total;
  }
  for await (const { id } of listAudiences(source.client, source)) {
    // The target was counted a moment ago. A 404 for it must stop the run, not count as 0.
    total += id === target?.id ? target.contact_counts.total : await countContacts(source, id);
    if (total > LIMITS.freePlanSubscribers && plan !== 'free') {
      return total;
    }
  }
  return total;
}

/** Returns 0 if the audience was deleted since it was listed. */
async function countContacts({ client, signal }: SnapshotSource, id: string): Promise<number> {
  try {
    return (await getAudience(client, id, { signal })).contact_counts.total;
  } catch (error) {
    if (isNotFound(error)) {
      return 0;
    }
    throw error;
  }
}

type ShownContacts = Pick<AccountSnapshot, 'shownKeys' | 'optedOut' | 'moreOptedOut'>;

const NO_CONTACTS: ShownContacts = { shownKeys: new Set(), optedOut: new Map(), moreOptedOut: false };

async function readContacts(
  { client, signal }: SnapshotSource,
  audience: CountedAudience,
  survey: Survey,
): Promise<ShownContacts> {
  const shownKeys = new Set<string>();
  const optedOut = new Map<string, Contact>();
  const subscribed = new Set<string>();
  let pages = 0;
  let optedOutSeen = 0;
  if (audience.contact_counts.total === 0) {
    return NO_CONTACTS;
  }
  for await (const page of listContacts(client, audience.id, { signal })) {
    if (pages === 0) {
      page.flatMap(({ attributes = {} }) => Object.keys(attributes)).forEach((key) => shownKeys.add(key));
    }
    optedOutSeen += page.filter((contact) => contact.status === 'unsubscribed').length;
    for (const contact of page.filter(({ email }) => survey.mayHold(email))) {
      const { status } = contact;
      const email = canonicalEmail(contact);
      if (status === 'subscribed' && hasSpellings(email)) {
        subscribed.add(email);
      } else if (status !== undefined && status !== 'subscribed') {
        optedOut.set(email, contact);
      }
    }
    pages += 1;
    if (pages === OPT_OUT_PAGES) {
      break;
    }
  }
  return {
    shownKeys,
    optedOut: withSpellings(optedOut, subscribed),
    moreOptedOut: pages === OPT_OUT_PAGES && audience.contact_counts.unsubscribed > optedOutSeen,
  };
}

/** The opted-out contacts, also by other spellings of their addresses, unless these have contacts of their own (F8). */
function withSpellings(
  optedOut: ReadonlyMap<string, Contact>,
  subscribed: ReadonlySet<string>,
): ReadonlyMap<string, Contact> {
  const spelled = new Map(optedOut);
  for (const [email, contact] of optedOut) {
    const free = otherSpellings(email).filter((other) => !subscribed.has(other) && !spelled.has(other));
    free.forEach((other) => spelled.set(other, contact));
  }
  return spelled;
}

/** True if only an exact count of new people shows whether the free plan's cap holds. */
function capMatters(accountTotal: number, audience: Audience | undefined, { survey, options }: SnapshotQuery): boolean {
  const room = LIMITS.freePlanSubscribers - accountTotal;
  const there = audience?.contact_counts?.total ?? 0;
  const mayBeFree = options.plan !== 'paid' && (options.plan === 'free' || room >= 0);
  return mayBeFree && survey.contacts > room && survey.contacts - there <= room;
}

async function peopleIn({ client, signal }: SnapshotSource, audienceId: string): Promise<Set<string>> {
  const present = new Set<string>();
  for await (const page of listContacts(client, audienceId, { signal })) {
    for (const contact of page) {
      present.add(personKey(canonicalEmail(contact)));
    }
  }
  return present;
}

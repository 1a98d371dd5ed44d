import { ApiError } from '../../api/api-error.ts';
import type { Client } from '../../api/client.ts';
import { type CountedAudience, getAudience, listAudiences } from '../../api/resources/audiences.ts';
import { listAutomations } from '../../api/resources/automations.ts';
import { listContacts } from '../../api/resources/contacts.ts';
import { type Clock, timeSince } from '../../base/lib/clock.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Audience, Automation, Contact } from '../../wire/shapes.ts';
import { type ImportOptions, writesOf } from '../options.ts';

/** What a few reads of the account say before anything is written. */
export interface AccountSnapshot {
  /** The target with its counts; undefined while it is still to be created. */
  readonly audience: Audience | undefined;
  /** How long ago the account was asked, in milliseconds. */
  readonly sinceAsked: () => number;
  /** Sum of `contact_counts.total` over all audiences (rule P2), counted as far as it can matter. */
  readonly accountTotal: number;
  /** Flows that fire as people join the target, whatever their sandbox mark (rule M3). */
  readonly joinFlows: readonly Automation[];
  /** Attribute keys that the first page of the target's contacts shows. */
  readonly shownKeys: ReadonlySet<string>;
  /** People who left the target and may be in the list, from up to ten pages. */
  readonly left: readonly Contact[];
  /** True where people left the target who stand beyond those pages. */
  readonly othersLeft: boolean;
  /** Addresses in the target; only read where the plan cap makes it matter. */
  readonly present: ReadonlySet<string> | undefined;
}

const LEFT_PAGES = 10;

interface Asking {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** For what the account is read. */
export interface SnapshotQuery {
  /** Undefined while the audience is still to be created, or where none is needed. */
  readonly target: Audience | undefined;
  readonly survey: Survey;
  readonly options: ImportOptions;
}

/** Reads the account: audiences and their counts, flows, and a look at the target's contacts. */
export async function fetchSnapshot(asking: Asking, question: SnapshotQuery): Promise<AccountSnapshot> {
  const { client, signal, clock } = asking;
  const sinceAsked = timeSince(clock);
  const { target, survey } = question;
  if (!writesOf(question.options.command).contacts) {
    return NOTHING_ASKED;
  }
  const audience = target && (await getAudience(client, target.id, { signal }));
  const accountTotal = await sumContacts(asking, question.options.plan);
  const look = audience ? await lookAtContacts(asking, audience, survey) : NOBODY;
  const near = capMatters(accountTotal, audience, question);
  return {
    audience,
    sinceAsked,
    accountTotal,
    joinFlows: audience ? await joinFlowsOf(asking, audience.id) : [],
    ...look,
    present: near && audience ? await addressesIn(asking, audience.id) : undefined,
  };
}

/** Suppressions are written whatever the audiences, flows and plan of the account are. */
const NOTHING_ASKED: AccountSnapshot = {
  audience: undefined,
  sinceAsked: () => Number.POSITIVE_INFINITY,
  accountTotal: 0,
  joinFlows: [],
  shownKeys: new Set(),
  left: [],
  othersLeft: false,
  present: undefined,
};

/** Every flow over the audience that starts as people join it and is not draft or archived; all pages are read. */
export async function joinFlowsOf(
  { client, signal }: Omit<Asking, 'clock'>,
  audienceId: string,
): Promise<Automation[]> {
  const flows: Automation[] = [];
  for await (const automation of listAutomations(client, { signal })) {
    if (automation.trigger === 'audience_join' && automation.audience_id === audienceId && isLive(automation)) {
      flows.push(automation);
    }
  }
  return flows;
}

// A status we have never heard of counts as live: a flow that fires by surprise can't be called back.
function isLive(automation: Automation): boolean {
  return automation.status !== 'draft' && automation.status !== 'archived';
}

/** A paid plan has no cap, and beyond the cap an account isn't free: there is no need to count on. */
async function sumContacts(asking: Asking, plan: ImportOptions['plan']): Promise<number> {
  let total = 0;
  if (plan === 'paid') {
    return total;
  }
  for await (const audience of listAudiences(asking.client, asking)) {
    total += await countContacts(asking, audience.id);
    if (total > LIMITS.freePlanSubscribers && plan !== 'free') {
      return total;
    }
  }
  return total;
}

/** None where the audience was deleted since it was listed. */
async function countContacts({ client, signal }: Asking, id: string): Promise<number> {
  try {
    return (await getAudience(client, id, { signal })).contact_counts.total;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return 0;
    }
    throw error;
  }
}

type Look = Pick<AccountSnapshot, 'shownKeys' | 'left' | 'othersLeft'>;

const NOBODY: Look = { shownKeys: new Set(), left: [], othersLeft: false };

async function lookAtContacts({ client, signal }: Asking, audience: CountedAudience, survey: Survey): Promise<Look> {
  const shownKeys = new Set<string>();
  const left: Contact[] = [];
  let pages = 0;
  let out = 0;
  if (audience.contact_counts.total === 0) {
    return NOBODY;
  }
  for await (const page of listContacts(client, audience.id, { signal })) {
    if (pages === 0) {
      keysOf(page).forEach((key) => shownKeys.add(key));
    }
    out += page.filter((contact) => contact.status === 'unsubscribed').length;
    for (const contact of page) {
      if (contact.status !== undefined && contact.status !== 'subscribed' && survey.mayHold(contact.email)) {
        left.push(contact);
      }
    }
    pages += 1;
    if (pages === LEFT_PAGES) {
      break;
    }
  }
  return { shownKeys, left, othersLeft: pages === LEFT_PAGES && audience.contact_counts.unsubscribed > out };
}

function keysOf(page: readonly Contact[]): string[] {
  return page.flatMap((contact) => Object.keys(contact.attributes ?? {}));
}

/** True when only an exact count of new people can tell whether the free plan's cap holds. */
function capMatters(accountTotal: number, audience: Audience | undefined, { survey, options }: SnapshotQuery): boolean {
  const room = LIMITS.freePlanSubscribers - accountTotal;
  const there = audience?.contact_counts?.total ?? 0;
  const asked = options.plan !== 'paid' && (options.plan === 'free' || room >= 0);
  return asked && survey.contacts > room && survey.contacts - there <= room;
}

async function addressesIn({ client, signal }: Asking, audienceId: string): Promise<Set<string>> {
  const present = new Set<string>();
  for await (const page of listContacts(client, audienceId, { signal })) {
    for (const contact of page) {
      present.add(contact.email);
    }
  }
  return present;
}

/** A service that treats or shows people in another way than svc expects. */

import type { Transport, WireRequest, WireResponse } from '../../../src/base/context.ts';
import type { Emulator } from '../../../src/emulator/emulator.ts';
import type { ContactCounts } from '../../../src/wire/shapes.ts';

/** What is unexpected about a service. The document does not clearly exclude any of it. */
export interface Lie {
  /** The statuses of people whom the service signs up if they are sent without a status. */
  readonly signsUp: readonly string[];
  /** The status that these people get. `pending`: the service asks them to confirm. */
  readonly newStatus: 'subscribed' | 'pending';
  /** The statuses of people whom the lists of contacts do not show. */
  readonly hidden: readonly string[];
  /** Which people the counts of an audience leave out of the total, or count as unsubscribed. */
  readonly counts: keyof typeof COUNTS;
  /** The effect on statuses comes this many requests later. */
  readonly lag: number;
}

const COUNTS = {
  'all people': (counts) => counts,
  'confirmed people': ({ subscribed, unsubscribed }) => ({
    subscribed,
    unsubscribed,
    total: subscribed + unsubscribed,
  }),
  'subscribed people': (counts) => ({ ...counts, total: counts.subscribed }),
  'others as unsubscribed': (counts) => ({ ...counts, unsubscribed: counts.total - counts.subscribed }),
} satisfies Record<string, (counts: ContactCounts) => ContactCounts>;

export const WAYS_TO_COUNT = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/** Wraps the transport to an emulated service. The emulator must keep the status of people who are sent without one. */
export function withLie({ admin }: Emulator, inner: Transport, lie: Lie): Transport {
  let requests = 0;
  let due: readonly { readonly at: number; readonly act: () => void }[] = [];
  const actWhatIsDue = () => {
    const [now, later] = [due.filter(({ at }) => at <= requests), due.filter(({ at }) => at > requests)];
    due = later;
    now.forEach(({ act }) => act());
  };
  const signUp = (people: readonly Person[]) => {
    for (const { email, status } of people) {
      if (admin.contact(email)?.status === status) {
        admin.setStatus(email, lie.newStatus);
      }
    }
  };
  const stampOf = (email: string) => admin.contact(email)?.updated_at;
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      requests += 1;
      const contacts = sentContacts(request);
      const before = new Map(contacts.map(({ email }) => [email, stampOf(email)]));
      const atRisk = peopleAtRisk(admin, lie, contacts);
      let refused: ReadonlySet<string> | undefined;
      try {
        const response = await inner.send(request, signal);
        refused = isFresh(response) ? refusedIn(response, contacts) : undefined;
        return disguised(lie, request, response);
      } finally {
        // A request without a response may have had its effect too.
        const hadEffect = refused !== undefined || contacts.some(({ email }) => stampOf(email) !== before.get(email));
        const signedUp = hadEffect ? atRisk.filter(({ email }) => !refused?.has(email)) : [];
        due = [...due, { at: requests + lie.lag, act: () => signUp(signedUp) }];
        actWhatIsDue();
      }
    },
  };
}

interface Person {
  readonly email: string;
  readonly status?: string;
}

function peopleAtRisk(admin: Emulator['admin'], { signsUp, newStatus }: Lie, contacts: readonly Person[]): Person[] {
  return contacts.flatMap(({ email, status: sent }) => {
    const { status = '' } = admin.contact(email) ?? {};
    return sent === undefined && signsUp.includes(status) && status !== newStatus ? [{ email, status }] : [];
  });
}

function sentContacts({ method, url, body }: WireRequest): readonly Person[] {
  const isBatch = method === 'POST' && url.pathname.endsWith('/contacts/batch');
  return isBatch ? (JSON.parse(String(body)) as { readonly contacts: readonly Person[] }).contacts : [];
}

// A replay repeats a stored response and writes nothing.
function isFresh({ status, headers }: WireResponse): boolean {
  return status === 200 && headers['idempotency-replayed'] !== 'true';
}

/** The people whose rows the response refuses. */
function refusedIn({ body }: WireResponse, contacts: readonly Person[]): ReadonlySet<string> {
  const { results = [] } = contacts.length === 0 ? {} : (JSON.parse(String(body)) as BatchResponse);
  const failed = results.filter(({ status }) => status === 'failed');
  return new Set(failed.map(({ index }) => contacts[index]?.email ?? ''));
}

interface BatchResponse {
  readonly results?: readonly { readonly index: number; readonly status: string }[];
}

function disguised({ hidden, counts }: Lie, { method, url }: WireRequest, response: WireResponse): WireResponse {
  if (method !== 'GET' || response.status !== 200) {
    return response;
  }
  const withBody = (change: (body: ReturnType<typeof JSON.parse>) => unknown) => ({
    ...response,
    body: Buffer.from(JSON.stringify(change(JSON.parse(String(response.body))))),
  });
  if (/\/contacts$/.test(url.pathname)) {
    const isShown = ({ status }: { readonly status: string }) => !hidden.includes(status);
    return withBody((body) => ({ ...body, data: body.data.filter(isShown) }));
  }
  return /\/audiences\/[^/]+$/.test(url.pathname)
    ? withBody((body) => ({ ...body, contact_counts: COUNTS[counts](body.contact_counts) }))
    : response;
}

/** Observes each request on its way to the service, and checks the rules for every client. */

import type { Transport, WireRequest, WireResponse } from '../../../src/base/context.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../random.ts';

/** One request, as observed before the service. */
export interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  /** Undefined while in flight, and without a complete response. */
  status: number | undefined;
}

/** An observer of all requests, and its results. */
export interface Observer {
  readonly requests: ObservedRequest[];
  /** Descriptions of broken rules. */
  readonly broken: string[];
  /** Every address that a request wrote or enrolled, in canonical form. */
  readonly sent: ReadonlySet<string>;
  /** Sent addresses, without those whose requests were all refused with an error of the service. */
  readonly maybeWritten: ReadonlySet<string>;
  /** Sent addresses that were in a canary, or in a proof of --explicit-status. */
  readonly canary: ReadonlySet<string>;
  /** Sent addresses that were in a canary. */
  readonly probes: ReadonlySet<string>;
  /**
   * A slow transport to the service for one process. The rules hold for each process, because a new one knows nothing.
   */
  open(): Transport;
}

export interface Wire {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly inner: Transport;
  /** Called around every request, to play what other people change meanwhile. */
  readonly meanwhile: () => void;
  /** Called after every possible write. */
  readonly notice: () => void;
  /** Called with every address that a request opts out, before it is sent. */
  readonly optsOut: (email: string) => void;
  readonly trace?: ((line: string) => void) | undefined;
}

/** Wraps the transport and checks the duties of every client, independent of the result of its run. */
export function watchWire({ clock, random, inner, meanwhile, notice, optsOut, trace }: Wire): Observer {
  const requests: ObservedRequest[] = [];
  const broken: string[] = [];
  const bodies = new Map<string, string>();
  const sent = new Set<string>();
  const maybeWritten = new Set<string>();
  const canary = new Set<string>();
  const probes = new Set<string>();

  const open = (): Transport => {
    const underWay = new Set<string>();
    let closedUntil = 0;
    const check = (request: WireRequest) => {
      const key = request.headers['idempotency-key'];
      if (clock.now() < closedUntil) {
        broken.push(`P4: a request ${closedUntil - clock.now()} ms before the Retry-After ended`);
      }
      if ((request.method === 'POST') !== (key !== undefined)) {
        broken.push(`I9: ${request.method} ${key === undefined ? 'without' : 'with'} a key`);
      }
      if (key !== undefined) {
        checkKey(key, request);
      }
      addressesIn(request).forEach((email) => sent.add(email));
      if (key?.startsWith('svc1.canary.')) {
        addressesIn(request).forEach((email) => probes.add(email));
      }
      if (key?.startsWith('svc1.canary.') || key?.startsWith('svc1.upsert.')) {
        addressesIn(request).forEach((email) => canary.add(email));
      }
      const batch = batchOf(request);
      batch?.contacts.filter(({ status }) => status === 'unsubscribed').forEach(({ email }) => optsOut(email));
      // A batch with `subscribed` would sign up people who opted out meanwhile.
      if (batch?.upsert && batch.contacts.some(({ status }) => status === 'subscribed')) {
        broken.push('C1: an upsert carries the status subscribed');
      }
    };
    const checkKey = (key: string, { url, body }: WireRequest) => {
      const same = `${url.pathname} ${body?.toString()}`;
      if (underWay.has(key)) {
        broken.push('I5: two attempts of one key at once');
      }
      if ((bodies.get(key) ?? same) !== same) {
        broken.push('I8: one key, two bodies');
      }
      bodies.set(key, same);
    };
    const learn = (response: WireResponse) => {
      const wait = response.status === 429 ? retryAfterMs(response) : undefined;
      closedUntil = Math.max(closedUntil, clock.now() + (wait ?? 0));
    };
    return {
      close: () => inner.close(),
      send: async (request, signal) => {
        check(request);
        const key = request.headers['idempotency-key'] ?? `GET ${requests.length}`;
        underWay.add(key);
        const people = addressesIn(request).filter((email) => !maybeWritten.has(email));
        people.forEach((email) => maybeWritten.add(email));
        const seen: ObservedRequest = { method: request.method, path: request.url.pathname, status: undefined };
        try {
          await clock.sleep(random.int(1, 60), signal);
          requests.push(seen);
          meanwhile();
          const writes = request.method !== 'GET';
          if (writes) {
            notice();
          }
          const response = await inner.send(request, signal).finally(writes ? notice : undefined);
          seen.status = response.status;
          meanwhile();
          await clock.sleep(random.int(1, 60), signal);
          learn(response);
          if (isRefusal(response)) {
            people.forEach((email) => maybeWritten.delete(email));
          }
          return response;
        } finally {
          underWay.delete(key);
          trace?.(
            `${new Date(clock.now()).toISOString()} ${seen.method} ${seen.path} ${seen.status} ${key.slice(-24)}`,
          );
        }
      },
    };
  };
  return { requests, broken, sent, maybeWritten, canary, probes, open };
}

/**
 * `Retry-After` as the rule reads it: digits, or a date less the `Date` of the response. Undefined for anything else.
 */
function retryAfterMs({ headers }: WireResponse): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d+$/.test(text)) {
    return Number(text) * 1_000;
  }
  const ms = /GMT$/.test(text) ? Date.parse(text) - Date.parse(headers.date ?? '') : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** True for an error response that shows that the request had no effect. */
function isRefusal({ status, headers, body }: WireResponse): boolean {
  const isClear = status >= 400 && status < 500 && headers['content-type']?.includes('json') === true;
  return isClear && !/"code":"(idempotency_conflict|internal_error)"/.test(body.toString());
}

/** The people to whom a request writes. A name or another field may look like an address, too. */
function addressesIn({ method, body }: WireRequest): string[] {
  const { email, emails = [], contacts = [] } = (method === 'POST' && body ? JSON.parse(String(body)) : {}) as People;
  const people = [...emails, ...contacts.map((contact) => contact.email), ...(email === undefined ? [] : [email])];
  return people.map((address) => address.toLowerCase());
}

/** The bodies of suppressions, contacts and enrollments. */
interface People {
  readonly email?: string;
  readonly emails?: readonly string[];
  readonly contacts?: Batch['contacts'];
}

interface Batch {
  readonly upsert: boolean;
  readonly contacts: readonly { readonly email: string; readonly status?: string }[];
}

function batchOf({ method, url, body }: WireRequest): Batch | undefined {
  return method === 'POST' && url.pathname.endsWith('/contacts/batch') ? JSON.parse(String(body)) : undefined;
}

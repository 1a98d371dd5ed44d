import type { Transport, WireRequest, WireResponse } from '../../../src/base/context.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

/** Checks how long a key of a creation is used (rules I3, I4), over all programs. */
export interface Window {
  /** Broken rules, in words. */
  readonly broken: string[];
  /**
   * The transport of one program. With a wrong clock it can't know when the previous program sent. `death` aborts when
   * the program is killed.
   */
  open(inner: Transport, skewed: boolean, death: AbortSignal): Transport;
}

const START_MS = 270_000;
const CLOSE_MS = 290_000;
// A program whose clock is ahead may record a killed first attempt as up to a minute too young.
const TAKEN_OVER_MS = 296_000;
// Tolerance of the checks: `Date` has whole seconds, and the network takes time.
const SLACK_MS = 2_000;

// 4xx statuses that are no final refusal.
const AGAIN = [408, 409, 425, 429];

/** Watches the keys of creations by the service's own clock. */
export function watchWindow(clock: ManualClock): Window {
  const broken: string[] = [];
  const firstEver = new Map<string, number>();
  const firstTried = new Map<string, number>();
  const keyOf = new Map<string, string>();
  let diedUnsent: number | undefined;

  const open = (inner: Transport, skewed: boolean, death: AbortSignal): Transport => {
    const openedAt = clock.now();
    const begun = new Map<string, number>();
    let looked = false;

    // A program that is killed before the first byte may have recorded an intent that no request shows.
    const die = () => {
      if (begun.size === 0) {
        diedUnsent ??= openedAt;
      }
    };
    death.addEventListener('abort', die, { once: true });

    // After a search for the endpoint, svc may send its key in a new window (rule W1).
    const begin = (key: string) => {
      const now = clock.now();
      const ever = firstEver.get(key) ?? now;
      firstTried.set(key, firstTried.get(key) ?? diedUnsent ?? now);
      const anew = looked && (skewed || now - (firstTried.get(key) ?? now) > START_MS);
      begun.set(key, begun.get(key) ?? (anew || skewed ? now : ever));
      return begun.get(key) ?? now;
    };
    // A request with a 429 had no effect. After a refusal, the next request with the key counts as the first. After an
    // unknown outcome, the time of the first attempt still counts.
    const finish = (key: string, status: number | undefined, startedAt: number) => {
      if (status === 429 && begun.get(key) === startedAt) {
        begun.delete(key);
      } else if (status !== undefined && status >= 400 && status < 500 && !AGAIN.includes(status)) {
        [begun, firstEver].forEach((times) => times.delete(key));
      } else if (!firstEver.has(key)) {
        firstEver.set(key, startedAt);
      }
    };
    const keyed = async (key: string, request: WireRequest, signal: AbortSignal) => {
      const startedAt = clock.now();
      const age = startedAt - begin(key);
      if (age > (skewed ? TAKEN_OVER_MS : START_MS) + SLACK_MS) {
        broken.push(`I4: a creation is repeated after ${age} ms`);
      }
      let status: number | undefined;
      try {
        const response = await inner.send(request, signal);
        ({ status } = response);
        keyOf.set(idIn(response), key);
        return response;
      } finally {
        const lasted = clock.now() - (begun.get(key) ?? startedAt);
        if (lasted > CLOSE_MS + SLACK_MS) {
          broken.push(`I3: a creation is waited for after ${lasted} ms`);
        }
        finish(key, status, startedAt);
      }
    };
    // If an object is gone, its creation has a known outcome. Then the next request with the key counts as the first.
    const observe = async (request: WireRequest, signal: AbortSignal) => {
      const response = await inner.send(request, signal);
      const gone = response.status === 404 ? keyOf.get(request.url.pathname.split('/').at(-1) ?? '') : undefined;
      [begun, firstEver, firstTried].forEach((times) => times.delete(gone ?? ''));
      return response;
    };
    return {
      close: () => inner.close(),
      send: (request, signal) => {
        const key = request.headers['idempotency-key'];
        looked ||= request.method === 'GET';
        return key === undefined ? observe(request, signal) : keyed(key, request, signal);
      },
    };
  };
  return { broken, open };
}

/** The id of the created object in a response, or an empty text. */
function idIn({ body }: WireResponse): string {
  return /"id":\s*"(\w+)"/.exec(String(body))?.[1] ?? '';
}

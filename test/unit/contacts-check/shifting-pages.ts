import type { Transport } from '../../../src/base/context.ts';
import type { World } from '../../support/world.ts';

/** True for the path of a page of contacts. */
export const isPage = (path: string) => /\/contacts\?/.test(path);

/** Calls `act` before the request for this page. */
export function beforePage(page: number, act: () => void): (inner: Transport) => Transport {
  let pages = 0;
  return (inner) => ({
    ...inner,
    send: (request, signal) => {
      if (isPage(request.url.href)) {
        pages += 1;
        if (pages === page) {
          act();
        }
      }
      return inner.send(request, signal);
    },
  });
}

/**
 * Serves the contacts by position, not by cursor, so pages shift when people come and go. `show` can leave people out.
 */
export function byPosition(
  world: World,
  show = (_: { readonly email: string }) => true,
): (inner: Transport) => Transport {
  return (inner) => ({
    ...inner,
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (!isPage(request.url.href)) {
        return response;
      }
      const from = Number(request.url.searchParams.get('after') ?? 0);
      const all = world.emulator.admin.contacts().filter(show);
      const data = all.slice(from, from + 100).map((row) => ({
        id: `sub_${row.seq}`,
        object: 'contact',
        email: row.email,
        first_name: row.first_name,
        status: row.status,
      }));
      const more = from + 100 < all.length;
      const body = { data, has_more: more, next_cursor: more ? String(from + 100) : null };
      return { ...response, status: 200, body: Buffer.from(JSON.stringify(body)) };
    },
  });
}

/** Several transports, one around the other. */
export const chain =
  (...steps: readonly ((inner: Transport) => Transport)[]) =>
  (inner: Transport) =>
    steps.reduce((made, step) => step(made), inner);

import { describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import { listAudiences } from '../../../../src/api/resources/audiences.ts';
import { listContacts } from '../../../../src/api/resources/contacts.ts';
import { listSuppressions } from '../../../../src/api/resources/suppressions.ts';
import { listDeliveries } from '../../../../src/api/resources/webhooks.ts';
import type { WireRequest } from '../../../../src/base/context.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { json, play } from '../service.ts';

const audience = (n: number) => ({ id: `aud_${n}`, object: 'audience', name: `n${n}`, created_at: 'c', later: n });
const page = (ns: number[], next: unknown, more = next !== null) =>
  json(200, { data: ns.map(audience), has_more: more, next_cursor: next });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) {
    out.push(item);
  }
  return out;
}

describe('lists in pages (L1)', () => {
  test('reads a list in pages to its end and keeps unknown fields (O6)', async () => {
    const pages = [page([3, 2], 'c/+ 1='), page([1], 'c2'), page([0], null)];
    const { client, seen, run } = play((_, n) => pages[n] ?? json(500, {}));
    expect(await run(all(listAudiences(client)))).toEqual([3, 2, 1, 0].map(audience));
    expect(seen.map(({ request }) => request.url.search)).toEqual([
      '?limit=100',
      '?limit=100&after=c%2F%2B%201%3D',
      '?limit=100&after=c2',
    ]);
  });

  test('stops reading pages when has_more is false, whatever the cursor says', async () => {
    const { client, seen, run } = play(() => page([1], 'c1', false));
    await run(all(listAudiences(client)));
    expect(seen.length).toBe(1);
  });

  test('reads the next page of a list only on demand', async () => {
    const { client, seen, run } = play(() => page([1], 'c1'));
    const list = listAudiences(client, { limit: 1 });
    await run(list.next());
    await run(list.return(undefined));
    expect(seen.map(({ request }) => request.url.search)).toEqual(['?limit=1']);
  });

  test.each([
    ['an empty page with has_more', [page([], 'c1')]],
    ['has_more with a null cursor', [page([1], null, true)]],
    ['has_more with an empty cursor', [page([1], '')]],
    ['a cursor that is a number', [page([1], 7)]],
    ['a repeated cursor', [page([1], 'c1'), page([2], 'c2'), page([3], 'c1')]],
    ['a page with the entries of an earlier page', [page([1, 2], 'c1'), page([2, 1], 'c2')]],
    ['a page without has_more', [json(200, { data: [] })]],
    ['a page without data', [json(200, { has_more: false, next_cursor: null })]],
    ['an entry without its id', [json(200, { data: [{ name: 'n' }], has_more: false, next_cursor: null })]],
  ])('reports %s as an error and reads no further page', async (_, pages) => {
    const { client, seen, run } = play((__, n) => pages[n] ?? page([9], null));
    await expect(run(all(listAudiences(client)))).rejects.toMatchObject({
      exit: EXIT.failed,
      code: 'unexpected_answer',
    });
    expect(seen.length).toBe(pages.length);
  });

  // A service with an endless list, and new entries on each page.
  const endless = (limit: number) => (request: WireRequest, n: number) =>
    request.url.pathname.endsWith('/contacts')
      ? json(200, { data: entries(n, limit), has_more: true, next_cursor: `c${n}` })
      : json(200, { ...audience(1), contact_counts: { total: 500, subscribed: 500, unsubscribed: 0 } });
  const entries = (n: number, limit: number) =>
    Array.from({ length: limit }, (_, index) => ({ id: `con_${n}_${index}`, email: `p${n}.${index}@example.com` }));

  test('reports an error when a list has far more entries than the count', async () => {
    const { client, seen, run } = play(endless(100));
    await expect(run(all(listContacts(client, 'aud_1')))).rejects.toMatchObject({
      exit: EXIT.failed,
      message: expect.stringContaining('counts 500 entries, but 11100 were listed'),
    });
    expect(seen.filter(({ request }) => request.url.pathname.endsWith('/contacts'))).toHaveLength(111);
    expect(seen).toHaveLength(112);
  });

  test.each([
    ['1,000 pages of a short list', (client: Client) => listAudiences(client), 1_000],
    ['100,000 pages of a long list', (client: Client) => listSuppressions(client), 100_000],
  ])('reports an error after %s when the list has no count', async (_, list, most) => {
    let pages = 0;
    const get = async () => {
      pages += 1;
      // The list ends somewhere, so that this test ends too when svc has no limit.
      return { data: [audience(pages)], has_more: pages < 2 * most, next_cursor: `c${pages}` };
    };
    const { client } = play(() => page([], null));
    await expect(all<unknown>(list({ ...client, get }))).rejects.toMatchObject({
      exit: EXIT.failed,
      message: expect.stringContaining(`${most} pages were read`),
    });
    expect(pages).toBe(most);
  });

  // Lists contacts on pages of these sizes, and then an empty page. Returns how often svc reads a page and the count.
  const readsOf = async (count: number, sizes: readonly number[]) => {
    const reads = { pages: 0, counts: 0 };
    const get = async (segments: readonly string[]) => {
      if (!segments.includes('contacts')) {
        reads.counts += 1;
        return { ...audience(1), contact_counts: { total: count, subscribed: count, unsubscribed: 0 } };
      }
      const size = sizes[reads.pages];
      reads.pages += 1;
      const more = size !== undefined;
      return { data: entries(reads.pages, size ?? 0), has_more: more, next_cursor: more ? `c${reads.pages}` : null };
    };
    const { client } = play(() => page([], null));
    await all(listContacts({ ...client, get }, 'aud_1')).catch(() => undefined);
    return reads;
  };
  const pagesOf500 = (pages: number) => Array<number>(pages).fill(500);

  // The limit is 10,000 entries more than twice the count.
  test.each([
    ['reads on when a list has as many entries as the limit', 5, 510, 21],
    ['stops when a list has one entry more than the limit', 5, 511, 20],
  ])('limits the entries of a list to twice the count plus 10,000: %s', async (_, count, last, pages) => {
    expect(await readsOf(count, [...pagesOf500(19), last])).toEqual({ pages, counts: 1 });
  });

  test.each([
    [20, 0],
    [21, 1],
    [30, 1],
  ])('for a list of %i pages, reads the count of its entries %i times', async (pages, counts) => {
    expect(await readsOf(100_000, pagesOf500(pages - 1))).toEqual({ pages, counts });
  });

  test.each([
    ['stops at a repeated entry that is the 100,000th newest', 0, 1_001],
    ['reads on at a repeated entry that is older than 100,000 others', 1, 1_003],
  ])('finds a repeat only among the newest 100,000 entries of a list: %s', async (_, between, read) => {
    const first = { id: 'sup_1_0' };
    const suppressions = (n: number, size: number) =>
      Array.from({ length: size }, (__, at) => ({ id: `sup_${n}_${at}` }));
    let pages = 0;
    const get = async () => {
      pages += 1;
      const isRepeat = pages === 1_001 + between;
      const data = isRepeat ? [first] : suppressions(pages, pages <= 1_000 ? 100 : 1);
      return { data, has_more: pages < 1_003, next_cursor: `c${pages}` };
    };
    const { client } = play(() => page([], null));
    await all(listSuppressions({ ...client, get })).catch(() => undefined);
    expect(pages).toBe(read);
  });

  test('reads a list of suppressions with more than 1,000 pages (L1)', async () => {
    let pages = 0;
    const get = async () => {
      pages += 1;
      const more = pages < 1_200;
      return { data: [{ id: `sup_${pages}` }], has_more: more, next_cursor: more ? `c${pages}` : null };
    };
    const { client } = play(() => page([], null));
    expect(await all(listSuppressions({ ...client, get }))).toHaveLength(1_200);
  });

  test.each([0, 101, 1.5, Number.NaN])('refuses a page size of %d as a usage error', async (limit) => {
    const { client, seen, run } = play(() => page([], null));
    await expect(run(all(listAudiences(client, { limit })))).rejects.toMatchObject({ exit: EXIT.usage });
    expect(seen).toEqual([]);
  });
});

const DELIVERY = {
  ...{ id: 'whd_1', event_type: 'email.bounced', status: 'failed', event_id: 'evt_1', attempt: 1 },
  ...{ response_status: 500, error: null, duration_ms: 9, next_attempt_at: null, delivered_at: null, created_at: 'c' },
};

test.each(Object.keys(DELIVERY))(
  'reports an unexpected response when %s of a delivery is an array (O4)',
  async (field) => {
    const pageOf = (delivery: object) => json(200, { data: [delivery], has_more: false, next_cursor: null });
    const list = ({ client, run }: ReturnType<typeof play>) => run(all(listDeliveries(client, 'whe_1', {})));
    expect(await list(play(() => pageOf(DELIVERY)))).toEqual([DELIVERY]);
    const broken = play(() => pageOf({ ...DELIVERY, [field]: ['x'] }));
    await expect(list(broken)).rejects.toMatchObject({ code: 'unexpected_answer' });
  },
);

import { expect, test } from 'vitest';
import { type Service, startService } from '../service.ts';

/** How to add an item to a list, and the path of that list. */
interface ListCase {
  readonly title: string;
  make(service: Service, number: number): Promise<unknown> | unknown;
  path(service: Service): Promise<string> | string;
}

const post = ({ ask }: Service, path: string, body: object) => ask('POST', path, { body });
const hook = (number: number) => ({ url: `https://hooks.example.com/${number}`, events: ['suppression.created'] });
const suppress = (service: Service, number: number) =>
  post(service, '/v1/suppressions', { reason: 'bounced', emails: [`s${number}@example.com`] });

const LISTS: readonly ListCase[] = [
  {
    title: '/v1/automations',
    make: ({ emulator }, number) => emulator.admin.createAutomation({ name: `n${number}` }),
    path: () => '/v1/automations',
  },
  {
    title: '/v1/audiences',
    make: (service, number) => (number === 0 ? undefined : post(service, '/v1/audiences', { name: `n${number}` })),
    path: () => '/v1/audiences',
  },
  {
    title: 'contacts',
    make: ({ emulator }, number) => emulator.admin.addContacts([{ email: `c${number}@example.com` }]),
    path: ({ audience }) => `/v1/audiences/${audience}/contacts`,
  },
  { title: '/v1/suppressions', make: suppress, path: () => '/v1/suppressions' },
  {
    title: '/v1/webhooks',
    make: (service, number) => post(service, '/v1/webhooks', hook(number)),
    path: () => '/v1/webhooks',
  },
  {
    title: 'deliveries',
    async make(service, number) {
      if (number === 0) {
        await post(service, '/v1/webhooks', hook(0));
      }
      await suppress(service, number);
    },
    path: async ({ ask }) => `/v1/webhooks/${(await ask('GET', '/v1/webhooks')).json.data[0].id}/deliveries`,
  },
];

test.each(LISTS)('Pagination: lists $title newest first, in pages of any size', async ({ make, path }) => {
  const service = await startService({ sendWebhook: async () => 200 });
  for (let number = 0; number < 5; number += 1) {
    await make(service, number);
    await service.clock.advance(1_000);
  }
  const at = await path(service);
  const whole = (await service.ask('GET', at)).json;
  const times = whole.data.map((item: { created_at: string }) => item.created_at);
  expect([whole.has_more, whole.next_cursor, times.length]).toEqual([false, null, 5]);
  expect(times).toEqual([...times].sort().reverse());
  const paged = [];
  for (let after = ''; ; ) {
    const { json } = await service.ask('GET', `${at}?limit=2${after}`);
    paged.push(...json.data);
    if (!json.has_more) {
      break;
    }
    after = `&after=${encodeURIComponent(json.next_cursor)}`;
  }
  expect(paged).toEqual(whole.data);
});

test.each(LISTS)('Pagination: refuses a limit of 0 and of 101 for $title', async ({ make, path }) => {
  const service = await startService({ sendWebhook: async () => 200 });
  await make(service, 0);
  const at = await path(service);
  const refused = ['0', '101'].map(
    async (limit) => (await service.ask('GET', `${at}?limit=${limit}`)).json.error.param,
  );
  expect(await Promise.all(refused)).toEqual(['limit', 'limit']);
});

test('Pagination: sorts items of the same millisecond by id, newest first', async () => {
  const { ask, emulator } = await startService();
  const made = [1, 2, 3].map((number) => emulator.admin.createAutomation({ name: `n${number}` }));
  const listed = (await ask('GET', '/v1/automations')).json.data.map(({ id }: { id: string }) => id);
  expect(listed).toEqual([...made].reverse());
  expect(listed).toEqual([...listed].sort().reverse());
});

import { expect, test } from 'vitest';
import { people, type Service, startService } from '../service.ts';

async function withPeople(count: number): Promise<Service & { path: string }> {
  const service = await startService();
  service.emulator.admin.addContacts(people(count));
  return { ...service, path: `/v1/audiences/${service.audience}/contacts` };
}

test('Pagination: returns the newest 50 items when the request has no limit', async () => {
  const { ask, path } = await withPeople(51);
  const { json } = await ask('GET', path);
  expect([json.data.length, json.data[0].email, json.has_more]).toEqual([50, 'p50@example.com', true]);
});

test('Pagination: returns every item once and a null cursor at the end', async () => {
  const { ask, path } = await withPeople(25);
  const seen: string[] = [];
  let after = '';
  for (let page = 0; page < 5; page += 1) {
    const { json } = await ask('GET', `${path}?limit=10${after}`);
    seen.push(...json.data.map((contact: { email: string }) => contact.email));
    if (!json.has_more) {
      expect(json.next_cursor).toBeNull();
      break;
    }
    after = `&after=${encodeURIComponent(json.next_cursor)}`;
  }
  expect(seen).toEqual(
    people(25)
      .map(({ email }) => email)
      .reverse(),
  );
});

test('Pagination: returns has_more false when the last page is full', async () => {
  const { ask, path } = await withPeople(10);
  const { json } = await ask('GET', `${path}?limit=10`);
  expect([json.data.length, json.has_more, json.next_cursor]).toEqual([10, false, null]);
});

test('Pagination: keeps the pages in order when items are added meanwhile', async () => {
  const { ask, path, emulator } = await withPeople(4);
  const first = (await ask('GET', `${path}?limit=2`)).json;
  emulator.admin.addContacts(people(3, 100));
  const second = (await ask('GET', `${path}?limit=2&after=${encodeURIComponent(first.next_cursor)}`)).json;
  expect(second.data.map(({ email }: { email: string }) => email)).toEqual(['p1@example.com', 'p0@example.com']);
});

test.each(['0', '101', '-1', 'ten', '1.5', ''])(
  'Pagination: responds with 400 invalid_request when the limit is %s',
  async (limit) => {
    const { ask, path } = await withPeople(1);
    const { status, json } = await ask('GET', `${path}?limit=${limit}`);
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_request', 'limit']);
  },
);

test('Pagination: responds with 400 invalid_request when the cursor is unknown', async () => {
  const { ask, path } = await withPeople(1);
  const { status, json } = await ask('GET', `${path}?after=nonsense`);
  expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_request', 'after']);
});

import { expect, test } from 'vitest';
import { people, startService } from '../service.ts';

const START = '2026-01-01T00:00:00.000Z';

test('Audiences: returns a new audience with 201, without contact_counts', async () => {
  const { ask } = await startService();
  const { status, json } = await ask('POST', '/v1/audiences', { body: { name: 'Readers' } });
  expect({ status, json }).toEqual({
    status: 201,
    json: {
      id: expect.stringMatching(/^aud_/),
      object: 'audience',
      name: 'Readers',
      created_at: START,
      updated_at: START,
    },
  });
});

test.each([
  { title: 'no name', body: {} },
  { title: 'an empty name', body: { name: '' } },
  { title: '101 characters', body: { name: 'n'.repeat(101) } },
  { title: 'a name that is no string', body: { name: 7 } },
])('Limits, audience name: responds with 400 invalid_request for $title', async ({ body }) => {
  const { ask, audience } = await startService();
  const created = await ask('POST', '/v1/audiences', { body });
  expect([created.status, created.json.error.code, created.json.error.param]).toEqual([400, 'invalid_request', 'name']);
  const renamed = await ask('PATCH', `/v1/audiences/${audience}`, { body });
  expect(renamed.status).toBe('name' in body ? 400 : 200);
});

test.each([
  ['one letter', 'n'],
  ['100 letters', 'n'.repeat(100)],
  ['100 emoji', '😀'.repeat(100)],
])('Limits, audience name: accepts 1 to 100 characters: %s', async (_, name) => {
  const { ask, audience } = await startService();
  expect((await ask('POST', '/v1/audiences', { body: { name } })).json.name).toBe(name);
  expect((await ask('PATCH', `/v1/audiences/${audience}`, { body: { name } })).json.name).toBe(name);
});

test('Audiences: deletes the fields of a deleted audience and of no other one', async () => {
  const { ask, audience, emulator } = await startService();
  const other = emulator.admin.createAudience('Other');
  emulator.admin.addContacts([{ email: 'a@example.com', attributes: { plan: 'pro' } }], other);
  emulator.admin.addContacts([{ email: 'a@example.com', attributes: { city: 'Oslo' } }]);
  expect([emulator.admin.fields(), emulator.admin.fields(other)]).toEqual([['city'], ['plan']]);
  // The admin functions refuse the id of a deleted audience, but without an id they read the deleted default audience.
  await ask('DELETE', `/v1/audiences/${audience}`);
  expect([emulator.admin.fields(), emulator.admin.fields(other)]).toEqual([[], ['plan']]);
  expect((await ask('GET', `/v1/audiences/${other}`)).json.contact_counts.total).toBe(1);
});

test('Audiences: shows contact_counts of one audience, and omits it in lists', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts([
    { email: 'a@example.com' },
    { email: 'b@example.com', status: 'unsubscribed' },
    { email: 'c@example.com', status: 'pending' },
  ]);
  const one = await ask('GET', `/v1/audiences/${audience}`);
  const list = await ask('GET', '/v1/audiences');
  const item = { id: audience, object: 'audience', name: 'Newsletter', created_at: START, updated_at: START };
  expect(one.json).toEqual({ ...item, contact_counts: { subscribed: 1, unsubscribed: 1, total: 3 } });
  expect(list.json).toEqual({ data: [item], has_more: false, next_cursor: null });
});

test('Audiences: changes name and updated_at when a PATCH renames an audience', async () => {
  const { ask, audience, clock } = await startService();
  await clock.advance(1_500);
  const { status, json } = await ask('PATCH', `/v1/audiences/${audience}`, {
    body: { name: 'Letters', color: 'red' },
  });
  expect([status, json.name, json.created_at, json.updated_at]).toEqual([
    200,
    'Letters',
    START,
    '2026-01-01T00:00:01.500Z',
  ]);
});

test('Audiences: deletes an audience with its contacts, not the suppressions', async () => {
  const { ask, audience } = await startService();
  await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { upsert: true, contacts: people(2) } });
  await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['x@example.com'] } });
  const { status, json } = await ask('DELETE', `/v1/audiences/${audience}`);
  expect({ status, json }).toEqual({ status: 200, json: { id: audience, deleted: true } });
  expect((await ask('GET', `/v1/audiences/${audience}/contacts/p0@example.com`)).status).toBe(404);
  expect((await ask('GET', '/v1/suppressions')).json.data).toHaveLength(1);
  expect((await ask('DELETE', `/v1/audiences/${audience}`)).status).toBe(404);
});

test('Authentication 7: responds with 404 to ids of another organization', async () => {
  const { ask, emulator } = await startService();
  const other = emulator.admin.createOrganization();
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status, json } = await ask(method, `/v1/audiences/${other.audienceId}`);
    expect([status, json.error.code]).toEqual([404, 'not_found']);
  }
  expect((await ask('GET', '/v1/audiences', { key: other.apiKey })).json.data[0].id).toBe(other.audienceId);
});

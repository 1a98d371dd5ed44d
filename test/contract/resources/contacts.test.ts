import { expect, test } from 'vitest';
import { people, startService } from '../service.ts';

test('Contacts: finds a contact by id or by URL-encoded email', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts([{ email: 'a+b@example.com' }]);
  const path = `/v1/audiences/${audience}/contacts`;
  const byEmail = await ask('GET', `${path}/${encodeURIComponent('a+b@example.com')}`);
  const byId = await ask('GET', `${path}/${byEmail.json.id}`);
  expect([byEmail.status, byId.json]).toEqual([200, byEmail.json]);
});

test('Contacts: returns topics only when the request has expand=topics', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts(people(1));
  const path = `/v1/audiences/${audience}/contacts/p0@example.com`;
  expect('topics' in (await ask('GET', path)).json).toBe(false);
  expect((await ask('GET', `${path}?expand=topics`)).json.topics).toEqual({});
});

test.each(['unknown@example.com', 'sub_unknown', '%'])('Contacts: responds with 404 not_found for %s', async (id) => {
  const { ask, audience } = await startService();
  const { status, json } = await ask('GET', `/v1/audiences/${audience}/contacts/${id}`);
  expect([status, json.error.code]).toEqual([404, 'not_found']);
});

test('Contacts: finds a contact only in its own audience', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts(people(1));
  const other = emulator.admin.createAudience('Other');
  const find = async (id: string) => (await ask('GET', `/v1/audiences/${id}/contacts/p0@example.com`)).status;
  expect([await find(audience), await find(other)]).toEqual([200, 404]);
});

test.each(['fail', 'update'])(
  'Create contact: needs upsert=true to update, upsert_false_existing=%s',
  async (upsert_false_existing) => {
    const { ask, audience } = await startService({ variants: { upsert_false_existing } });
    const path = `/v1/audiences/${audience}/contacts`;
    const body = { email: 'a@example.com', first_name: 'Ana' };
    const created = await ask('POST', path, { body });
    const refused = await ask('POST', path, { body: { ...body, first_name: 'Cleo' } });
    const kept = await ask('GET', `${path}/a@example.com`);
    const upserted = await ask('POST', `${path}?upsert=true`, { body: { ...body, first_name: 'Bea' } });
    expect([created.status, created.json.first_name]).toEqual([201, 'Ana']);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'contact_already_exists']);
    expect(kept.json.first_name).toBe('Ana');
    expect([upserted.status, upserted.json.first_name]).toEqual([200, 'Bea']);
  },
);

test('Create contact: refuses suppressed and invalid addresses', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.suppress(['a@example.com']);
  const path = `/v1/audiences/${audience}/contacts`;
  const suppressed = await ask('POST', path, { body: { email: 'a@example.com' } });
  const invalid = await ask('POST', path, { body: { email: 'not-an-address' } });
  expect([suppressed.status, suppressed.json.error.code]).toEqual([409, 'email_suppressed']);
  expect([invalid.status, invalid.json.error.code]).toEqual([400, 'invalid_email']);
  expect(emulator.admin.contacts()).toEqual([]);
});

test('Create contact: refuses the 501st subscriber of a free account', async () => {
  const { ask, audience, emulator } = await startService({ plan: 'free' });
  emulator.admin.addContacts(people(499));
  const create = (email: string) => ask('POST', `/v1/audiences/${audience}/contacts`, { body: { email } });
  expect((await create('last@example.com')).status).toBe(201);
  const refused = await create('more@example.com');
  expect([refused.status, refused.json.error.code]).toEqual([403, 'plan_limit_reached']);
  expect(emulator.admin.contacts()).toHaveLength(500);
});

import { expect, test } from 'vitest';
import { people, startService } from '../spec/service.ts';

test.each([
  { reading: 'conflict', statuses: [201, 409], replayed: undefined },
  { reading: 'replay', statuses: [201, 201], replayed: 'true' },
  { reading: 'separate', statuses: [201, 400], replayed: undefined },
])(
  'claim_path=$reading answers one key and body on two paths with $statuses',
  async ({ reading, statuses, replayed }) => {
    const { ask } = await startService({ quirks: { claim_path: reading } });
    const send = (path: string) => ask('POST', path, { body: { name: 'Readers' }, idempotencyKey: 'k' });
    const [first, second] = [await send('/v1/audiences'), await send('/v1/suppressions')];
    expect([first.status, second.status]).toEqual(statuses);
    expect(second.headers['idempotency-replayed']).toBe(replayed);
  },
);

test.each([
  { limit: '0', refused: 400, clamped: 1 },
  { limit: '101', refused: 400, clamped: 100 },
  { limit: 'ten', refused: 400, clamped: 50 },
])(
  'page_limit: a limit of $limit is $refused, or a page of $clamped when clamped',
  async ({ limit, refused, clamped }) => {
    const list = async (reading: string) => {
      const { ask, emulator, audience } = await startService({ quirks: { page_limit: reading } });
      emulator.admin.addContacts(people(101));
      return ask('GET', `/v1/audiences/${audience}/contacts?limit=${limit}`);
    };
    expect((await list('refused')).status).toBe(refused);
    expect((await list('clamped')).json.data).toHaveLength(clamped);
  },
);

test.each([
  { reading: 'reads_and_writes', statuses: [200, 201, 200, 201] },
  { reading: 'reads_only', statuses: [200, 403, 403, 201] },
])('base_grant=$reading: what a key without scopes may: $statuses', async ({ reading, statuses }) => {
  const { ask, emulator, audience } = await startService({ quirks: { base_grant: reading } });
  const key = emulator.admin.createKey([]);
  const answers = [
    await ask('GET', '/v1/audiences', { key }),
    await ask('POST', '/v1/audiences', { key, body: { name: 'A' } }),
    await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { key, body: { contacts: people(1) } }),
    await ask('POST', '/v1/audiences', { key: emulator.admin.createKey(['webhooks:manage']), body: { name: 'A' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
});

test.each([
  { quirk: 'batch_status', reading: '200', status: 200 },
  { quirk: 'batch_status', reading: '207', status: 207 },
  { quirk: 'contact_create_status', reading: '201', status: 201 },
  { quirk: 'contact_create_status', reading: '200', status: 200 },
  { quirk: 'suppression_create_status', reading: '200', status: 200 },
  { quirk: 'suppression_create_status', reading: '201', status: 201 },
])('$quirk=$reading answers $status', async ({ quirk, reading, status }) => {
  const { ask, audience } = await startService({ quirks: { [quirk]: reading } });
  const contacts = `/v1/audiences/${audience}/contacts`;
  const asked = {
    batch_status: ['POST', `${contacts}/batch`, { contacts: people(1) }],
    contact_create_status: ['POST', contacts, { email: 'a@example.com' }],
    suppression_create_status: ['POST', '/v1/suppressions', { reason: 'bounced', emails: ['a@example.com'] }],
  } as const;
  const [method, path, body] = asked[quirk as keyof typeof asked];
  expect((await ask(method, path, { body })).status).toBe(status);
});

test('single_contact_change=none has no such routes', async () => {
  const { ask, audience, emulator } = await startService();
  emulator.admin.addContacts(people(1));
  const path = `/v1/audiences/${audience}/contacts/p0@example.com`;
  const answers = [await ask('PATCH', path, { body: { first_name: 'P' } }), await ask('DELETE', path)];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test('single_contact_change=patch_delete merges into one contact, by id too, and removes it', async () => {
  const { ask, audience, emulator } = await startService({ quirks: { single_contact_change: 'patch_delete' } });
  emulator.admin.addContacts([{ email: 'a@example.com', attributes: { plan: 'pro', city: 'Oslo' } }]);
  const contacts = `/v1/audiences/${audience}/contacts`;
  const { id } = (await ask('GET', `${contacts}/a@example.com`)).json;
  const changed = await ask('PATCH', `${contacts}/${id}`, { body: { first_name: 'Ana', attributes: { plan: null } } });
  expect(changed.json).toMatchObject({ id, first_name: 'Ana', status: 'subscribed', attributes: { city: 'Oslo' } });
  expect((await ask('PATCH', `${contacts}/${id}`, { body: { first_name: 7 } })).status).toBe(400);
  expect((await ask('DELETE', `${contacts}/a@example.com`)).json).toEqual({ id, deleted: true });
  expect((await ask('GET', `${contacts}/${id}`)).status).toBe(404);
  expect((await ask('GET', `/v1/audiences/${audience}`)).json.contact_counts.total).toBe(0);
});

test.each([
  { reading: 'suppressed_first', outcomes: ['suppressed', 'entry_filter_no_match'] },
  { reading: 'table', outcomes: ['already_enrolled', 'already_enrolled'] },
])('outcome_order=$reading answers $outcomes where several apply', async ({ reading, outcomes }) => {
  const { ask, emulator } = await startService({ quirks: { outcome_order: reading } });
  const { admin } = emulator;
  admin.addContacts([
    { email: 'out@example.com', attributes: { plan: 'pro' } },
    { email: 'odd@example.com', attributes: { plan: 'pro' } },
  ]);
  const flow = admin.createAutomation({ entryFilter: { plan: 'pro' } });
  const enroll = async (email: string, attributes?: object) =>
    (await ask('POST', `/v1/automations/${flow}/enroll`, { body: { email, attributes } })).json.outcome;
  await enroll('out@example.com');
  await enroll('odd@example.com');
  admin.suppress(['out@example.com']);
  const now = [await enroll('out@example.com'), await enroll('odd@example.com', { plan: 'free' })];
  expect(now).toEqual(outcomes);
});

test.each([
  { quirk: 'reserved_keys', reading: 'normalized', kept: { plan: 'pro' } },
  { quirk: 'reserved_keys', reading: 'exact', kept: { first_name: 'A', plan: 'pro' } },
])('$quirk=$reading keeps $kept of keys that become reserved ones', async ({ quirk, reading, kept }) => {
  const attributes = { 'First Name': 'A', last_name: 'B', plan: 'pro' };
  expect(await attributesOf({ [quirk]: reading }, attributes)).toEqual(kept);
});

test.each([
  { reading: 'last', kept: { job_title: 'second' } },
  { reading: 'first', kept: { job_title: 'first' } },
])('attribute_collision=$reading keeps $kept', async ({ reading, kept }) => {
  const attributes = { 'Job Title': 'first', job_title: 'second' };
  expect(await attributesOf({ attribute_collision: reading }, attributes)).toEqual(kept);
});

async function attributesOf(quirks: Record<string, string>, attributes: object): Promise<unknown> {
  const { ask, audience } = await startService({ quirks });
  const path = `/v1/audiences/${audience}/contacts`;
  await ask('POST', `${path}/batch`, { body: { contacts: [{ email: 'a@example.com', attributes }] } });
  return (await ask('GET', `${path}/a@example.com`)).json.attributes;
}

test.each([
  { reading: 'accepted', status: 200 },
  { reading: 'refused', status: 400 },
])('batch_empty=$reading answers a batch without contacts with $status', async ({ reading, status }) => {
  const { ask, audience } = await startService({ quirks: { batch_empty: reading } });
  const answer = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { contacts: [] } });
  expect(answer.status).toBe(status);
});

test.each([
  { reading: 'refused', says: 'invalid_request' },
  { reading: 'absent', says: 'not_subscribed' },
])('enroll_null_attributes=$reading: an unknown address with null is $says', async ({ reading, says }) => {
  const { ask, emulator } = await startService({ quirks: { enroll_null_attributes: reading } });
  const path = `/v1/automations/${emulator.admin.createAutomation()}/enroll`;
  const { json } = await ask('POST', path, { body: { email: 'a@example.com', attributes: null } });
  expect(json.outcome ?? json.error.code).toBe(says);
});

test.each([
  { reading: 'kept', listed: 1, says: 'automation_not_active' },
  { reading: 'deleted', listed: 0, says: 'not_found' },
])('deleted_audience_flows=$reading lists $listed flows of a deleted audience; enrolling is $says', async (quirk) => {
  const { ask, audience, emulator } = await startService({ quirks: { deleted_audience_flows: quirk.reading } });
  const flow = emulator.admin.createAutomation();
  await ask('DELETE', `/v1/audiences/${audience}`);
  expect((await ask('GET', '/v1/automations')).json.data).toHaveLength(quirk.listed);
  const body = { email: 'a@example.com', attributes: {} };
  const { json } = await ask('POST', `/v1/automations/${flow}/enroll`, { body });
  expect(json.outcome ?? json.error.code).toBe(quirk.says);
});

test.each([
  { reading: 'both', status: 200 },
  { reading: 'array', status: 400 },
])('email_to=$reading answers one recipient without an array with $status', async ({ reading, status }) => {
  const { ask } = await startService({ quirks: { email_to: reading } });
  const body = { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' };
  expect((await ask('POST', '/v1/emails', { body })).status).toBe(status);
});

import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { people, type Reply, type Service, startService } from '../service.ts';

interface Batch extends Service {
  batch(contacts: readonly unknown[], upsert?: boolean): Promise<Reply>;
  contact(email: string): Promise<Record<string, unknown>>;
}

async function start(options: Partial<EmulatorOptions> = {}): Promise<Batch> {
  const service = await startService(options);
  const path = `/v1/audiences/${service.audience}/contacts`;
  return {
    ...service,
    batch: (contacts, upsert = true) => service.ask('POST', `${path}/batch`, { body: { upsert, contacts } }),
    contact: async (email) => (await service.ask('GET', `${path}/${encodeURIComponent(email)}?expand=topics`)).json,
  };
}

const codeOf = ({ status, json }: Reply) => [status, json.error?.code];
const START = '2026-01-01T00:00:00.000Z';

test('Contact batch: returns a summary with counts and a result for each row', async () => {
  const { batch } = await start();
  await batch([{ email: 'old@example.com' }]);
  const { status, json } = await batch([{ email: 'new@example.com' }, { email: 'old@example.com' }, { email: 'bad' }]);
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      object: 'contact_batch',
      summary: { created: 1, updated: 1, failed: 1 },
      results: [
        { index: 0, status: 'created' },
        { index: 1, status: 'updated' },
        { index: 2, status: 'failed', error: { code: 'invalid_email', message: expect.any(String) } },
      ],
    },
  });
});

test.each([
  { reading: 'failures', indexes: [1] },
  { reading: 'reversed', indexes: [2, 1, 0] },
])('Contact batch: returns rows $indexes under batch_results=$reading (O5)', async ({ reading, indexes }) => {
  const { batch } = await start({ variants: { batch_results: reading } });
  const { json } = await batch([{ email: 'a@example.com' }, { email: 'bad' }, { email: 'b@example.com' }]);
  expect(json.results.map(({ index }: { index: number }) => index)).toEqual(indexes);
});

test('Contact batch: stores every field, and the address in canonical form', async () => {
  const { batch, contact } = await start();
  const topics = { top_1: 'subscribed' };
  await batch([
    {
      email: ' Ana@Example.COM ',
      first_name: 'Ana',
      last_name: 'Lima',
      attributes: { 'Company / Org': 'Acme' },
      topics,
    },
  ]);
  expect(await contact('ana@example.com')).toEqual({
    id: expect.stringMatching(/^sub_/),
    object: 'contact',
    email: 'ana@example.com',
    first_name: 'Ana',
    last_name: 'Lima',
    status: 'subscribed',
    unsubscribed_at: null,
    attributes: { company_org: 'Acme' },
    topics,
    created_at: START,
    updated_at: START,
  });
});

test('Contact: stores unsubscribed_at of a new contact', async () => {
  const { batch, contact } = await start();
  const unsubscribed_at = '2020-05-06T07:08:09.010Z';
  await batch([{ email: 'a@example.com', status: 'unsubscribed', unsubscribed_at }]);
  expect(await contact('a@example.com')).toMatchObject({ status: 'unsubscribed', unsubscribed_at });
});

test('Migration order 2: ignores created_at of a contact', async () => {
  const { batch, contact } = await start();
  await batch([{ email: 'a@example.com', created_at: '2019-01-01T00:00:00.000Z' }]);
  expect((await contact('a@example.com')).created_at).toBe(START);
});

test.each([
  { reading: 'ignored', date: START },
  { reading: 'honoured', date: '2020-05-06T07:08:09.010Z' },
])('Contact: dates an opt-out under unsubscribed_at_on_update=$reading (C2)', async ({ reading, date }) => {
  const { batch, contact } = await start({ variants: { unsubscribed_at_on_update: reading } });
  await batch([{ email: 'a@example.com' }]);
  await batch([{ email: 'a@example.com', status: 'unsubscribed', unsubscribed_at: '2020-05-06T07:08:09.010Z' }]);
  expect(await contact('a@example.com')).toMatchObject({ status: 'unsubscribed', unsubscribed_at: date });
});

test('Contact: keeps an opt-out until an upsert says subscribed (C1)', async () => {
  const { batch, contact } = await start();
  await batch([{ email: 'a@example.com', status: 'unsubscribed' }]);
  await batch([{ email: 'a@example.com', first_name: 'Ana' }]);
  expect(await contact('a@example.com')).toMatchObject({
    status: 'unsubscribed',
    first_name: 'Ana',
    unsubscribed_at: START,
  });
  await batch([{ email: 'a@example.com', status: 'subscribed' }]);
  expect(await contact('a@example.com')).toMatchObject({ status: 'subscribed', unsubscribed_at: null });
});

test.each(['subscribed', 'pending', 'unsubscribed'])(
  'Contact: sets the status of a new contact under omitted_status=%s',
  async (status) => {
    const { batch, contact } = await start({ variants: { omitted_status: status } });
    await batch([{ email: 'a@example.com' }]);
    expect(await contact('a@example.com')).toMatchObject({ status });
  },
);

test('Contact: signs people up again under omitted_status_existing=subscribed', async () => {
  const { batch, contact } = await start({ variants: { omitted_status_existing: 'subscribed' } });
  await batch([{ email: 'a@example.com', status: 'unsubscribed' }]);
  await batch([{ email: 'a@example.com' }]);
  expect(await contact('a@example.com')).toMatchObject({ status: 'subscribed' });
});

test('Contact: merges attributes one level deep and deletes keys with null', async () => {
  const { batch, contact } = await start();
  await batch([{ email: 'a@example.com', attributes: { a: '1', b: '2', c: '3' } }]);
  await batch([{ email: 'a@example.com', attributes: { b: null, c: 'new', d: '' } }]);
  expect((await contact('a@example.com')).attributes).toEqual({ a: '1', c: 'new', d: '' });
});

test('Contact: ignores email, first_name and last_name inside attributes (F4)', async () => {
  const { batch, contact } = await start();
  const attributes = { Email: 'x@example.com', first_name: 'X', 'Last Name': 'Y', plan: 'pro' };
  expect((await batch([{ email: 'a@example.com', attributes }])).status).toBe(200);
  expect(await contact('a@example.com')).toMatchObject({
    first_name: null,
    last_name: null,
    attributes: { plan: 'pro' },
  });
});

test('Contact: stores attribute keys such as constructor and __proto__ (F7)', async () => {
  const { batch, contact } = await start();
  const attributes = JSON.parse('{"constructor":"a","toString":"b","__proto__":"c"}');
  await batch([{ email: 'a@example.com', attributes }]);
  expect((await contact('a@example.com')).attributes).toEqual(
    JSON.parse('{"constructor":"a","tostring":"b","proto":"c"}'),
  );
});

test.each([
  { key: 'Company / Org', normal: 'company_org' },
  { key: 'lastOrder', normal: 'lastorder' },
  { key: 'Société', normal: 'soci_t' },
])('Contact: normalizes the attribute key $key to $normal (F3)', async ({ key, normal }) => {
  const { batch, contact } = await start();
  await batch([{ email: 'a@example.com', attributes: { [key]: 'x', plain_key: 'y' } }]);
  expect((await contact('a@example.com')).attributes).toEqual({ [normal]: 'x', plain_key: 'y' });
});

test.each([
  { title: 'the last of two keys that collide', sent: { 'Job Title': 'a', job_title: 'b' }, kept: { job_title: 'b' } },
  { title: 'no key that becomes a reserved one', sent: { 'First Name': 'a', plan: 'pro' }, kept: { plan: 'pro' } },
  { title: 'no key that normalizes to nothing', sent: { '!?': 'a', plan: 'pro' }, kept: { plan: 'pro' } },
])('Contact: stores $title in attributes (our reading)', async ({ sent, kept }) => {
  const { batch, contact } = await start();
  await batch([{ email: 'a@example.com', attributes: sent }]);
  expect((await contact('a@example.com')).attributes).toEqual(kept);
});

test('Contact: registers unknown attribute keys as custom fields', async () => {
  const { batch, emulator } = await start();
  await batch([{ email: 'a@example.com', attributes: { 'Company / Org': 'Acme', plan: 'pro', email: 'x' } }]);
  expect(emulator.admin.fields()).toEqual(['company_org', 'plan']);
});

test('Contact batch: responds with 400 batch_too_large for 1,001 contacts', async () => {
  const { batch } = await start();
  expect(codeOf(await batch(people(1_001)))).toEqual([400, 'batch_too_large']);
  expect((await batch(people(1_000))).json.summary).toEqual({ created: 1_000, updated: 0, failed: 0 });
});

test.each([
  { title: 'a number', value: 7 },
  { title: 'true', value: true },
  { title: 'a list', value: ['a'] },
  { title: 'an object', value: { a: 'b' } },
])('Contact batch: refuses the whole batch when an attribute is $title', async ({ value }) => {
  const { batch, audience, ask } = await start();
  const refused = await batch([{ email: 'a@example.com' }, { email: 'b@example.com', attributes: { key: value } }]);
  expect([...codeOf(refused), refused.json.error.param]).toEqual([
    400,
    'invalid_request',
    'contacts[1].attributes.key',
  ]);
  expect((await ask('GET', `/v1/audiences/${audience}`)).json.contact_counts.total).toBe(0);
});

test('Contact batch: responds with 400 when a canonical address occurs twice', async () => {
  const { batch } = await start();
  expect(codeOf(await batch([{ email: 'a@example.com' }, { email: ' A@example.com' }]))).toEqual([
    400,
    'invalid_request',
  ]);
});

test.each([
  { title: 'no contacts', body: { upsert: true } },
  { title: 'contacts that are not a list', body: { contacts: {} } },
  { title: 'a contact that is not an object', body: { contacts: ['a@example.com'] } },
  { title: 'upsert that is not a boolean', body: { upsert: 'yes', contacts: [] } },
])('Contact batch: responds with 400 invalid_request for $title', async ({ body }) => {
  const { ask, audience } = await start();
  expect(codeOf(await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body }))).toEqual([
    400,
    'invalid_request',
  ]);
});

test.each([
  { what: 'an invalid address', row: { email: 'no-at-sign' }, code: 'invalid_email' },
  { what: 'an unknown status', row: { email: 'a@example.com', status: 'gone' }, code: 'invalid_request' },
  { what: 'the status pending', row: { email: 'a@example.com', status: 'pending' }, code: 'invalid_request' },
  {
    what: 'a day that does not exist',
    row: { email: 'a@example.com', unsubscribed_at: '2024-02-30T00:00:00.000Z' },
    code: 'invalid_request',
  },
  {
    what: 'a date without a time',
    row: { email: 'a@example.com', unsubscribed_at: '2024-02-03' },
    code: 'invalid_request',
  },
  { what: 'a number as a name', row: { email: 'a@example.com', first_name: 7 }, code: 'invalid_request' },
])('Contact batch: $what fails its row, or all rows (batch_invalid_row)', async ({ row, code }) => {
  const alone = await start();
  const { json } = await alone.batch([{ email: 'good@example.com' }, row]);
  expect([json.summary, json.results[1].error.code]).toEqual([{ created: 1, updated: 0, failed: 1 }, code]);
  const whole = await start({ variants: { batch_invalid_row: 'whole' } });
  expect(codeOf(await whole.batch([{ email: 'good@example.com' }, row]))).toEqual([400, code]);
});

test('Contact batch: fails rows of suppressed people, known or new', async () => {
  const { batch, emulator } = await start();
  await batch([{ email: 'b@example.com' }]);
  emulator.admin.suppress(['a@example.com', 'b@example.com']);
  const { json } = await batch([{ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'c@example.com' }]);
  expect([json.summary, json.results[0].error.code, json.results[1].error.code]).toEqual([
    { created: 1, updated: 0, failed: 2 },
    'email_suppressed',
    'email_suppressed',
  ]);
});

test.each([
  { reading: 'fail', summary: { created: 1, updated: 0, failed: 1 }, name: null },
  { reading: 'update', summary: { created: 1, updated: 1, failed: 0 }, name: 'New' },
])('Contact batch: applies upsert_false_existing=$reading when not upsert', async ({ reading, summary, name }) => {
  const { batch, contact } = await start({ variants: { upsert_false_existing: reading } });
  await batch([{ email: 'a@example.com' }]);
  const { json } = await batch([{ email: 'a@example.com', first_name: 'New' }, { email: 'b@example.com' }], false);
  expect(json.summary).toEqual(summary);
  expect((await contact('a@example.com')).first_name).toBe(name);
});

test('Plan rules: rejects the whole batch when it crosses the free cap', async () => {
  const { batch, ask, audience, emulator } = await start({ plan: 'free' });
  emulator.admin.addContacts(people(498));
  const refused = await batch(people(3, 1_000));
  expect([...codeOf(refused), refused.json.error.message.includes('room for 2 more')]).toEqual([
    403,
    'plan_limit_reached',
    true,
  ]);
  expect((await ask('GET', `/v1/audiences/${audience}`)).json.contact_counts.total).toBe(498);
  expect((await batch([...people(2, 1_000), ...people(5)])).json.summary).toEqual({
    created: 2,
    updated: 5,
    failed: 0,
  });
});

test('Plan rules: counts the cap over all audiences of the account (P2)', async () => {
  const { batch, emulator } = await start({ plan: 'free' });
  emulator.admin.addContacts(people(500), emulator.admin.createAudience('Other'));
  expect(codeOf(await batch(people(1)))).toEqual([403, 'plan_limit_reached']);
});

test('Plan rules: has no cap when the plan is paid', async () => {
  const { batch } = await start();
  expect((await batch(people(501))).json.summary.created).toBe(501);
});

test('Contact batch: updates the counts of the audience when a status changes', async () => {
  const { batch, ask, audience } = await start();
  await batch([...people(3), { email: 'u@example.com', status: 'unsubscribed' }]);
  await batch([
    { email: 'p0@example.com', status: 'unsubscribed' },
    { email: 'u@example.com', status: 'subscribed' },
  ]);
  const { json } = await ask('GET', `/v1/audiences/${audience}`);
  expect(json.contact_counts).toEqual({ subscribed: 3, unsubscribed: 1, total: 4 });
});

test('Contact batch: responds with 404 not_found when the audience is unknown', async () => {
  const { ask } = await start();
  const reply = await ask('POST', '/v1/audiences/aud_nobody/contacts/batch', { body: { contacts: [] } });
  expect(codeOf(reply)).toEqual([404, 'not_found']);
});

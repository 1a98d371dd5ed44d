import { expect, test } from 'vitest';
import type { Admin } from '../../../src/emulator/admin/admin.ts';
import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { type Reply, type Service, startService } from '../service.ts';

interface Flow extends Service {
  readonly admin: Admin;
  enroll(flow: string, email: unknown, attributes?: unknown): Promise<Reply>;
}

async function start(options: Partial<EmulatorOptions> = {}): Promise<Flow> {
  const service = await startService(options);
  const { admin } = service.emulator;
  admin.addContacts([{ email: 'ana@example.com', attributes: { plan: 'pro' } }]);
  return {
    ...service,
    admin,
    enroll: (flow, email, attributes) =>
      service.ask('POST', `/v1/automations/${flow}/enroll`, { body: { email, attributes } }),
  };
}

const codeOf = ({ status, json }: Reply) => [status, json.error?.code];
const result = (outcome: string) => ({ object: 'enrollment_result', outcome });

test('Automations: returns all fields, hides archived automations by default', async () => {
  const { ask, admin, audience } = await start();
  const first = admin.createAutomation({ name: 'Old', status: 'archived' });
  const second = admin.createAutomation({ name: 'Draft', status: 'draft', trigger: 'audience_join' });
  const third = admin.createAutomation({ name: 'Live' });
  const { json } = await ask('GET', '/v1/automations');
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual([third, second]);
  expect(json.data[1]).toEqual({
    id: second,
    object: 'automation',
    name: 'Draft',
    status: 'draft',
    trigger: 'audience_join',
    audience_id: audience,
    live_version: null,
    sandbox: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  const archived = await ask('GET', '/v1/automations?status=archived');
  expect(archived.json.data.map(({ id }: { id: string }) => id)).toEqual([first]);
});

test('Automations: responds with 400 when the requested status is unknown', async () => {
  const { ask } = await start();
  const reply = await ask('GET', '/v1/automations?status=running');
  expect([...codeOf(reply), reply.json.error.param]).toEqual([400, 'invalid_request', 'status']);
});

test('Enrollment: enrolls the canonical address and returns an enrollment_id', async () => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation();
  const { status, json } = await enroll(flow, ' Ana@Example.com ');
  expect([status, json]).toEqual([200, { ...result('enrolled'), enrollment_id: expect.stringMatching(/^aen_/) }]);
  expect(admin.enrollments(flow)).toMatchObject([{ email: 'ana@example.com', state: 'running', source: 'api' }]);
});

test('Enrollment: enrolls a person again only when the re-entry rule allows it', async () => {
  const { enroll, admin } = await start();
  const onceAutomation = admin.createAutomation({ reentry: 'once' });
  const finished = admin.createAutomation({ reentry: 'finished' });
  const always = admin.createAutomation({ reentry: 'always' });
  const twice = async (flow: string) => [
    (await enroll(flow, 'ana@example.com')).json.outcome,
    (await enroll(flow, 'ana@example.com')).json.outcome,
  ];
  expect(await twice(onceAutomation)).toEqual(['enrolled', 'already_enrolled']);
  expect(await twice(finished)).toEqual(['enrolled', 'already_enrolled']);
  expect(await twice(always)).toEqual(['enrolled', 'enrolled']);
  admin.finishEnrollments(onceAutomation);
  admin.finishEnrollments(finished);
  expect((await enroll(onceAutomation, 'ana@example.com')).json).toEqual(result('already_enrolled'));
  expect((await enroll(finished, 'ana@example.com')).json.outcome).toBe('enrolled');
});

test.each(['unsubscribed', 'bounced', 'pending'])(
  'Enrollment: responds with not_subscribed when the contact is %s',
  async (status) => {
    const { enroll, admin } = await start();
    admin.setStatus('ana@example.com', status);
    const flow = admin.createAutomation();
    expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('not_subscribed'));
    expect([admin.enrollments(flow), admin.contact('ana@example.com')?.status]).toEqual([[], status]);
  },
);

test('Enrollment: responds with suppressed when the contact is suppressed', async () => {
  const { enroll, admin } = await start();
  admin.suppress(['ana@example.com']);
  const flow = admin.createAutomation();
  expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('suppressed'));
  expect((await enroll(flow, 'ana@example.com', { plan: 'x' })).json).toEqual(result('suppressed'));
  expect(admin.enrollments(flow)).toEqual([]);
});

test('Enrollment: applies the entry filter to the merged attributes', async () => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation({ entryFilter: { plan: 'max' } });
  expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('entry_filter_no_match'));
  expect((await enroll(flow, 'ana@example.com', { plan: 'max' })).json.outcome).toBe('enrolled');
});

test('Enrollment: stays in the sandbox after an upgrade until a publish (M4)', async () => {
  const { enroll, admin, ask } = await start({ plan: 'free' });
  const flow = admin.createAutomation();
  expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('sandbox_not_member'));
  admin.setPlan('paid');
  expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('sandbox_not_member'));
  admin.publishAutomation(flow);
  expect((await ask('GET', '/v1/automations')).json.data[0]).toMatchObject({ sandbox: false, live_version: 2 });
  expect((await enroll(flow, 'ana@example.com')).json.outcome).toBe('enrolled');
});

test('Enrollment: enrolls a member of the organization even in the sandbox', async () => {
  const { enroll, admin } = await start({ plan: 'free' });
  admin.set({ members: ['ana@example.com'] });
  expect((await enroll(admin.createAutomation(), 'ana@example.com')).json.outcome).toBe('enrolled');
});

test('Enrollment: responds with wrong_audience to people of another audience', async () => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation({ audienceId: admin.createAudience('Other') });
  expect((await enroll(flow, 'ana@example.com')).json).toEqual(result('wrong_audience'));
});

test('Enrollment rule 1: adds a person whom only another audience has (M1)', async () => {
  const { enroll, admin, ask } = await start();
  const other = admin.createAudience('Other');
  const flow = admin.createAutomation({ audienceId: other });
  expect((await enroll(flow, 'ana@example.com', {})).json.outcome).toBe('enrolled');
  const { json } = await ask('GET', `/v1/audiences/${other}/contacts/ana@example.com`);
  expect(json).toMatchObject({ email: 'ana@example.com', status: 'subscribed' });
});

test('Enrollment: returns automation_not_active when the version is unusable', async () => {
  const { enroll, admin } = await start();
  expect((await enroll(admin.createAutomation({ unusable: true }), 'ana@example.com')).json).toEqual(
    result('automation_not_active'),
  );
});

test('Enrollment rule 1: enrolls a new address when attributes are sent (M1)', async () => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation();
  expect((await enroll(flow, 'new@example.com', {})).json.outcome).toBe('enrolled');
  expect((await enroll(flow, 'two@example.com', { 'Company / Org': 'Acme' })).json.outcome).toBe('enrolled');
  expect(admin.contact('new@example.com')).toMatchObject({ status: 'subscribed', attributes: '{}' });
  expect(admin.contact('two@example.com')).toMatchObject({ attributes: '{"company_org":"Acme"}' });
  expect(admin.fields()).toEqual(['company_org', 'plan']);
});

test('Enrollment rule 1: merges attributes and keeps the status of a contact', async () => {
  const { enroll, admin } = await start({ variants: { omitted_status_existing: 'subscribed' } });
  admin.setStatus('ana@example.com', 'unsubscribed');
  const { json } = await enroll(admin.createAutomation(), 'ana@example.com', { city: 'Rome', plan: null });
  expect(json).toEqual(result('not_subscribed'));
  expect(admin.contact('ana@example.com')).toMatchObject({ status: 'unsubscribed', attributes: '{"city":"Rome"}' });
});

test('Enrollment rule 2: creates no contact when there are no attributes', async () => {
  const { enroll, admin } = await start();
  expect((await enroll(admin.createAutomation(), 'new@example.com')).json).toEqual(result('not_subscribed'));
  expect(admin.contact('new@example.com')).toBeUndefined();
});

test('Enrollment rule 3: lets people wait in a paused automation', async () => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation({ status: 'paused' });
  expect((await enroll(flow, 'ana@example.com')).json.outcome).toBe('enrolled');
  expect(admin.enrollments(flow)).toMatchObject([{ state: 'waiting' }]);
  admin.setAutomationStatus(flow, 'active');
  expect(admin.enrollments(flow)).toMatchObject([{ state: 'running' }]);
});

test.each(['draft', 'archived'])('Enrollment rule 4: responds with 409 when the automation is %s', async (status) => {
  const { enroll, admin } = await start();
  const flow = admin.createAutomation({ status });
  expect(codeOf(await enroll(flow, 'ana@example.com'))).toEqual([409, 'invalid_request']);
  expect(admin.enrollments(flow)).toEqual([]);
});

test.each([
  { title: 'an invalid address', email: 'not-an-address', expected: [400, 'invalid_email', 'email'] },
  { title: 'no address', expected: [400, 'invalid_request', 'email'] },
  {
    title: 'a number in attributes',
    email: 'ana@example.com',
    attributes: { age: 7 },
    expected: [400, 'invalid_request', 'attributes.age'],
  },
  {
    title: 'attributes that are a list',
    email: 'ana@example.com',
    attributes: [],
    expected: [400, 'invalid_request', 'attributes'],
  },
])('Enrollment rule 5: responds with 400 for $title', async ({ email, attributes, expected }) => {
  const { enroll, admin } = await start();
  const reply = await enroll(admin.createAutomation(), email, attributes);
  expect([...codeOf(reply), reply.json.error.param]).toEqual(expected);
});

test('Enrollment rule 5: responds with 404 when the automation is not found', async () => {
  const { enroll, admin, ask } = await start();
  const flow = admin.createAutomation();
  const other = admin.createOrganization();
  expect(codeOf(await enroll('aut_nobody', 'ana@example.com'))).toEqual([404, 'not_found']);
  const foreign = await ask('POST', `/v1/automations/${flow}/enroll`, {
    body: { email: 'ana@example.com' },
    key: other.apiKey,
  });
  expect([codeOf(foreign), admin.enrollments(flow)]).toEqual([[404, 'not_found'], []]);
});

test('Enrollment rule 5: responds with 409 when a new address is suppressed', async () => {
  const { enroll, admin } = await start();
  admin.suppress(['gone@example.com']);
  const flow = admin.createAutomation();
  expect(codeOf(await enroll(flow, 'gone@example.com', {}))).toEqual([409, 'email_suppressed']);
  expect((await enroll(flow, 'gone@example.com')).json).toEqual(result('not_subscribed'));
  expect([admin.enrollments(flow), admin.contact('gone@example.com')]).toEqual([[], undefined]);
});

test('Plan rules: refuses an enrollment that creates the 501st subscriber', async () => {
  const { enroll, admin } = await start({ plan: 'free' });
  admin.addContacts(Array.from({ length: 499 }, (_, index) => ({ email: `p${index}@example.com` })));
  const flow = admin.createAutomation();
  expect(codeOf(await enroll(flow, 'new@example.com', {}))).toEqual([403, 'plan_limit_reached']);
  expect([admin.enrollments(flow), admin.contact('new@example.com')]).toEqual([[], undefined]);
});

test('Enrollment: enrolls once when a request is repeated with its key', async () => {
  const { ask, admin } = await start();
  const flow = admin.createAutomation({ reentry: 'always' });
  const send = () =>
    ask('POST', `/v1/automations/${flow}/enroll`, { body: { email: 'ana@example.com' }, idempotencyKey: 'k' });
  const [first, second] = [await send(), await send()];
  expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  expect(admin.enrollments(flow)).toHaveLength(1);
});

test('Automation, trigger: a join starts audience_join automations (M3)', async () => {
  const { ask, admin, audience } = await start();
  const active = admin.createAutomation({ trigger: 'audience_join' });
  const paused = admin.createAutomation({ trigger: 'audience_join', status: 'paused' });
  const draft = admin.createAutomation({ trigger: 'audience_join', status: 'draft' });
  const contacts = [
    { email: 'new@example.com' },
    { email: 'ana@example.com' },
    { email: 'left@example.com', status: 'unsubscribed' },
  ];
  await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body: { upsert: true, contacts } });
  const runs = [active, paused, draft].map((flow) => admin.enrollments(flow).map(({ email, state }) => [email, state]));
  expect(runs).toEqual([[['new@example.com', 'running']], [['new@example.com', 'waiting']], []]);
});

import { expect, test } from 'vitest';
import { FIELDS, WORDS } from '../coverage/document.ts';
import { startReceiver, until } from '../receiver.ts';
import { people, type Service, startService } from '../service.ts';

/** Makes an account with one object of each kind. Returns the responses to all reads. */
async function readEverything(): Promise<unknown[]> {
  const service = await startService({ allowLoopbackWebhooks: true });
  const { ask, audience, emulator } = service;
  const receiver = await startReceiver(500);
  const flow = emulator.admin.createAutomation();
  const hook = await create(service, '/v1/webhooks', { url: receiver.url, events: WORDS.eventTypes });
  const contacts = [{ email: 'ana@example.com', attributes: { plan: 'pro' } }, ...people(2)];
  const batch = await create(service, `/v1/audiences/${audience}/contacts/batch`, { upsert: true, contacts });
  const enrolled = await create(service, `/v1/automations/${flow}/enroll`, { email: 'ana@example.com' });
  const suppressed = await create(service, '/v1/suppressions', { reason: 'bounced', emails: ['x@example.com'] });
  const message = { from: 'a@example.com', to: 'b@example.com', subject: 'Hi', text: 'Hello' };
  const sent = await create(service, '/v1/emails', message);
  const deliveries = `/v1/webhooks/${hook.id}/deliveries`;
  await until(async () => (await ask('GET', deliveries)).json.data[0].response_status === 500);
  const paths = [
    ...['/v1/automations', '/v1/audiences', '/v1/suppressions', '/v1/webhooks', deliveries],
    ...[`/v1/audiences/${audience}`, `/v1/audiences/${audience}/contacts`, `/v1/webhooks/${hook.id}`],
    ...[`/v1/audiences/${audience}/contacts/ana@example.com?expand=topics`, `/v1/emails/${sent.id}`],
  ];
  const read = await Promise.all(paths.map(async (path) => (await ask('GET', path)).json));
  return [hook, batch, enrolled, suppressed, sent, ...read];
}

async function create({ ask }: Service, path: string, body: object): Promise<{ readonly id: string }> {
  const { status, json } = await ask('POST', path, { body });
  expect(status).toBeLessThan(300);
  return json;
}

interface NamedField {
  readonly name: string;
  readonly value: unknown;
}

/** Every field of every object inside a value. Attributes are left out, because users name them. */
function fieldsOf(value: unknown): NamedField[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const own = Array.isArray(value) ? [] : Object.entries(value).map(([name, held]) => ({ name, value: held }));
  const inside = Object.entries(value).filter(([name]) => name !== 'attributes' && name !== 'topics');
  return [...own, ...inside.flatMap(([, held]) => fieldsOf(held))];
}

test('Common shapes: names every field in snake_case', async () => {
  const names = (await readEverything()).flatMap(fieldsOf).map(({ name }) => name);
  expect(new Set(names).size).toBeGreaterThan(40);
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
});

test('Common shapes: returns timestamps in ISO 8601 UTC with milliseconds', async () => {
  const times = (await readEverything()).flatMap(fieldsOf).filter(({ name }) => name.endsWith('_at'));
  expect(times.length).toBeGreaterThan(15);
  const malformed = times.filter(
    ({ value }) => value !== null && !/^\d{4}(-\d\d){2}T(\d\d:){2}\d\d\.\d{3}Z$/.test(String(value)),
  );
  expect(malformed).toEqual([]);
});

test('Common shapes: returns ids as strings with the prefix of their kind', async () => {
  const ids = (await readEverything()).flatMap(fieldsOf).filter(({ name }) => /^id$|_id$/.test(name));
  const prefixes = new Set(ids.map(({ value }) => /^[a-z]{3}_(?=[a-z0-9]+$)/.exec(String(value))?.[0]));
  expect([...prefixes].sort()).toEqual(['aen_', 'aud_', 'aut_', 'eml_', 'evt_', 'sub_', 'sup_', 'whd_', 'whe_'].sort());
  expect([...prefixes].filter((prefix) => !WORDS.idPrefixes.includes(String(prefix)))).toEqual([]);
});

test('Common shapes: sets the field object, but not in a DELETE response', async () => {
  const { ask, audience } = await startService();
  const objects = (await readEverything()).flatMap((value) => [value, ...fieldsOf(value).map((field) => field.value)]);
  const records = objects.flat().filter((value): value is object => typeof value === 'object' && value !== null);
  const withId = records.filter((record) => 'id' in record);
  expect(new Set(withId.map((record) => Reflect.get(record, 'object')))).toEqual(
    new Set([...['webhook_endpoint', 'email', 'automation', 'audience', 'suppression', 'webhook_delivery', 'contact']]),
  );
  expect(Object.keys((await ask('DELETE', `/v1/audiences/${audience}`)).json)).toEqual(['id', 'deleted']);
});

test('Resources: returns exactly the documented fields', async () => {
  const service = await startService({ allowLoopbackWebhooks: true });
  const { ask, audience, emulator } = service;
  const receiver = await startReceiver(200);
  emulator.admin.createAutomation();
  const hook = await create(service, '/v1/webhooks', { url: receiver.url, events: ['suppression.created'] });
  await create(service, '/v1/suppressions', { reason: 'bounced', emails: ['x@example.com'] });
  const keys = (value: object) => Object.keys(value).sort();
  expect({
    automation: keys((await ask('GET', '/v1/automations')).json.data[0]),
    audience: keys((await ask('GET', `/v1/audiences/${audience}`)).json),
    webhook_endpoint: keys(hook),
    webhook_delivery: keys((await ask('GET', `/v1/webhooks/${hook.id}/deliveries`)).json.data[0]),
  }).toEqual(Object.fromEntries(Object.entries(FIELDS).map(([name, fields]) => [name, [...fields].sort()])));
});

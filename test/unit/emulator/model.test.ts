import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { createHex, people } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createModel, type ModelRequest, type ModelResponse, type ModelState } from './model.ts';

const email = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a@example.com', 'b@example.com', 'c@example.com', 'd@example.com') },
  { weight: 2, arbitrary: fc.constantFrom(' A@Example.com ', 'B@EXAMPLE.COM', 'no-address', 'x@y', '') },
);
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<unknown>('one', 'two', '', null) },
  fc.constantFrom<unknown>(7, true, []),
);
const attributes = fc.dictionary(fc.constantFrom('plan', 'city', 'size'), value, { maxKeys: 3 });
const contact = fc.record(
  {
    email,
    status: fc.constantFrom('subscribed', 'unsubscribed', 'gone'),
    first_name: fc.constantFrom('Ana', 'Bo'),
    attributes,
  },
  { requiredKeys: ['email'] },
);
const key = fc.constantFrom('k1', 'k2', 'k3');
const upsert = fc.boolean();
const requests: fc.Arbitrary<ModelRequest[]> = fc.array(
  fc.oneof(
    fc.record(
      { kind: fc.constant('batch' as const), upsert, contacts: fc.array(contact, { maxLength: 4 }), key },
      { requiredKeys: ['kind', 'upsert', 'contacts'] },
    ),
    fc.record(
      { kind: fc.constant('create' as const), upsert, contact, key },
      { requiredKeys: ['kind', 'upsert', 'contact'] },
    ),
    fc.record(
      {
        kind: fc.constant('suppress' as const),
        reason: fc.constantFrom('bounced', 'complained', 'unsubscribed', 'manual'),
        emails: fc.array(email, { maxLength: 2 }),
        key,
      },
      { requiredKeys: ['kind', 'reason', 'emails'] },
    ),
    fc.record({ kind: fc.constant('enroll' as const), email, attributes, key }, { requiredKeys: ['kind', 'email'] }),
  ),
  { maxLength: 20 },
);

interface Subject {
  readonly emulator: Emulator;
  readonly flow: string;
}

async function send({ emulator, flow }: Subject, request: ModelRequest): Promise<ModelResponse> {
  const contacts = `/v1/audiences/${emulator.audienceId}/contacts`;
  const path = {
    batch: `${contacts}/batch`,
    create: `${contacts}?upsert=${'upsert' in request && request.upsert}`,
    suppress: '/v1/suppressions',
    enroll: `/v1/automations/${flow}/enroll`,
  }[request.kind];
  const { kind, key: own, ...body } = request;
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'content-type': 'application/json',
    ...(own === undefined ? {} : { 'idempotency-key': own }),
  };
  const bytes = Buffer.from(JSON.stringify(kind === 'create' && 'contact' in body ? body.contact : body));
  const response = await emulator.handle({ method: 'POST', path, headers, body: bytes });
  return { status: response.status, says: saysOf(request, JSON.parse(response.body.toString())) };
}

// biome-ignore lint/suspicious/noExplicitAny: the response of any endpoint
function saysOf({ kind }: ModelRequest, json: any): unknown {
  if (json.error !== undefined) {
    return json.error.code;
  }
  const outcome = (result: { status: string; error?: { code: string } }) => result.error?.code ?? result.status;
  return {
    batch: () => json.results.map(outcome),
    create: () => json.email,
    suppress: () => json.total_suppressed_after,
    enroll: () => json.outcome,
  }[kind]();
}

async function read({ emulator, flow }: Subject): Promise<ModelState> {
  const headers = { authorization: `Bearer ${emulator.apiKey}` };
  const get = async (path: string) =>
    JSON.parse((await emulator.handle({ method: 'GET', path, headers, body: Buffer.alloc(0) })).body.toString());
  const audience = `/v1/audiences/${emulator.audienceId}`;
  const contacts = (await get(`${audience}/contacts?limit=100`)).data as ModelState['contacts'];
  const suppressions = (await get('/v1/suppressions?limit=100')).data as { email: string; reason: string }[];
  return {
    contacts: contacts
      .map((item) => ({
        email: item.email,
        status: item.status,
        first_name: item.first_name,
        attributes: item.attributes,
      }))
      .sort((a, b) => (a.email < b.email ? -1 : 1)),
    counts: (await get(audience)).contact_counts,
    suppressions: suppressions.map((item) => [item.email, item.reason] as const).sort(),
    enrolled: emulator.admin
      .enrollments(flow)
      .map((run) => run.email)
      .sort(),
  };
}

test.each([
  { plan: 'paid', seeded: 0 },
  { plan: 'free', seeded: 498 },
] as const)('responds to any request as a model of the document does ($plan plan)', async ({ plan, seeded }) => {
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const emulator = await createEmulator({
        clock: createManualClock(),
        randomHex: createHex('model'),
        plan,
        rateLimit: 0,
      });
      const subject = { emulator, flow: emulator.admin.createAutomation() };
      const model = createModel(plan);
      emulator.admin.addContacts(people(seeded));
      people(seeded).forEach((person) => model.respond({ kind: 'batch', upsert: true, contacts: [person] }));
      for (const request of all) {
        expect({ request, ...(await send(subject, request)) }).toEqual({ request, ...model.respond(request) });
      }
      if (seeded === 0) {
        expect(await read(subject)).toEqual(model.state());
      }
      await emulator.close();
    }),
    { numRuns: plan === 'paid' ? 150 : 40, seed: 20_260_101 },
  );
});

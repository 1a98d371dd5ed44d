import fc from 'fast-check';
import type { ModelRequest } from '../model/service.ts';
import { anyAttributes, anyEmail, audienceName, contact, contacts, email, mostly, numbered, PEOPLE } from './values.ts';

/**
 * A request whose path may name objects by number: `{audience:1}` is the second audience ever made. A number that is
 * too high starts again at the first.
 */
export type RequestPlan = ModelRequest;

type Requests = fc.Arbitrary<RequestPlan>;

const audience = mostly(
  ['{audience:0}', '{audience:0}', '{audience:0}', '{audience:1}', '{audience:1}'],
  ['{audience:2}', '{audience:3}', 'aud_x', 'sub_1'],
  12,
);
const flow = mostly(['{flow:0}', '{flow:1}', '{flow:2}', '{flow:3}'], ['aut_x'], 30);
const apiKey = mostly(['full'], ['plain', 'other', 'none', 'unknown', 'basic', 'revoked', 'test'], 25);
const key = mostly(
  Array.from({ length: 12 }, (_, index) => `k${index}`),
  ['', 'k'.repeat(255), 'k'.repeat(256)],
  5,
);
const contentType = mostly<string | undefined>([undefined], ['text/plain', 'application/json; charset=utf-8'], 40);

/** Unknown fields are dropped, so they may be anywhere. */
const withUnknown = (body: object) => mostly([body], [{ ...body, object: 'x', unknown: 5 }], 20);

export function post(path: fc.Arbitrary<string>, fields: fc.Arbitrary<object>): Requests {
  const text = fc.oneof(
    { weight: 60, arbitrary: fields.chain(withUnknown).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.constantFrom('{"email":', '', '[]', '5', 'null') },
  );
  const maybeKey = fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: key });
  return fc.tuple(path, text, apiKey, maybeKey, contentType).map(([to, body, own, idempotencyKey, type]) => ({
    method: 'POST',
    path: to,
    body,
    apiKey: own,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(type === undefined ? {} : { contentType: type }),
  }));
}

export function bodiless(method: string, path: fc.Arbitrary<string>): Requests {
  return fc.tuple(path, apiKey).map(([to, own]) => ({ method, path: to, apiKey: own }));
}

const batchPath = audience.map((id) => `/v1/audiences/${id}/contacts/batch`);

export const batch = post(
  batchPath,
  fc.record(
    { upsert: mostly<unknown>([true, true, false], ['yes', null], 20), contacts },
    { requiredKeys: ['contacts'] },
  ),
);

/** Batches at the limit of 1,000 items. */
export const bigBatch = post(
  batchPath,
  fc.constantFrom(999, 1000, 1001).map((count) => ({
    upsert: true,
    contacts: numbered(count).map((address) => ({ email: address })),
  })),
);

export const create = post(
  fc
    .tuple(audience, fc.constantFrom('', '?upsert=true', '?upsert=false'))
    .map(([id, query]) => `/v1/audiences/${id}/contacts${query}`),
  contact,
);

const suppressedEmails = fc.oneof(
  { weight: 30, arbitrary: fc.array(email, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], 'ana@example.com', [5], numbered(1000), numbered(1001)) },
);

export const suppress = post(
  fc.constant('/v1/suppressions'),
  fc.record({
    reason: mostly<unknown>(['bounced', 'complained', 'unsubscribed'], ['manual', null], 15),
    emails: suppressedEmails,
  }),
);

export const enroll = post(
  flow.map((id) => `/v1/automations/${id}/enroll`),
  fc.oneof(fc.record({ email: anyEmail }), fc.record({ email: anyEmail, attributes: anyAttributes })),
);

const oneAutomation = fc.nat(3).map((at) => `/v1/automations/{flow:${at}}/enroll`);
const oneBody = (address: string) =>
  fc
    .constantFrom({}, { plan: 'pro' }, { plan: 'basic' }, undefined)
    .map((attributes) => ({ email: address, attributes }));

/** One person, several times into one automation. */
export const enrollAgain: fc.Arbitrary<RequestPlan[]> = fc
  .tuple(oneAutomation, fc.constantFrom(...PEOPLE))
  .chain(([path, address]) =>
    fc
      .array(oneBody(address), { minLength: 3, maxLength: 4 })
      .map((bodies) => bodies.map((body) => ({ method: 'POST', path, body: JSON.stringify(body), apiKey: 'full' }))),
  );

/** Recipients that make things happen, see the guide of the emulator. */
const SPECIAL = ['bounce', 'undetermined', 'softbounce', 'complaint', 'fail'].map((local) => `${local}@example.com`);
const recipients = fc.oneof(
  { weight: 15, arbitrary: fc.array(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 2 }) },
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...SPECIAL), { minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>([], numbered(50), numbered(51), 'bo@example.com', ['x']) },
);

export const send = post(
  fc.constant('/v1/emails'),
  fc.record(
    {
      from: mostly<unknown>(['us@example.com'], [5], 25),
      to: recipients,
      subject: fc.constant('Hello'),
      text: fc.constant('Text'),
      html: mostly<unknown>(['<p>'], [5, null], 25),
    },
    { requiredKeys: ['from', 'to', 'subject', 'text'] },
  ),
);

export const limit = mostly(
  ['', '?limit=1', '?limit=2', '?limit=100'],
  ['?limit=0', '?limit=101', '?limit=1.5', '?limit=x', '?after=x'],
  6,
);
const listPath = fc.oneof(
  fc.constantFrom('/v1/audiences', '/v1/suppressions', '/v1/automations'),
  audience.map((id) => `/v1/audiences/${id}/contacts`),
);

export const list = bodiless(
  'GET',
  fc.tuple(listPath, limit).map((parts) => parts.join('')),
);

const person = fc.oneof(
  email.filter((address) => address !== '').map(encodeURIComponent),
  fc.nat(9).map((at) => `{contact:${at}}`),
);
const contactPath = fc
  .tuple(audience, person, fc.constantFrom('', '?expand=topics'))
  .map(([id, one, query]) => `/v1/audiences/${id}/contacts/${one}${query}`);
const statusPath = mostly(['draft', 'active', 'paused', 'archived'], ['', 'Active', 'x'], 6).map(
  (word) => `/v1/automations?status=${word}`,
);

export const read = bodiless(
  'GET',
  fc.oneof(
    audience.map((id) => `/v1/audiences/${id}`),
    contactPath,
    statusPath,
    fc.constantFrom('/v1/nothing', '/v1', '/v2/audiences'),
  ),
);

const named = fc.record({ name: audienceName }, { requiredKeys: [] });
const audiencePath = audience.map((id) => `/v1/audiences/${id}`);

export const changeAudience = fc.oneof(
  { weight: 5, arbitrary: post(fc.constant('/v1/audiences'), named) },
  { weight: 5, arbitrary: post(audiencePath, named).map((request) => ({ ...request, method: 'PATCH' })) },
  { weight: 1, arbitrary: bodiless('DELETE', audiencePath) },
);

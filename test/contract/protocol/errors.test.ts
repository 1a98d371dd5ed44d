import { expect, test } from 'vitest';
import { ERROR_TABLE } from '../coverage/document.ts';
import { startService } from '../service.ts';

test('Errors: returns code, message, param and request_id in the envelope', async () => {
  const { ask } = await startService();
  const { json } = await ask('POST', '/v1/audiences', { body: {} });
  expect(json).toEqual({
    error: {
      code: 'invalid_request',
      message: expect.any(String),
      param: 'name',
      request_id: expect.stringMatching(/^req_/),
    },
  });
});

test('Errors: returns another request_id with every response', async () => {
  const { ask } = await startService();
  const replies = await Promise.all(['/v1/nothing', '/v1/audiences/aud_x', '/'].map((path) => ask('GET', path)));
  expect(new Set(replies.map(({ json }) => json.error.request_id)).size).toBe(3);
});

test.each([
  { title: 'text that is not JSON', body: 'name=x', type: 'application/json' },
  { title: 'an array', body: [], type: 'application/json' },
  { title: 'another content type', body: { name: 'x' }, type: 'text/plain' },
])('Endpoints, General: responds with 400 invalid_request for $title', async ({ body, type }) => {
  const { ask } = await startService();
  const { status, json } = await ask('POST', '/v1/audiences', { body, headers: { 'content-type': type } });
  expect([status, json.error.code]).toEqual([400, 'invalid_request']);
});

test('Endpoints, General: reads a body as UTF-8 and refuses anything else', async () => {
  const { ask } = await startService();
  const { json, headers } = await ask('POST', '/v1/audiences', { body: { name: 'Łódź 日本 😀' } });
  expect([json.name, headers['content-type']]).toEqual(['Łódź 日本 😀', 'application/json; charset=utf-8']);
  const bytes = Buffer.from('{"name":"caf\xe9"}', 'latin1');
  const refused = await ask('POST', '/v1/audiences', { body: bytes });
  expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_request']);
});

test('Endpoints, General: replaces lone surrogates in names (our reading)', async () => {
  const { ask, audience } = await startService();
  const text = '\ud83d and \ud83d\ude00';
  const topics = { top_1: '\udc00' };
  const person = { email: 'ana@example.com', first_name: text, last_name: 'L', attributes: { a: text }, topics };
  const whole = '\ufffd and \ud83d\ude00';
  const wanted = { first_name: whole, last_name: 'L', attributes: { a: text } };
  const contacts = `/v1/audiences/${audience}/contacts`;
  expect((await ask('POST', contacts, { body: person })).json).toMatchObject(wanted);
  expect((await ask('GET', `${contacts}/ana@example.com?expand=topics`)).json).toMatchObject({
    ...wanted,
    topics,
  });
  const url = 'https://example.com/hook';
  const hook = await ask('POST', '/v1/webhooks', { body: { url, events: ['email.sent'], description: text } });
  const hooks = await ask('GET', '/v1/webhooks');
  expect([hook.json.description, hooks.json.data[0].description]).toEqual([whole, whole]);
  const created = await ask('POST', '/v1/audiences', { body: { name: text } });
  const listed = await ask('GET', '/v1/audiences?limit=1');
  expect([created.json.name, listed.json.data[0].name]).toEqual([whole, whole]);
});

test('Endpoints, General: ignores unknown request fields', async () => {
  const { ask } = await startService();
  const { status, json } = await ask('POST', '/v1/audiences', { body: { name: 'A', created_at: 'x', extra: [1] } });
  expect([status, json.created_at]).toEqual([201, '2026-01-01T00:00:00.000Z']);
});

test.each(ERROR_TABLE)('Errors: responds with %i %s when a scripted fault says so', async (status, code) => {
  const { ask, emulator } = await startService();
  emulator.admin.addFault({ kind: 'error', status, code, when: 'before', times: 1 });
  const reply = await ask('GET', '/v1/audiences');
  expect([reply.status, reply.json.error.code]).toEqual([status, code]);
});

import { expect, test } from 'vitest';
import { people, startService } from '../service.ts';

const emails = (count: number) => people(count).map(({ email }) => email);

test('Suppressions: returns total_suppressed_after, and counts an address once', async () => {
  const { ask } = await startService();
  const first = await ask('POST', '/v1/suppressions', {
    body: { reason: 'bounced', emails: ['A@example.com', 'b@example.com'] },
  });
  const second = await ask('POST', '/v1/suppressions', {
    body: { reason: 'complained', emails: ['a@example.com ', 'c@example.com'] },
  });
  expect([first.status, first.json.total_suppressed_after, second.json.total_suppressed_after]).toEqual([200, 2, 3]);
});

test.each([
  { title: 'no reason', body: { emails: ['a@example.com'] }, code: 'invalid_request', param: 'reason' },
  {
    title: 'a reason that only events use',
    body: { reason: 'hard_bounce', emails: [] },
    code: 'invalid_request',
    param: 'reason',
  },
  { title: 'no emails', body: { reason: 'bounced' }, code: 'invalid_request', param: 'emails' },
  {
    title: 'an email that is not a string',
    body: { reason: 'bounced', emails: [7] },
    code: 'invalid_request',
    param: 'emails',
  },
  {
    title: '1,001 emails',
    body: { reason: 'bounced', emails: emails(1_001) },
    code: 'batch_too_large',
    param: 'emails',
  },
  {
    title: 'an invalid email',
    body: { reason: 'bounced', emails: ['a@example.com', 'x'] },
    code: 'invalid_email',
    param: 'emails[1]',
  },
])('Suppressions: responds with 400 $code and writes nothing for $title', async ({ body, code, param }) => {
  const { ask, emulator } = await startService();
  const { status, json } = await ask('POST', '/v1/suppressions', { body });
  expect([status, json.error.code, json.error.param]).toEqual([400, code, param]);
  expect(emulator.admin.suppressions()).toEqual([]);
});

test('Suppressions: writes valid emails under suppression_invalid_email=skip', async () => {
  const { ask } = await startService({ variants: { suppression_invalid_email: 'skip' } });
  const { json } = await ask('POST', '/v1/suppressions', {
    body: { reason: 'bounced', emails: ['a@example.com', 'x'] },
  });
  expect(json.total_suppressed_after).toBe(1);
});

test('Suppressions: accepts 1,000 emails in one call', async () => {
  const { ask } = await startService();
  const { json } = await ask('POST', '/v1/suppressions', { body: { reason: 'unsubscribed', emails: emails(1_000) } });
  expect(json.total_suppressed_after).toBe(1_000);
});

test('Suppressions: lists at most the requested number, newest first', async () => {
  const { ask } = await startService();
  await ask('POST', '/v1/suppressions', { body: { reason: 'bounced', emails: ['a@example.com', 'b@example.com'] } });
  const { json } = await ask('GET', '/v1/suppressions?limit=1');
  expect(json).toEqual({
    data: [
      {
        id: expect.stringMatching(/^sup_/),
        object: 'suppression',
        email: 'b@example.com',
        reason: 'bounced',
        created_at: '2026-01-01T00:00:00.000Z',
      },
    ],
    has_more: true,
    next_cursor: expect.any(String),
  });
});

test('Suppressions: ids only, no cursor, under suppression_record=id_only', async () => {
  const { ask, emulator } = await startService({
    variants: { suppression_record: 'id_only', suppressions_paging: 'limit_only' },
  });
  emulator.admin.suppress(['a@example.com', 'b@example.com']);
  const { json } = await ask('GET', '/v1/suppressions?limit=1');
  expect(json).toEqual({ data: [{ id: expect.stringMatching(/^sup_/), object: 'suppression' }] });
});

test('Suppressions: hides the suppressions of other organizations', async () => {
  const { ask, emulator } = await startService();
  emulator.admin.suppress(['a@example.com']);
  const other = emulator.admin.createOrganization();
  expect((await ask('GET', '/v1/suppressions', { key: other.apiKey })).json.data).toEqual([]);
  expect((await ask('GET', '/v1/suppressions')).json.data).toMatchObject([{ email: 'a@example.com' }]);
});

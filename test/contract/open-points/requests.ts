import { codeOf, codesOf, type OpenPoint } from './point.ts';

const NAME = { name: 'A' };
const MAIL = { from: 'a@example.com', to: ['ana@example.com'], subject: 's', text: 't' };
const HOOK = { url: 'https://hooks.example.com/', events: ['email.sent'] };

/** Keys, rates, bodies and lists. */
export const REQUEST_POINTS: readonly OpenPoint[] = [
  {
    point: 'stored_scope_errors',
    play: ({ ask, emulator }) => {
      const send = (key: string) => () => ask('POST', '/v1/webhooks', { body: HOOK, idempotencyKey: 'k', key });
      return codesOf([send(emulator.admin.createKey([])), send(emulator.apiKey)]);
    },
    shows: ['insufficient_scope', 201],
  },
  {
    point: 'claim_owner',
    async play({ ask, emulator }) {
      const send = (key: string) => ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k', key });
      await send(emulator.apiKey);
      return (await send(emulator.admin.createKey())).headers['idempotency-replayed'];
    },
    shows: 'true',
  },
  {
    point: 'claim_path',
    play: ({ ask, audience, emulator }) => {
      const body = { contacts: [{ email: 'ana@example.com' }] };
      const send = (id: string) => () =>
        ask('POST', `/v1/audiences/${id}/contacts/batch`, { body, idempotencyKey: 'k' });
      return codesOf([send(audience), send(emulator.admin.createAudience('Other')), send(audience)]);
    },
    shows: [200, 'idempotency_conflict', 200],
  },
  {
    point: 'concurrent_requests',
    async play({ ask }) {
      const send = () => ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
      const replies = await Promise.all([send(), send()]);
      const { data } = (await ask('GET', '/v1/audiences')).json;
      return [...replies.map(codeOf), data.length];
    },
    shows: [201, 201, 2],
  },
  {
    point: 'claim_age',
    async play({ ask, clock, emulator }) {
      const send = () => ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
      const isReplay = async () => (await send()).headers['idempotency-replayed'] === 'true';
      emulator.admin.addFault({ kind: 'lost_claim', effect: false, times: 1 });
      await send().catch(() => undefined);
      await clock.advance(6 * 60_000);
      const replays = [await isReplay()];
      await clock.advance(24 * 3_600_000 - 6 * 60_000 - 1);
      replays.push(await isReplay());
      await clock.advance(1);
      return [...replays, await isReplay()];
    },
    shows: [false, true, false],
  },
  {
    point: 'base_grant',
    play: ({ ask, audience, emulator }) => {
      const key = emulator.admin.createKey([]);
      const send = (path: string, body: object) => () => ask('POST', path, { body, key });
      return codesOf([
        send('/v1/audiences', NAME),
        send(`/v1/audiences/${audience}/contacts/batch`, { contacts: [] }),
        send('/v1/suppressions', { reason: 'bounced', emails: ['x@example.com'] }),
        send('/v1/emails', MAIL),
      ]);
    },
    shows: [201, 200, 200, 200],
  },
  {
    point: 'rate_before_key',
    async play({ ask, emulator }) {
      const leftWith = async (key: string) =>
        (await ask('GET', '/v1/audiences', { key })).headers['ratelimit-remaining'];
      const other = emulator.admin.createOrganization();
      emulator.admin.consumeQuota(100);
      emulator.admin.set({ forbidden: true });
      const refused = [await leftWith('unknown'), await leftWith('service_test_1'), await leftWith(emulator.apiKey)];
      emulator.admin.set({ forbidden: false });
      return [...refused, await leftWith(emulator.apiKey), await leftWith(other.apiKey)];
    },
    shows: ['500', '500', '500', '499', '599'],
  },
  {
    point: 'send_bucket',
    async play({ ask }) {
      const send = (idempotencyKey: string) => ask('POST', '/v1/emails', { body: MAIL, idempotencyKey });
      for (let sent = 0; sent < 120; sent += 1) {
        await send('k');
      }
      return codeOf(await send('k2'));
    },
    shows: 'rate_limit_exceeded',
  },
  {
    // A request that the limit of 600 refuses doesn't count towards the limit of 120 either.
    point: 'rate_counts_refused',
    async play({ ask, clock, emulator }) {
      const send = () => ask('POST', '/v1/emails', { body: MAIL });
      emulator.admin.consumeQuota(600);
      await clock.advance(30_000);
      const full = codeOf(await send());
      await clock.advance(30_000);
      for (let sent = 0; sent < 119; sent += 1) {
        await send();
      }
      return [full, codeOf(await send()), codeOf(await send())];
    },
    shows: ['rate_limit_exceeded', 200, 'rate_limit_exceeded'],
  },
  {
    point: 'cursor_of_another_list',
    async play({ ask, emulator }) {
      emulator.admin.createAudience('Second');
      const { next_cursor: cursor } = (await ask('GET', '/v1/audiences?limit=1')).json;
      return (await ask('GET', `/v1/suppressions?after=${encodeURIComponent(cursor)}`)).status;
    },
    shows: 200,
  },
  {
    point: 'other_methods',
    play: ({ ask, audience }) =>
      codesOf(
        ['PUT', 'POST', 'OPTIONS'].map((method) => () => ask(method, `/v1/audiences/${audience}`, { body: NAME })),
      ),
    shows: ['not_found', 'not_found', 'not_found'],
  },
  {
    point: 'empty_body',
    async play({ ask, audience }) {
      const { status, json } = await ask('POST', '/v1/audiences');
      return [status, json.error.param, (await ask('PATCH', `/v1/audiences/${audience}`)).status];
    },
    shows: [400, 'name', 200],
  },
  {
    point: 'lenient_json',
    async play({ ask }) {
      const bodies = ['\ufeff{"name":"Marked"}', '{"name":"First","name":"Last"}'];
      return Promise.all(bodies.map(async (body) => (await ask('POST', '/v1/audiences', { body })).json.name));
    },
    shows: ['Marked', 'Last'],
  },
  {
    point: 'repeated_parameters',
    async play({ ask }) {
      await ask('POST', '/v1/audiences', { body: '{"name":"Second"}' });
      return (await ask('GET', '/v1/audiences?limit=1&limit=2')).json.data.length;
    },
    shows: 1,
  },
  {
    point: 'delete_body',
    play: ({ ask, audience }) =>
      codesOf(['[]', '{', '{}'].map((body) => () => ask('DELETE', `/v1/audiences/${audience}`, { body }))),
    shows: ['invalid_request', 'invalid_request', 200],
  },
  {
    point: 'live_keys',
    play: async ({ emulator }) => /^svc_emulator_[0-9a-f]{32}$/.test(emulator.admin.createKey()),
    shows: true,
  },
];

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport, WireResponse } from '../../../../src/base/context.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.bounced';
const WITH_FILE = `${CREATE} --secret-file secret`;
const LOST = { kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } } as const;

/** A service whose responses to a creation have no secret, if `isMeant` accepts them. `without` names more fields. */
function withoutSecret(
  isMeant: (response: WireResponse) => boolean,
  { without = [], ...options }: RunOptions & { readonly without?: readonly string[] } = {},
): RunOptions {
  const dropped = ['secret', ...without];
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (request.method !== 'POST' || !isMeant(response)) {
        return response;
      }
      const { 'content-length': _, ...headers } = response.headers;
      const fields = Object.entries(JSON.parse(Buffer.from(response.body).toString()));
      const body = Object.fromEntries(fields.filter(([name]) => !dropped.includes(name)));
      return { ...response, headers, body: Buffer.from(JSON.stringify(body)) };
    },
  });
  return { ...options, transport };
}

const isReplay = ({ headers }: WireResponse) => headers['idempotency-replayed'] === 'true';
const hideInReplays = (options: RunOptions = {}) => withoutSecret(isReplay, options);

async function loseFirstResponse(): Promise<World> {
  const world = await createWorld();
  world.emulator.admin.addFault({ ...LOST, times: 1 });
  return world;
}

const postsOf = (world: World) => world.requests().filter(({ method }) => method === 'POST').length;
const idsOf = (world: World) => world.emulator.admin.webhooks().map(({ id }) => id);

test.each([
  ['a secret file', WITH_FILE, hideInReplays()],
  ['a terminal', CREATE, hideInReplays({ columns: 200 })],
  ['no secret in any response', WITH_FILE, withoutSecret(() => true)],
  ['no time of creation', WITH_FILE, withoutSecret(isReplay, { without: ['created_at', 'status', 'events'] })],
])('names the endpoint when a replay lacks the secret: %s (W1)', async (_, line, options) => {
  const world = await loseFirstResponse();
  const { code, err } = await world.svc(line, options);
  const [id, ...others] = idsOf(world);
  expect([code, postsOf(world), others]).toEqual([1, 2, []]);
  expect(err).toContain(`endpoint ${id} was created, but its secret is lost`);
  expect(err).not.toContain('unknown whether');
  expect(existsSync(join(world.folder, 'secret'))).toBe(false);
  const commands = [...err.matchAll(/: svc ((?:webhooks|runs) delete \S+ --confirm \S+)/g)].map(
    ([, command]) => command,
  );
  expect(commands).toEqual([
    `webhooks delete ${id} --confirm ${id}`,
    expect.stringMatching(/^runs delete (run_\w+) --confirm \1$/),
  ]);
  for (const command of commands) {
    expect((await world.svc(command ?? '')).code).toBe(0);
  }
  expect((await world.svc(WITH_FILE)).code).toBe(0);
  expect(idsOf(world)).toHaveLength(1);
});

test.each([
  ['at once', 'runs resume', 0],
  ['at once', WITH_FILE, 0],
  ['after 3 h', 'runs resume', 3],
  ['after 30 h', 'runs resume', 30],
  ['after 30 h', WITH_FILE, 30],
])('creates no second endpoint for a lost secret %s with %s (W1)', async (_, again, hours) => {
  const world = await loseFirstResponse();
  const first = await world.svc(WITH_FILE, hideInReplays());
  await world.clock.advance(hours * 3_600_000);
  world.requests();
  const { code, err } = await world.svc(again, hideInReplays());
  expect([first.code, code, postsOf(world), idsOf(world).length]).toEqual([1, 1, 0, 1]);
  expect(err).toContain(`endpoint ${idsOf(world)[0]} was created, but its secret is lost`);
});

test('says that the endpoint of a lost secret was deleted since (I7)', async () => {
  const world = await loseFirstResponse();
  await world.svc(WITH_FILE, hideInReplays());
  await world.clock.advance(3_600_000);
  idsOf(world).forEach((id) => world.emulator.admin.deleteWebhook(id));
  const { code, err } = await world.svc('runs resume', hideInReplays());
  expect([code, err]).toEqual([7, expect.stringContaining('was created, and was deleted since')]);
  expect((await world.svc('runs ls --json')).json).toEqual([]);
});

test('writes one error object when a secret is lost with --json (W1)', async () => {
  const world = await loseFirstResponse();
  const { code, out, err } = await world.svc(`${WITH_FILE} --json`, hideInReplays());
  expect([code, out]).toEqual([1, '']);
  expect(JSON.parse(err).error).toMatchObject({ code: 'secret_lost', exit_code: 1 });
});

test.each([['id'], ['url']])('reports an unknown outcome when a replay lacks the %s too (O4)', async (field) => {
  const world = await loseFirstResponse();
  const { code, err } = await world.svc(WITH_FILE, withoutSecret(isReplay, { without: [field] }));
  expect([code, err]).toEqual([1, expect.stringContaining('It is unknown whether it was done')]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createWorld } from '../../../support/world.ts';

type Edit = (fields: Record<string, unknown>) => object;

/** A service that writes other fields than it is asked to, or shows other fields than it wrote. */
function serviceThat({ writes = (fields) => fields, shows = (fields) => fields }: { writes?: Edit; shows?: Edit }) {
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (!['POST', 'PATCH'].includes(request.method) || !request.body) {
        return inner.send(request, signal);
      }
      const body = Buffer.from(JSON.stringify(writes(JSON.parse(request.body.toString()))));
      const response = await inner.send({ ...request, body }, signal);
      return { ...response, body: Buffer.from(JSON.stringify(shows(JSON.parse(response.body.toString())))) };
    },
  });
  return { transport };
}

const CREATE =
  'webhooks create --url https://hooks.example.com --event email.sent --event email.failed --secret-file s';
const without =
  (...names: string[]): Edit =>
  (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

test.each([
  ['webhooks update ID --status paused', without('status'), 'status is "active", and "paused" was asked for'],
  ['webhooks update ID --url https://b.example.com', without('url'), 'and "https://b.example.com" was asked for'],
  ['webhooks update ID --description new', without('description'), 'and "new" was asked for'],
  [
    'webhooks update ID --events email.bounced',
    without('events'),
    'events is email.sent, email.failed, and email.bounced was asked for',
  ],
  ['webhooks update ID --remove-event email.failed', without('events'), 'and email.sent was asked for'],
  ['audiences rename AUD Other', without('name'), 'name is "Newsletter", and "Other" was asked for'],
  [`${CREATE}2`, (fields) => ({ ...fields, events: ['email.sent'] }), 'events is email.sent, and email.sent, email.'],
  [
    `${CREATE}2 --description new`,
    (fields) => ({ ...fields, description: 'old' }),
    'description is "old", and "new" was asked for',
  ],
  ['audiences create Shop', (fields) => ({ ...fields, name: 'Store' }), 'name is "Store", and "Shop" was asked for'],
] satisfies [string, Edit, string][])(
  'exits with 8 when the service stores another value: %s (F5, W3)',
  async (line, writes, says) => {
    const world = await createWorld();
    const { id } = (await world.svc(`${CREATE} --json`)).json;
    const typed = line.replace('ID', id).replace('AUD', world.emulator.audienceId);
    const { code, json, err } = await world.svc(`${typed} --json -q`, serviceThat({ writes }));
    expect([code, JSON.parse(err).error.code, typeof json.id], err).toEqual([8, 'not_as_asked', 'string']);
    expect(JSON.parse(err).error.message).toContain(says);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  },
);

test('keeps the secret when the new endpoint has other values than asked (W1)', async () => {
  const world = await createWorld();
  const { code } = await world.svc(
    CREATE,
    serviceThat({ writes: (fields) => ({ ...fields, events: ['email.sent'] }) }),
  );
  const [endpoint, ...others] = world.emulator.admin.webhooks();
  expect([code, others]).toEqual([8, []]);
  expect(readFileSync(join(world.folder, 's'), 'utf8')).toBe(world.emulator.admin.webhookSecret(endpoint!.id));
});

test.each<[string, string, Edit]>([
  ['another form of the URL', `${CREATE}2`, (fields) => ({ ...fields, url: 'https://hooks.example.com/' })],
  ['events in another order', `${CREATE}2`, (fields) => ({ ...fields, events: ['email.failed', 'email.sent'] })],
  ['no description and no events', `${CREATE}2 --description new`, without('description', 'events')],
  ['no description for an empty one', `${CREATE}2 --description=`, (fields) => ({ ...fields, description: null })],
  ['a trimmed name', 'audiences rename AUD Other', (fields) => ({ ...fields, name: 'Other ' })],
  [
    'a status that the command did not set',
    'webhooks update ID --description new',
    (fields) => ({ ...fields, status: 'failing' }),
  ],
  [
    'events in another order',
    'webhooks update ID --add-event email.bounced',
    (fields) => ({ ...fields, events: ['email.bounced', 'email.failed', 'email.sent'] }),
  ],
])('succeeds when the service shows %s: %s (F5, W3)', async (_, line, shows) => {
  const world = await createWorld();
  const { id } = (await world.svc(`${CREATE} --json`)).json;
  const typed = line.replace('ID', id).replace('AUD', world.emulator.audienceId);
  const { code, err } = await world.svc(`${typed} --json -q`, serviceThat({ shows }));
  expect([code, err]).toEqual([0, '']);
});

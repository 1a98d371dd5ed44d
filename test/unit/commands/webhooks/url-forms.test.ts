import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createWorld } from '../../../support/world.ts';

const CREATE = ['webhooks', 'create', '--event', 'email.sent', '--secret-file', 'secret', '--json'];
const URL_GIVEN = 'https://Hooks.example.com:443';
const LOST = { kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } } as const;
const HOUR = 3_600_000;

/** A service that stores a URL in its normal form and a description without blanks at its ends. */
const normalizing = {
  transport: (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: (request, signal) => {
      if (request.method !== 'POST' || !request.body) {
        return inner.send(request, signal);
      }
      const fields = JSON.parse(request.body.toString());
      const stored = { ...fields, url: new URL(fields.url).href, description: fields.description?.trim() };
      return inner.send({ ...request, body: Buffer.from(JSON.stringify(stored)) }, signal);
    },
  }),
};

describe('the URL of an endpoint, written in several forms', () => {
  test.each([
    ['its URL', ['--url', URL_GIVEN]],
    ['its URL and its description', ['--url', URL_GIVEN, '--description', ' my hook ']],
    ['its description', ['--url', 'https://hooks.example.com/', '--description', 'my hook ']],
  ])('names the endpoint of a lost response when the service changed %s (W1)', async (_, flags) => {
    const world = await createWorld();
    world.emulator.admin.addFault(LOST);
    const line = [...CREATE, ...flags];
    expect((await world.svc(line, normalizing)).code).toBe(1);
    world.emulator.admin.clearFaults();
    const [lost] = world.emulator.admin.webhooks();
    await world.clock.advance(30 * HOUR);
    const { code, err } = await world.svc(line, normalizing);
    expect([code, world.emulator.admin.webhooks().length]).toEqual([0, 2]);
    expect(err).toContain(`Delete it unless you have its secret: svc webhooks delete ${lost?.id}`);
  });

  test('refuses another form of a URL when the first create got no response (W1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(LOST);
    await world.svc([...CREATE, '--url', URL_GIVEN]);
    world.requests();
    const { code, err } = await world.svc([...CREATE, '--url', 'https://hooks.example.com/']);
    expect([code, JSON.parse(err).error.code, world.requests()]).toEqual([2, 'creation_in_doubt', []]);
  });

  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com/',
    'HTTPS://HOOKS.example.com:443/',
    'hooks.example.com',
  ])('finds an endpoint by the URL %s (L3)', async (form) => {
    const world = await createWorld();
    const { id } = (await world.svc([...CREATE, '--url', URL_GIVEN], normalizing)).json;
    expect((await world.svc(['webhooks', 'get', form, '--json'])).json.id).toBe(id);
  });

  test.each([
    'https://hooks.example.com/in',
    'https://hooks.example.com:8443',
    'http://hooks.example.com',
    'hooks.example',
  ])('does not find an endpoint by another URL: %s (L3)', async (form) => {
    const world = await createWorld();
    await world.svc([...CREATE, '--url', URL_GIVEN], normalizing);
    expect((await world.svc(['webhooks', 'get', form, '--json'])).code).toBe(2);
  });

  test('notes another endpoint with the same URL in another form', async () => {
    const world = await createWorld();
    const { id } = (await world.svc([...CREATE, '--url', URL_GIVEN], normalizing)).json;
    const second = await world.svc([...CREATE.with(5, 'other'), '--url', URL_GIVEN]);
    expect([second.code, second.err]).toEqual([0, expect.stringContaining(`${id} has the same URL`)]);
  });
});

import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { createWorld } from '../../support/world.ts';

/** The service responds to each request about one object with another object. */
const another = {
  transport: (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (!/\/(?:webhooks|audiences)\/[^/]+$/.test(request.url.pathname)) {
        return response;
      }
      const id = request.url.pathname.includes('webhooks') ? 'whe_other' : 'aud_other';
      return { ...response, body: Buffer.from(JSON.stringify({ ...JSON.parse(response.body.toString()), id })) };
    },
  }),
};

const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file s --json';

test.each([
  ['webhooks get WHE', 1],
  ['webhooks delete WHE --confirm WHE', 1],
  ['webhooks update WHE --status paused', 1],
  ['webhooks update WHE --add-event email.failed', 1],
  ['audiences get AUD', 1],
  ['audiences rename AUD Other', 1],
  ['audiences delete AUD --confirm Newsletter', 1],
])('exits with 1 when the response is about another object: %s (K2)', async (line, exit) => {
  const world = await createWorld();
  const { id } = (await world.svc(CREATE)).json;
  world.requests();
  const typed = line.replaceAll('WHE', id).replaceAll('AUD', world.emulator.audienceId);
  const { code, out, err } = await world.svc(`${typed} --json`, another);
  expect([code, out, JSON.parse(err).error.code], err).toEqual([exit, '', 'unexpected_answer']);
  expect(world.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);
});

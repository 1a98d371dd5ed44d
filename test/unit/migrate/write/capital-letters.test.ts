import { expect, test } from 'vitest';
import { createWorld, type RunOptions } from '../../../support/world.ts';

/** A service that shows each address in capitals. */
const SHOUTING: RunOptions = {
  transport: (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const text = response.body.toString().replaceAll(/"email":"[^"]*"/g, (field) => {
        const { email } = JSON.parse(`{${field}}`);
        return `"email":${JSON.stringify(email.toUpperCase())}`;
      });
      return request.method === 'GET' ? { ...response, body: Buffer.from(text) } : response;
    },
  }),
};

/** The output and the requests of a command, on a service that shows addresses as given or in capitals. */
async function outcomeOf(line: string, run: RunOptions) {
  const world = await createWorld();
  const others = Array.from({ length: 490 }, (_, n) => ({ email: `other${n}@example.com` }));
  world.emulator.admin.addContacts([
    { email: 'ana@example.com', status: 'unsubscribed' },
    { email: 'ben@example.com' },
    { email: 'anna@bücher.example', status: 'unsubscribed' },
    ...(line.includes('--plan free') ? others : []),
  ]);
  const people = ['ana@example.com', 'ben@example.com', 'anna@xn--bcher-kva.example'];
  const fresh = Array.from({ length: 6 }, (_, n) => `new${n}@example.com`);
  const named = line.startsWith('contacts check') ? people : [...people, ...fresh];
  world.file('list.csv', ['email,status', ...named.map((email) => `${email},subscribed`), ''].join('\n'));
  world.requests();
  const { code, json, err } = await world.svc(`${line} --json --yes`, run);
  const requests = world
    .requests()
    .map(({ method, path, body }) => `${method} ${path} ${body}`.replace(/aud_\w+/, 'aud'));
  return { code, err: err.replaceAll(/(run|aud)_\w+/g, '$1'), counts: json?.rows ?? json?.counts, requests };
}

test.each([
  'contacts import list.csv',
  'contacts import list.csv --explicit-status',
  'contacts import list.csv --plan free',
  'contacts check list.csv',
])('ends the same when the service shows addresses in capitals: %s (F8, C1)', async (line) => {
  const expected = await outcomeOf(line, {});
  expect(expected.requests.length).toBeGreaterThan(2);
  expect(await outcomeOf(line, SHOUTING)).toEqual(expected);
});

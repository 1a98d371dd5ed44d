import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { createWorld } from '../../support/world.ts';

const OTHERS: Readonly<Record<string, object>> = {
  webhooks: { id: 'whe_other' },
  audiences: { id: 'aud_other' },
  contacts: { id: 'sub_other', email: 'other@example.com' },
};

/** The service responds to each request about one object with another object. */
const another = {
  transport: (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const [, kind = ''] = /\/(webhooks|audiences|contacts)\/[^/]+$/.exec(request.url.pathname) ?? [];
      const other = OTHERS[kind];
      return other === undefined
        ? response
        : { ...response, body: Buffer.from(JSON.stringify({ ...JSON.parse(response.body.toString()), ...other })) };
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
  ['contacts get SUB', 1],
  ['contacts get SUB --topics', 1],
  ['contacts get ana@example.com', 1],
])('exits with 1 when the response is about another object: %s (K2)', async (line, exit) => {
  const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
  const { id } = (await world.svc(CREATE)).json;
  const contact = (await world.svc('contacts get ana@example.com --json')).json;
  world.requests();
  const typed = line.replaceAll('WHE', id).replaceAll('AUD', world.emulator.audienceId).replaceAll('SUB', contact.id);
  const { code, out, err } = await world.svc(`${typed} --json`, another);
  expect([code, out, JSON.parse(err).error.code], err).toEqual([exit, '', 'unexpected_answer']);
  expect(world.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test.each([
  ['in capitals', 'Ana@Example.COM', 'ana@example.com'],
  ['that the service shows in capitals', 'ana@example.com', 'ANA@EXAMPLE.COM'],
  ['that the service shows with blanks', 'ana@example.com', ' ana@example.com '],
  ['whose domain the service shows in Punycode', 'ana@bücher.example', 'ana@xn--bcher-kva.example'],
])('contacts get shows the contact of an address %s (F8)', async (_, asked, email) => {
  const world = await createWorld({ seed: { contacts: [{ email: asked.toLowerCase() }] } });
  const { code, json, err } = await world.svc(['contacts', 'get', asked, '--json'], {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        return request.url.pathname.includes('/contacts/')
          ? { ...response, body: Buffer.from(JSON.stringify({ ...JSON.parse(response.body.toString()), email })) }
          : response;
      },
    }),
  });
  expect([code, json.email], err).toEqual([0, email]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { createWorld } from '../../support/world.ts';

/** The names that every JavaScript object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Changes each body that the service sends. */
function withBody(change: (body: Record<string, unknown>) => unknown): (inner: Transport) => Transport {
  return (inner) => ({
    ...inner,
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const body = JSON.parse(response.body.toString()) as Record<string, unknown>;
      return { ...response, body: Buffer.from(JSON.stringify(change(body))) };
    },
  });
}

describe.each(INHERITED)('with the name %s, which each JavaScript object inherits', (name) => {
  test.each([
    ['attribute', (extra: object) => ({ attributes: extra })],
    ['field', (extra: object) => extra],
  ])('exports a value under an inherited name only for its contact: %s (F7)', async (_, shown) => {
    const world = await createWorld({ seed: { contacts: [{ email: 'b@example.com' }, { email: 'a@example.com' }] } });
    const transport = withBody(({ data, ...rest }) => {
      const contacts = (Array.isArray(data) ? data : []).map((contact) =>
        contact.email === 'a@example.com' ? { ...contact, ...shown(Object.fromEntries([[name, 'kept']])) } : contact,
      );
      return data === undefined ? rest : { ...rest, data: contacts };
    });
    expect((await world.svc('contacts export --output list.csv', { transport })).code).toBe(0);
    const [header, ...rows]: string[][] = parse(readFileSync(join(world.folder, 'list.csv')));
    const [email, column] = [header!.indexOf('email'), header!.indexOf(name)];
    expect(rows.map((row) => [row[email], row[column]]).sort()).toEqual([
      ['a@example.com', 'kept'],
      ['b@example.com', ''],
    ]);
  });

  test.each(['--encoding', '--delimiter'])('refuses an inherited name as a value of %s (F7)', async (flag) => {
    const world = await createWorld();
    world.file('list.csv', 'email,city\nana@example.com,Rome\n');
    const { code, err } = await world.svc(`contacts import list.csv --dry-run ${flag} ${name}`);
    expect([code, err], err).toEqual([2, expect.stringContaining(`${flag}: `)]);
  });

  test('shows a webhook endpoint whose status is an inherited name (F7, O6)', async () => {
    const world = await createWorld();
    await world.svc('webhooks create --url https://example.com/hook --event email.bounced --secret-file secret');
    const transport = withBody(({ data, ...rest }) => {
      const endpoints = (Array.isArray(data) ? data : []).map((endpoint) => ({ ...endpoint, status: name }));
      return data === undefined ? { ...rest, status: name } : { ...rest, data: endpoints };
    });
    const { code, out, err } = await world.svc('webhooks ls', { transport, columns: 120 });
    expect([code, out], err).toEqual([0, expect.stringContaining(name.toUpperCase())]);
  });
});

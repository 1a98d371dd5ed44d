import { describe, expect, test } from 'vitest';
import type { Transport, WireResponse } from '../../../src/base/context.ts';
import { createWorld, type World } from '../../support/world.ts';

const KINDS = ['audiences', 'webhooks'] as const;

/** Creates an object and returns its id and the command that deletes it. */
async function lineFor(kind: (typeof KINDS)[number], world: World): Promise<{ id: string; line: string }> {
  const creations = {
    audiences: 'audiences create Shop --json',
    webhooks: 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file s --json',
  };
  const { id } = (await world.svc(creations[kind])).json;
  return { id, line: `${kind} delete ${id} --confirm ${kind === 'webhooks' ? id : 'Shop'} --json` };
}

/** The service responds to each DELETE with `response`. With `effect` it deletes the object. */
function answering(response: WireResponse, effect: boolean) {
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (request.method !== 'DELETE') {
        return inner.send(request, signal);
      }
      if (effect) {
        await inner.send(request, signal);
      }
      return response;
    },
  });
  return { transport };
}

const plain = (status: number, text: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
});

const UNCONFIRMED: readonly (readonly [string, (id: string) => WireResponse])[] = [
  ['an empty 200', () => plain(200, '')],
  ['a queued 202', () => plain(202, '{"status":"queued"}')],
  ['an empty object', () => plain(200, '{}')],
  ['a confirmation without `deleted`', (id) => plain(200, JSON.stringify({ id }))],
  ['a denial', (id) => plain(200, JSON.stringify({ id, deleted: false }))],
  ['a confirmation of another object', () => plain(200, '{"id":"aud_other","deleted":true}')],
];

describe('a deletion', () => {
  test.each(KINDS.flatMap((kind) => UNCONFIRMED.map((row) => [kind, ...row] as const)))(
    'a DELETE in %s ends as unknown after %s when the object stays (I10, O4)',
    async (kind, _, response) => {
      const world = await createWorld();
      const { id, line } = await lineFor(kind, world);
      const { code, out, err } = await world.svc(line, answering(response(id), false));
      expect([code, out, JSON.parse(err).error.code], err).toEqual([1, '', 'in_doubt']);
      expect(err).toContain(`svc ${kind} get ${id}`);
    },
  );

  test.each(KINDS.flatMap((kind) => UNCONFIRMED.map((row) => [kind, ...row] as const)))(
    'a deletion in %s succeeds after %s when a read gets a 404 (I10, W3)',
    async (kind, _, response) => {
      const world = await createWorld();
      const { id, line } = await lineFor(kind, world);
      const { code, json } = await world.svc(line, answering(response(id), true));
      expect([code, json]).toEqual([0, { id, deleted: true }]);
    },
  );

  test.each(KINDS)('a deletion in %s reads nothing back after a confirmation or 204 (W3)', async (kind) => {
    for (const response of [(id: string) => plain(200, JSON.stringify({ id, deleted: true })), () => plain(204, '')]) {
      const world = await createWorld();
      const { id, line } = await lineFor(kind, world);
      world.requests();
      const { code, json } = await world.svc(line, answering(response(id), true));
      expect([code, json]).toEqual([0, { id, deleted: true }]);
      expect(world.requests().at(-1)?.method).toBe('DELETE');
    }
  });

  test("reports an unknown outcome when a deletion's read-back fails (O3)", async () => {
    const world = await createWorld();
    const { id, line } = await lineFor('audiences', world);
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', after: 1, match: { route: 'GET /v1/audiences/*' } });
    const { code, err } = await world.svc(line, answering(plain(200, ''), true));
    expect([code, JSON.parse(err).error], err).toEqual([1, expect.objectContaining({ code: 'in_doubt' })]);
    expect(err).toContain(id);
  });
});

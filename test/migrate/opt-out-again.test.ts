import { expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/faults/fault.ts';
import { people } from '../support/lists.ts';
import { createWorld, type World } from '../support/world.ts';

const BATCH = 'POST /v1/audiences/*/contacts/batch';
const LEFT = [5, 6, 7];

/** A service that signs people up again, three of the list who had left, and this fault as they are put back. */
async function stoppedWorld(fault: Fault, times: number) {
  const world = await createWorld({ quirks: { omitted_status_existing: 'subscribed' } });
  const { admin } = world.emulator;
  admin.addContacts(LEFT.map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })));
  admin.addFault({ ...fault, match: { route: BATCH }, after: 1, times });
  const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid']);
  return { world, stopped };
}

const REFUSED = { kind: 'error', status: 400, code: 'invalid_request', when: 'effect' } as const;
const ROWS = { created: 17, updated: 3, failed: 0, unknown: 0, unsent: 0 };

function statuses({ emulator }: World) {
  return LEFT.map((index) => emulator.admin.contact(`person${index}@example.com`)?.status);
}

test.each([1, 2])(
  'a refusal is for one of those who are put back: the others go on their own, %i refused (P3, C1)',
  async (times) => {
    const { world, stopped } = await stoppedWorld(REFUSED, times);

    expect([stopped.code, stopped.json.error.code]).toEqual([8, 'first_batch']);
    expect(stopped.json.rows).toMatchObject(ROWS);
    expect(statuses(world)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
  },
);

test.each<readonly [string, Fault, number]>([
  ['by a refusal of the request', REFUSED, 3],
  [
    'in the answer',
    {
      kind: 'answer',
      status: 200,
      body: {
        summary: { created: 0, updated: 0, failed: 1 },
        results: [
          { index: 0, status: 'failed', error: { code: 'forbidden' } },
          { index: 1, status: 'failed', error: { code: 'email_suppressed' } },
        ],
      },
      when: 'after',
    },
    1,
  ],
])(
  'who is refused %s is named and keeps nobody else in; a resume tries again under a new key (C1, I1)',
  async (_, fault, times) => {
    const { world, stopped } = await stoppedWorld(fault, times);
    const after = statuses(world);

    world.emulator.admin.setStatus('person5@example.com', 'subscribed');
    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, stopped.json.error]).toMatchObject([
      8,
      { code: 'put_back_refused', message: "signed up again, and can't be put back: person5@example.com" },
    ]);
    expect(stopped.json.error.hint).toContain(`svc runs resume ${stopped.json.run}`);
    expect(after.slice(1)).toEqual(['unsubscribed', 'unsubscribed']);
    expect([resumed.code, resumed.json.error.code]).toEqual([8, 'first_batch']);
    expect([stopped.json.rows, resumed.json.rows]).toMatchObject([ROWS, ROWS]);
    expect(statuses(world)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
  },
);

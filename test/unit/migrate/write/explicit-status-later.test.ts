import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { numberedNames, rowsOf } from '../../../support/nights.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { addressOf, FLAGS, MINUTE, SIGNS_UP, statusesOf, stoppedAtBatches } from '../opt-outs/support.ts';

// With --explicit-status, people whom the service has already go from the first part of a batch to the second.

test.each(['a resume', 'another list'])(
  'rolls back a wrong sign-up of an older svc when %s follows (C1, I9)',
  async (next) => {
    const world = await createWorld({ variants: SIGNS_UP });
    const { admin } = world.emulator;
    const numbers = Array.from({ length: 600 }, (_, index) => index).filter((index) => ![0, 5, 7, 301].includes(index));
    admin.addContacts(numbers.map((index) => ({ email: addressOf(index) })));
    await world.clock.advance(10 * MINUTE);
    const flags = [...FLAGS, '--no-verify', '--explicit-status'];
    const { run } = (await world.svc(['migrate', world.file('list.csv', people(600)), ...flags], stoppedAtBatches()))
      .json;
    admin.addContacts([{ email: addressOf(301), status: 'unsubscribed', unsubscribed_at: 1 }]);
    await world.clock.advance(MINUTE);
    await world.svc('runs resume --json', stoppedAfterPost(2));
    expect(statusesOf(world, [301])).toEqual(['subscribed']);
    forgetFoundThere(world, run);

    const other = ['migrate', world.file('shorter.csv', people(500)), ...flags];
    const { code } = await world.svc(next === 'a resume' ? 'runs resume --json' : other);

    expect([code, ...statusesOf(world, [301])]).toEqual([8, 'unsubscribed']);
  },
);

/** Deletes what earlier versions of svc did not record: who went from the first part to the second. */
function forgetFoundThere(world: World, run: string): void {
  const db = new DatabaseSync(join(world.folder, 'state', 'svc', 'runs', run, 'run.db'));
  const { changes } = db.prepare("DELETE FROM meta WHERE key LIKE '%found_there.%'").run();
  db.close();
  expect(changes).toBe(1);
}

const LIST = rowsOf(numberedNames(12));
const CHANGED = [...rowsOf(numberedNames(11)), ...rowsOf(['p12'], 'Rome')];
const JOINS = 'p5@example.com';

function importOn(world: World, machine: number, rows: readonly string[], given: RunOptions = {}) {
  world.file('list.csv', `email,first_name,city\n${rows.join('\n')}\n`);
  const line = 'contacts import list.csv --default-status subscribed --plan paid --json --no-verify --explicit-status';
  return world.svc(line, { env: { XDG_STATE_HOME: join(world.folder, `machine${machine}`) }, ...given });
}

/** Calls `act` once, before or after the first POST request. */
function atFirstPost(when: 'before' | 'after', act: () => Promise<void>): (inner: Transport) => Transport {
  let isDone = false;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const isMeant = request.method === 'POST' && !isDone;
      isDone ||= isMeant;
      await (isMeant && when === 'before' ? act() : undefined);
      const response = await inner.send(request, signal);
      await (isMeant && when === 'after' ? act() : undefined);
      return response;
    },
  });
}

// Machine 2 imports the same list while the first request of machine 1 waits. A person joins then, so the first part
// of machine 2 refuses them. Another list makes the responses outdated that machine 1 gets.
test.each([
  ['stays', 0, {}],
  ['is deleted', 7, { created: 1, unsent: 11 }],
] as const)('counts each row once when a person joins and then %s (I7, I9, L5)', async (fate, exit, rows) => {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addContacts([{ email: 'someone@example.com' }]);
  const addPerson = async () => void admin.addContacts([{ email: JOINS }]);
  const importMeanwhile = async () => {
    await importOn(world, 2, LIST, { transport: atFirstPost('after', addPerson) });
    await importOn(world, 3, CHANGED);
    if (fate === 'is deleted') {
      admin.deleteContact(JOINS);
    }
  };
  const { code, json } = await importOn(world, 1, LIST, { transport: atFirstPost('before', importMeanwhile) });
  expect([code, json.rows]).toMatchObject([exit, { read: 12, ...rows }]);
});

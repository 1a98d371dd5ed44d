import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interruption } from '../../src/base/lib/exit.ts';
import type { Transport } from '../../src/base/transport.ts';
import { csv, people } from '../support/lists.ts';
import { createWorld } from '../support/world.ts';

const BATCH = 'POST /v1/audiences/*/contacts/batch';

test('everybody of the first batch who was signed up again is put back, and a resume stays stopped (C1)', async () => {
  const world = await createWorld({ quirks: { omitted_status_existing: 'subscribed' } });
  const left = [5, 6, 7, 1_200].map((index) => ({
    email: `person${index}@example.com`,
    status: 'unsubscribed',
    unsubscribed_at: Date.UTC(2024, 1, index % 28),
  }));
  world.emulator.admin.addContacts(left);
  const stopped = await world.svc(['migrate', world.file('list.csv', people(2_000)), '--json', '--plan', 'paid']);
  const resumed = await world.svc('runs resume --json');

  expect([stopped.code, resumed.code]).toEqual([8, 8]);
  expect(resumed.json.rows).toMatchObject({ created: 997, updated: 3, unsent: 1_000 });
  const after = left.map(({ email }) => world.emulator.admin.contact(email)?.status);
  expect(after).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed', 'unsubscribed']);
});

test('people are put back a second time where --again signed them up a second time (C1)', async () => {
  const world = await createWorld({
    quirks: { omitted_status_existing: 'subscribed', unsubscribed_at_on_update: 'honoured' },
  });
  world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  const line = ['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid'];

  const first = await world.svc(line);
  const again = await world.svc([...line, '--again']);

  expect([first.code, again.code]).toEqual([8, 8]);
  expect(world.emulator.admin.contact('person5@example.com')?.status).toBe('unsubscribed');
});

test('and on another machine, where the same bytes would only be replayed (C1, I7)', async () => {
  const world = await createWorld({
    quirks: { omitted_status_existing: 'subscribed', unsubscribed_at_on_update: 'honoured' },
  });
  world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  const line = ['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid'];

  const first = await world.svc(line);
  const other = await world.svc([...line, '--again'], { env: { XDG_STATE_HOME: join(world.folder, 'elsewhere') } });

  expect([first.code, other.code]).toEqual([8, 8]);
  expect(world.emulator.admin.contact('person5@example.com')?.status).toBe('unsubscribed');
});

test('a resume first reads back the batch that was sent before the run was stopped (D1, C1, F5)', async () => {
  const world = await createWorld({ quirks: { omitted_status_existing: 'subscribed' } });
  world.emulator.admin.addContacts([{ email: 'person1500@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  const stop = new AbortController();
  const stopping = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const answer = await inner.send(request, signal);
      if (request.url.pathname.endsWith('/batch')) {
        stop.abort(interruption('SIGINT'));
      }
      return answer;
    },
  });
  const line = ['migrate', world.file('list.csv', people(2_000)), '--json', '--plan', 'paid'];

  const stopped = await world.svc(line, { signal: stop.signal, transport: stopping });
  const resumed = await world.svc('runs resume --json');

  expect([stopped.code, resumed.code, resumed.json.error.code]).toEqual([130, 8, 'first_batch']);
  expect(resumed.json.rows).toMatchObject({ created: 999, updated: 1, unsent: 1_000 });
  expect(world.emulator.admin.contact('person1500@example.com')?.status).toBe('unsubscribed');
});

test('that people are signed up again is noticed also where the first who had left is suppressed (C1)', async () => {
  const world = await createWorld({ quirks: { omitted_status_existing: 'subscribed' } });
  world.emulator.admin.addContacts(
    [3, 4, 5].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed', unsubscribed_at: 1 })),
  );
  world.emulator.admin.suppress(['person3@example.com'], 'bounced');

  const { code } = await world.svc(['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid']);

  expect(code).toBe(8);
  const after = [3, 4, 5].map((index) => world.emulator.admin.contact(`person${index}@example.com`)?.status);
  expect(after).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
});

test('three people of the first batch are looked at before it and read back after it (F5)', async () => {
  const world = await createWorld();
  await world.svc(['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid', '--no-verify']);

  const asked = world.requests().map(({ method, path }) => (method === 'POST' ? method : path.split('/contacts/')[1]));
  const three = ['person0', 'person1', 'person2'].map((name) => `${name}%40example.com`);
  expect(asked.filter((what) => what !== undefined)).toEqual([...three, 'POST', ...three]);
});

test('where the person to be looked at is refused, another one shows what new people become (F5, C1)', async () => {
  const world = await createWorld({ quirks: { omitted_status: 'unsubscribed' } });
  // The whole batch is refused, then the half, and so on, down to the first row alone.
  world.emulator.admin.addFault({
    kind: 'error',
    status: 400,
    code: 'invalid_request',
    when: 'effect',
    match: { route: BATCH },
    times: 5,
  });

  const state = (index: number) => (index === 1 || index === 2 ? 'unsubscribed' : 'subscribed');
  const list = world.file(
    'list.csv',
    csv('email,status', 16, (index) => `person${index}@example.com,${state(index)}`),
  );

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect([code, json.error?.code, json.rows.failed]).toEqual([8, 'first_batch', 1]);
});

test('a person who is in the audience and suppressed is not written, which is no difference (O7)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'person0@example.com', first_name: 'Old' }]);
  world.emulator.admin.suppress(['person0@example.com'], 'bounced');

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid']);

  expect(code).toBe(0);
  expect(json.rows).toMatchObject({ created: 19, already_suppressed: 1 });
});

test('somebody who leaves between the first batch and its reading back does not stop the run (C1)', async () => {
  const world = await createWorld();
  // The batch is written at once, and answered after a while.
  world.emulator.admin.addFault({ kind: 'slow', ms: 5_000, when: 'after', match: { route: BATCH }, times: 1 });
  let written = 0;
  const watching = world.svc(['migrate', world.file('list.csv', people(20)), '--json', '--plan', 'paid']);
  while (written === 0) {
    await world.clock.sleep(100);
    written = world.emulator.admin.contacts().length;
  }
  world.emulator.admin.setStatus('person0@example.com', 'unsubscribed');

  expect((await watching).code).toBe(0);
  expect(world.emulator.admin.contact('person0@example.com')?.status).toBe('unsubscribed');
});

test('a resume sends the batch first whose people were looked at, also when others have left since (D1)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(2_500));
  world.emulator.admin.addContacts([{ email: 'person1500@example.com', first_name: 'Old' }]);
  // The first batch is chosen and its people are looked at; then every attempt to send it fails.
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH } });
  const cut = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  world.emulator.admin.clearFaults();
  world.emulator.admin.setStatus('person1500@example.com', 'unsubscribed');

  const resumed = await world.svc('runs resume --json');

  expect([cut.code, resumed.code]).toEqual([1, 0]);
  expect(resumed.json.rows).toMatchObject({ created: 2_499, updated: 1 });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { csv, people } from '../../../support/lists.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];
const SIGNS_UP_AGAIN = { omitted_status_existing: 'subscribed', unsubscribed_at_on_update: 'honoured' } as const;

/** The people of each sent contact batch, such as `person7`. */
function batches(world: World): string[][] {
  return world
    .requests()
    .filter(({ path }) => path.endsWith('/contacts/batch'))
    .map(({ body }) => JSON.parse(body).contacts.map(({ email }: { email: string }) => email.split('@')[0]));
}

/** The rows of the first rejects file. */
const rejectedRows = (json: CommandResult['json']) =>
  readFileSync(json.files.rejects[0], 'utf8').trimEnd().split('\n').slice(1);

const status = (world: World, index: number) => world.emulator.admin.contact(`person${index}@example.com`)?.status;

describe('the canary: the first people of a run, sent alone and read back', () => {
  test('sends four chosen people first, and reads them back at once (F5, C1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: 'person7@example.com', status: 'unsubscribed' }]);
    const list = csv('email,status,unsubscribed_at,city', 20, (index) => {
      const left = index === 11 || index === 12;
      return `person${index}@example.com,${left ? 'un' : ''}subscribed,${index === 12 ? '2024-02-01T10:00:00Z' : ''},${index === 15 ? 'Oslo' : ''}`;
    });

    const { code } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify']);

    expect(code).toBe(0);
    const asked = world.requests().flatMap(({ method, path, body }) => {
      const who = path.split('/contacts/')[1]?.replace('%40example.com', '');
      return method === 'POST' ? [`${JSON.parse(body).contacts.length} sent`] : (who ?? []);
    });
    const four = ['person0', 'person7', 'person12', 'person15'];
    expect(asked).toEqual([...four, '4 sent', ...four, '20 sent', 'person7']);
  });

  test('counts people of the canary once when batch 1 holds them again (L5)', async () => {
    const world = await createWorld();

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);

    expect(batches(world).map(({ length }) => length)).toEqual([4, 1_000, 1_000]);
    expect([code, json.rows]).toMatchObject([0, { read: 2_000, created: 2_000, updated: 0, unsent: 0 }]);
    expect(json.verification.status).toBe('passed');
  });

  test('sends no batch after the canary when the list has four people (I9)', async () => {
    const world = await createWorld();

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(4)), ...FLAGS]);

    expect([code, json.rows.created]).toEqual([0, 4]);
    expect(batches(world)).toEqual([['person0', 'person1', 'person2', 'person3']]);
  });

  test('stops and opts people out again when the canary signed them up (C1)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    const optedOut = [5, 6, 7, 1_200];
    world.emulator.admin.addContacts(
      optedOut.map((index) => ({
        email: `person${index}@example.com`,
        status: 'unsubscribed',
        unsubscribed_at: Date.UTC(2024, 1, index % 28),
      })),
    );
    const stopped = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);
    const sent = batches(world);
    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, resumed.code]).toEqual([8, 8]);
    expect(sent).toEqual([['person0', 'person5', 'person252', 'person501'], ['person5']]);
    expect(resumed.json.error).toEqual(stopped.json.error);
    expect(resumed.json).toMatchObject({
      phase: stopped.json.phase,
      rows: { created: 3, updated: 1, unsent: 1_996, unknown: 0 },
    });
    expect(batches(world)).toEqual([]);
    expect(optedOut.map((index) => status(world, index))).toEqual(Array(4).fill('unsubscribed'));
  });

  test('opts people out again when a canary with --again signed them up (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
    const line = ['migrate', world.file('list.csv', people(20)), ...FLAGS];

    const first = await world.svc(line);
    const other = await world.svc([...line, '--again'], { env: { XDG_STATE_HOME: join(world.folder, 'elsewhere') } });

    expect([first.code, other.code]).toEqual([8, 8]);
    expect(batches(world)).toEqual([
      ['person0', 'person4', 'person5', 'person10'],
      ['person5'],
      ['person0', 'person4', 'person5', 'person15'],
      ['person5'],
    ]);
    expect(status(world, 5)).toBe('unsubscribed');
  });

  test('reads batch 1 back when the service replays the canary (C1, I7)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    world.emulator.admin.addContacts(
      Array.from({ length: 900 }, (_, index) => ({
        email: `person${index}@example.com`,
        ...([5, 9].includes(index) && { status: 'unsubscribed', unsubscribed_at: 1 }),
      })),
    );
    const line = ['migrate', world.file('list.csv', people(900)), ...FLAGS];
    const first = await world.svc(line);

    const other = await world.svc(line, { env: { XDG_STATE_HOME: join(world.folder, 'elsewhere') } });

    expect([first.code, other.code]).toEqual([8, 8]);
    expect([other.json.rows_replayed, other.json.error.message]).toEqual([
      4,
      'svc read people of batch 1 back and found differences: person5@example.com: was not subscribed, was sent without a status, and is "subscribed" now; also unsubscribed again: person9@example.com',
    ]);
    expect([5, 9].map((index) => status(world, index))).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('reads batch 1 back when a canary person is suppressed (C1, O7)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    world.emulator.admin.addContacts(
      [3, 4, 5].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed', unsubscribed_at: 1 })),
    );
    world.emulator.admin.suppress(['person3@example.com'], 'bounced');

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);

    expect([code, json.error.code]).toEqual([8, 'first_batch']);
    expect(batches(world)).toEqual([
      ['person0', 'person3', 'person7', 'person11'],
      Array.from({ length: 20 }, (_, index) => `person${index}`),
      ['person3', 'person4', 'person5'],
    ]);
    expect([3, 4, 5].map((index) => status(world, index))).toEqual(Array(3).fill('unsubscribed'));
  });

  /** Ends the run after the response to a contact batch. */
  function stopAfterBatch(stop: AbortController) {
    return (inner: Transport): Transport => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const answer = await inner.send(request, signal);
        if (request.url.pathname.endsWith('/batch')) {
          stop.abort(createInterruption('SIGINT'));
        }
        return answer;
      },
    });
  }

  test.each([
    ['signs people up again', { omitted_status_existing: 'subscribed' }],
    ['leaves new people unconfirmed', { omitted_status: 'pending' }],
  ])('reads the canary back in a resume when the service %s (D1, C1)', async (_, variants) => {
    const world = await createWorld({ variants });
    world.emulator.admin.addContacts([{ email: 'person1500@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
    const stop = new AbortController();
    const line = ['migrate', world.file('list.csv', people(2_000)), ...FLAGS];

    const stopped = await world.svc(line, { signal: stop.signal, transport: stopAfterBatch(stop) });
    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, resumed.code, resumed.json.error.code]).toEqual([130, 8, 'first_batch']);
    expect(resumed.json.rows).toMatchObject({ created: 3, updated: 1, unsent: 1_996 });
    expect(status(world, 1_500)).toBe('unsubscribed');
  });

  test('sends the same canary in a resume when another person opted out (D1)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(2_500));
    world.emulator.admin.addContacts([{ email: 'person1500@example.com', first_name: 'Old' }]);
    // The canary is chosen, then each attempt to send it fails.
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH } });
    const cut = await world.svc(['migrate', list, ...FLAGS]);
    const tried = batches(world);
    world.emulator.admin.clearFaults();
    world.emulator.admin.setStatus('person1500@example.com', 'unsubscribed');

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code]).toEqual([1, 0]);
    expect(cut.json.rows.unknown + cut.json.rows.unsent).toBe(2_500);
    expect(batches(world)[0]).toEqual(tried[0]);
    expect(resumed.json.rows).toMatchObject({ created: 2_499, updated: 1 });
  });

  test('counts a canary person only once when their row is refused (P3, L5)', async () => {
    const world = await createWorld({ variants: { batch_invalid_row: 'whole' } });
    const list = people(600).replace('person0@example.com', 'person0@nowhere');

    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

    expect([code, json.rows]).toMatchObject([3, { created: 599, updated: 0, failed: 1, unsent: 0 }]);
    expect(rejectedRows(json)).toEqual([
      expect.stringMatching(/^list\.csv,2,,invalid_email,.*,subscribed,person0@nowhere,Name 0,subscribed$/),
    ]);
    expect(world.emulator.admin.contacts()).toHaveLength(599);
  });

  test('reads the other canary people back when one is refused (F5, C1)', async () => {
    const world = await createWorld({ variants: { omitted_status: 'unsubscribed' } });
    // The canary is refused, then its first half, then the first person alone.
    world.refuse(BATCH, { status: 400, code: 'invalid_request', when: 'effect', times: 3 });

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(16)), ...FLAGS]);

    expect([code, json.error?.code, json.rows.failed, json.rows.unsent]).toEqual([8, 'first_batch', 1, 12]);
    expect(rejectedRows(json)).toEqual([
      'list.csv,2,,invalid_request,A scripted fault. (invalid_request),subscribed,person0@example.com,Name 0,subscribed',
    ]);
    expect(json.error.message.match(/person\d+@/g)).toEqual(['person4@', 'person8@', 'person12@']);
  });

  test('continues the run when a person of the canary is suppressed (O7)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: 'person0@example.com', first_name: 'Old' }]);
    world.emulator.admin.suppress(['person0@example.com'], 'bounced');

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);

    expect(code).toBe(0);
    expect(json.rows).toMatchObject({ created: 19, updated: 0, already_suppressed: 1 });
  });

  test('continues the run when a canary person opts out before read-back (C1)', async () => {
    const world = await createWorld();
    // The canary is written at once, and its response comes later.
    world.emulator.admin.addFault({ kind: 'slow', ms: 5_000, when: 'after', match: { route: BATCH }, times: 1 });
    let written = 0;
    const watching = world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
    while (written === 0) {
      await world.clock.sleep(100);
      written = world.emulator.admin.contacts().length;
    }
    world.emulator.admin.setStatus('person0@example.com', 'unsubscribed');

    expect((await watching).code).toBe(0);
    expect(status(world, 0)).toBe('unsubscribed');
  });

  test('does not call a run "not finished" when its canary people are pending', async () => {
    const world = await createWorld({ variants: { omitted_status: 'pending' } });
    const list = world.file('list.csv', people(20));

    const { code, err } = await world.svc(['migrate', list, '--yes']);

    expect([code, err.includes('was sent without a status and is "pending"')]).toEqual([8, true]);
    expect(err).not.toContain('not finished');
  });
});

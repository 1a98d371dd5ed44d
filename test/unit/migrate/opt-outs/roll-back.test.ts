import { describe, expect, test } from 'vitest';
import type { ScriptedFault } from '../../../../src/emulator/faults/fault.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];
const OPTED_OUT = [5, 6, 7];
const REFUSED = { kind: 'error', status: 400, code: 'invalid_request', when: 'effect' } as const;

/** A run whose canary signed an opted-out person up again. The fault disturbs the request that opts the person out. */
async function stoppedWorld(fault: ScriptedFault) {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed' }]);
  world.emulator.admin.addFault({ ...fault, match: { route: BATCH }, after: 1, times: 1 });
  const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
  return { world, stopped };
}

const ROWS = { created: 3, updated: 1, failed: 0, unknown: 0, unsent: 16 };

function statuses({ emulator }: World) {
  return OPTED_OUT.map((index) => emulator.admin.contact(`person${index}@example.com`)?.status);
}

describe('the roll-back, which opts people out again whom the service signed up', () => {
  test.each<readonly [string, ScriptedFault]>([
    ['refuses the request', REFUSED],
    ['drops the row in silence', { kind: 'drop_rows', rows: 1 }],
  ])('repeats a roll-back under a new key when the service %s (C1, I1)', async (_, fault) => {
    const { world, stopped } = await stoppedWorld(fault);
    const after = statuses(world)[0];

    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, stopped.json.error, after]).toMatchObject([
      8,
      {
        code: 'roll_back_incomplete',
        message: 'the service signed these people up again, and does not opt them out: person5@example.com',
        hint: expect.stringContaining(`svc runs resume ${stopped.json.run}`),
      },
      'subscribed',
    ]);
    expect([resumed.code, resumed.json.error.code]).toEqual([8, 'first_batch']);
    expect([stopped.json.rows, resumed.json.rows]).toMatchObject([ROWS, ROWS]);
    expect(statuses(world)[0]).toBe('unsubscribed');
    const keys = world.requests().flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 1, 2]);
  });

  test('does not repeat a roll-back when the person subscribes again (C1)', async () => {
    const { world } = await stoppedWorld({ kind: 'slow', ms: 10, when: 'after' });
    world.emulator.admin.setStatus('person5@example.com', 'subscribed');

    const resumed = await world.svc('runs resume --json');

    expect([resumed.code, resumed.json.error.code]).toEqual([8, 'first_batch']);
    expect(statuses(world)[0]).toBe('subscribed');
  });

  test('leaves a person subscribed when they rejoin before the next list (C1)', async () => {
    const { world } = await stoppedWorld({ kind: 'slow', ms: 10, when: 'after' });
    world.emulator.admin.setStatus('person5@example.com', 'subscribed');

    const other = await world.svc(['migrate', world.file('other.csv', OTHER_LIST), ...FLAGS]);

    expect([other.code, other.json.error.code, statuses(world)[0]]).toEqual([8, 'first_batch', 'subscribed']);
  });

  test('bisects a roll-back when the service refuses the request (P3, C1)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    const { admin } = world.emulator;
    // The opted-out person of the canary is suppressed, so batch 1 must show how the service treats the others.
    admin.addContacts(
      [0, ...OPTED_OUT].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })),
    );
    admin.suppress(['person0@example.com'], 'bounced');
    admin.addFault({ ...REFUSED, match: { route: BATCH }, after: 2, times: 2 });

    const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);

    expect([stopped.code, stopped.json.error.code]).toEqual([8, 'first_batch']);
    expect(stopped.json.rows).toMatchObject({ failed: 0, already_suppressed: 1, unsent: 0 });
    expect(statuses(world)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
  });

  test('opts people out again after batch 1 when the canary was refused (C1, P3)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    const { admin } = world.emulator;
    admin.addContacts([{ email: 'person0@example.com', status: 'unsubscribed' }]);
    // Refuses the whole canary, its first half, and each of the two people of this half.
    admin.addFault({ ...REFUSED, when: 'before', match: { route: BATCH }, times: 4 });

    const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);

    expect([stopped.code, stopped.json.error.code]).toEqual([8, 'first_batch']);
    expect(stopped.json.error.message).toContain(
      'svc read people of batch 1 back and found differences: person0@example.com',
    );
    expect(admin.contact('person0@example.com')?.status).toBe('unsubscribed');
  });

  test('opts people out after the last batch when read-back missed them (C1, F5)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed', contact_record: 'sparse' } });
    const { admin } = world.emulator;
    admin.addContacts([{ email: 'person19@example.com', status: 'unsubscribed' }]);
    // The service reports that it wrote the whole canary.
    admin.addFault({ kind: 'drop_rows', rows: 1, match: { route: BATCH }, times: 1 });

    const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);

    expect([stopped.code, stopped.json.error]).toMatchObject([
      8,
      {
        code: 'first_batch',
        message: 'after the last batch, people are subscribed who had opted out: person19@example.com',
      },
    ]);
    expect(admin.contact('person19@example.com')?.status).toBe('unsubscribed');
  });

  test('opts people out at a stop when the read-back missed them (C1, F5)', async () => {
    const variants = {
      omitted_status_existing: 'subscribed',
      omitted_status: 'unsubscribed',
      contact_record: 'sparse',
    };
    const world = await createWorld({ variants });
    const { admin } = world.emulator;
    const there = Array.from({ length: 2_000 }, (_, index) => ({ email: `person${index}@example.com` }));
    // Person 1500 also opted out, and is not in batch 1. Only person 900 is new.
    admin.addContacts(there.filter((_, index) => ![999, 900, 1_500].includes(index)));
    admin.addContacts([999, 1_500].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })));
    // The service reports that it wrote the whole canary.
    admin.addFault({ kind: 'drop_rows', rows: 1, match: { route: BATCH }, times: 1 });

    const stopped = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);
    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, resumed.code]).toEqual([8, 8]);
    expect([stopped, resumed].map(({ json }) => json.error.message)).toEqual([
      expect.stringContaining('person999@example.com'),
      expect.stringContaining('person999@example.com'),
    ]);
    expect([999, 1_500].map((index) => admin.contact(`person${index}@example.com`)?.status)).toEqual([
      'unsubscribed',
      'unsubscribed',
    ]);
  });

  test('stops after batch 1 when the service wrote only a part of it (C1, F5)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    const { admin } = world.emulator;
    const optedOut = [0, 995, 1_500].map((index) => `person${index}@example.com`);
    admin.addContacts(optedOut.map((email) => ({ email, status: 'unsubscribed' })));
    // The opted-out person of the canary is suppressed, so batch 1 must show how the service treats person 995.
    admin.suppress(['person0@example.com'], 'bounced');
    admin.addFault({ kind: 'drop_rows', rows: 20, match: { route: BATCH }, after: 1, times: 1 });

    const stopped = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);

    expect([stopped.code, stopped.json.error.code, stopped.json.rows.unsent]).toEqual([8, 'first_batch', 1_000]);
    expect(stopped.json.error.message).toContain('person995@example.com: first_name was sent as "Name 995"');
    expect(admin.contact('person1500@example.com')?.status).toBe('unsubscribed');
  });

  test('opts people out again in a resume after a stop before read-back (D1, C1)', async () => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    const { admin } = world.emulator;
    admin.addContacts(
      [0, ...OPTED_OUT].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })),
    );
    admin.suppress(['person0@example.com'], 'bounced');
    const cut = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS], stoppedAfterPost(2));
    const between = statuses(world);

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code, resumed.json.phase]).toEqual([130, 8, 'first_batch']);
    expect(between).toEqual(['subscribed', 'subscribed', 'subscribed']);
    expect(statuses(world)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
  });

  /** Stops a run after this number of POST requests, before anything is read back. */
  function cutAfter(world: World, posts: number) {
    return world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS], stoppedAfterPost(posts));
  }

  /** People opted out before. If person 0 is suppressed, the canary proves nothing, and svc sends batch 1 alone. */
  async function createOptedOutWorld(variant: 'subscribed' | 'keep', suppressed: boolean) {
    const world = await createWorld({ variants: { omitted_status_existing: variant } });
    const { admin } = world.emulator;
    const left = suppressed ? [0, ...OPTED_OUT] : OPTED_OUT;
    admin.addContacts(left.map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })));
    if (suppressed) {
      admin.suppress(['person0@example.com'], 'bounced');
    }
    return world;
  }

  const OTHER_LIST = people(3).replaceAll('person', 'other');

  describe.each([
    ['the canary', 1, false],
    ['batch 1', 2, true],
  ] as const)('the next run, after a run that stopped before it read %s back', (_, posts, suppressed) => {
    test('the next run opts signed-up people out, and sends no row (C1, G10)', async () => {
      const world = await createOptedOutWorld('subscribed', suppressed);
      const cut = await cutAfter(world, posts);
      const between = statuses(world);

      const other = await world.svc(['migrate', world.file('other.csv', OTHER_LIST), ...FLAGS]);
      const after = statuses(world);
      const third = await world.svc(['migrate', world.file('third.csv', people(2)), ...FLAGS]);

      expect([cut.code, other.code, third.code]).toEqual([130, 8, 8]);
      expect(between).toContain('subscribed');
      expect(after).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
      expect(other.json.error).toMatchObject({
        code: 'first_batch',
        message: expect.stringContaining(`no row was sent: ${cut.json.run} showed`),
        hint: expect.stringContaining(`svc runs delete ${cut.json.run}`),
      });
      expect(world.emulator.admin.contact('other0@example.com')).toBeUndefined();
    });

    test('the next run sends its list when no opted-out person was signed up (C1)', async () => {
      const world = await createOptedOutWorld('keep', suppressed);
      await cutAfter(world, posts);

      const other = await world.svc(['migrate', world.file('other.csv', OTHER_LIST), ...FLAGS]);
      world.emulator.admin.setStatus('person5@example.com', 'subscribed');
      const third = await world.svc([
        'migrate',
        world.file('third.csv', OTHER_LIST.replaceAll('other', 'third')),
        ...FLAGS,
      ]);

      expect([other.code, third.code]).toEqual([0, 0]);
      expect(statuses(world)[0]).toBe('subscribed');
    });
  });

  describe('runs delete', () => {
    test('refuses to delete a run when a person is still signed up (C1)', async () => {
      const { world, stopped } = await stoppedWorld(REFUSED);
      const { run } = stopped.json;
      const refused = await world.svc(`runs delete ${run} --json`);
      expect([refused.code, JSON.parse(refused.err).error]).toMatchObject([
        5,
        {
          code: 'open_opt_outs',
          message: `${run} may have signed up 1 person who had opted out or not confirmed; its folder is the only record of them`,
          hint: expect.stringContaining(`runs delete ${run} --confirm ${run}`),
        },
      ]);
      const resumed = await world.svc(`runs resume ${run} --json`);
      const deleted = await world.svc(/svc (runs delete .*)/.exec(resumed.json.error.hint)?.[1] ?? '');
      expect([resumed.code, statuses(world)[0], deleted.code]).toEqual([8, 'unsubscribed', 0]);
    });

    test.each([
      ['canary', 1, false],
      ['first batch', 2, true],
    ] as const)('refuses to delete a run until its %s was read back (C1)', async (...row) => {
      const [, posts, suppressed] = row;
      const world = await createOptedOutWorld('keep', suppressed);
      const { run } = (await cutAfter(world, posts)).json;
      const refused = await world.svc(`runs delete ${run} --json`);
      await world.svc(['migrate', world.file('other.csv', OTHER_LIST), ...FLAGS]);
      const deleted = await world.svc(`runs delete ${run} --json`);
      expect([refused.code, JSON.parse(refused.err).error.code, deleted.code]).toEqual([5, 'open_opt_outs', 0]);
    });

    test('deletes a completed run in an audience with opted-out people (C1)', async () => {
      const world = await createOptedOutWorld('keep', false);
      const done = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
      expect([done.code, (await world.svc(`runs delete ${done.json.run} --json`)).code]).toEqual([0, 0]);
    });
  });

  test('the next run, of another list, completes a roll-back that failed (C1)', async () => {
    const { world, stopped } = await stoppedWorld(REFUSED);
    const between = statuses(world)[0];

    const other = await world.svc(['migrate', world.file('other.csv', OTHER_LIST), ...FLAGS]);

    expect([stopped.code, between, other.code, other.json.error.code]).toEqual([8, 'subscribed', 8, 'first_batch']);
    expect(statuses(world)[0]).toBe('unsubscribed');
  });
});

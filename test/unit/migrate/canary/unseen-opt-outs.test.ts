import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import type { Emit } from '../../../../src/base/events.ts';
import { csv, people } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { withoutShownOptOuts } from '../opt-outs/support.ts';

const SIGNS_UP_AGAIN = { omitted_status_existing: 'subscribed' } as const;
const FLAGS = ['--json', '--plan', 'paid'];

/** An audience in which people of the list opted out long ago. 1,100 newer contacts fill more than ten pages. */
async function createOldOptOuts(
  variants: Readonly<Record<string, string>>,
  optedOut: readonly number[],
): Promise<World> {
  const world = await createWorld({ variants });
  const { admin } = world.emulator;
  admin.addContacts(
    optedOut.map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed', unsubscribed_at: 1 })),
  );
  await world.clock.advance(1_000);
  admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })));
  return world;
}

const status = (world: World, index: number) => world.emulator.admin.contact(`person${index}@example.com`)?.status;
const batches = (world: World) => world.requests().filter(({ path }) => path.endsWith('/contacts/batch'));

describe('people whose opt-outs the first pages of the audience do not show', () => {
  test('stops after the batch that signs up a person svc could not read (C1)', async () => {
    const world = await createOldOptOuts(SIGNS_UP_AGAIN, [501]);
    const line = ['migrate', world.file('list.csv', people(3_000)), ...FLAGS];

    const { code, json, err } = await world.svc(line, withoutShownOptOuts());

    expect(code).toBe(8);
    expect(json).toMatchObject({ phase: 'first_batch', rows: { created: 999, updated: 1, unsent: 2_000 } });
    expect(err).toContain('the audience has at least 1 unsubscribed person fewer than before');
    expect(batches(world)).toHaveLength(2);
  });

  test('finds an opt-out on unread pages when the list has opt-outs (C1)', async () => {
    const world = await createOldOptOuts(SIGNS_UP_AGAIN, [502]);
    const list = csv(
      'email,status',
      2_000,
      (index) => `person${index}@example.com,${index % 25 ? '' : 'un'}subscribed`,
    );

    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

    expect([code, json.phase]).toEqual([8, 'first_batch']);
    expect(json.rows).toMatchObject({ created: 3, updated: 1, unsent: 1_996 });
    expect(world.emulator.admin.contact('person502@example.com')?.status).toBe('unsubscribed');
  });

  test('the final counts show that a later batch signed a person up (C1, L4)', async () => {
    const world = await createOldOptOuts(SIGNS_UP_AGAIN, [2_500]);

    const line = ['migrate', world.file('list.csv', people(3_000)), ...FLAGS];

    const { code, json } = await world.svc(line, withoutShownOptOuts());

    expect(code).toBe(8);
    expect(json.verification.checks).toContainEqual({
      check: 'opt_outs',
      status: 'failed',
      message: '1 person who had opted out is subscribed again: by this import, or on their own meanwhile',
    });
  });

  describe('people who are pending or bounced', () => {
    async function worldOfUnconfirmed(status: string, variants = {}): Promise<World> {
      const world = await createOldOptOuts(variants, []);
      const { admin } = world.emulator;
      [501, 502, 503].forEach((index) => admin.addContacts([{ email: `person${index}@example.com`, status }]));
      await world.clock.advance(1_000);
      admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `newer${index}@example.com` })));
      return world;
    }

    /** True for the body of a batch of the list, false for the canary. */
    const isRegular = (body: Buffer | undefined) => JSON.parse(String(body)).contacts.length > 10;

    test.each(['pending', 'bounced'])(
      'stops after the batch in which the service subscribes %s people (C1)',
      async (before) => {
        const world = await worldOfUnconfirmed(before, SIGNS_UP_AGAIN);
        const line = ['migrate', world.file('list.csv', people(3_000)), ...FLAGS];
        const { code, json, err } = await world.svc(line, withoutShownOptOuts());
        expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 2_000]);
        expect(err).toContain('3 people of the audience were pending or bounced before the batch, and are subscribed');
        expect(batches(world)).toHaveLength(2);
      },
    );

    test.each([
      ['the service keeps their status', [], 0, false],
      ['one of them confirms during the batch', [501], 0, true],
      ['three of them confirm while the batch waits', [501, 502, 503], 90_000, false],
    ])('continues with pending or bounced people when %s (C1, L2)', async (_, confirming, waitMs, isNoted) => {
      const world = await worldOfUnconfirmed('pending');
      const confirm = withTraffic({
        of: /batch$/,
        before: async ({ body }) => {
          if (isRegular(body)) {
            confirming.forEach((index) => world.emulator.admin.setStatus(`person${index}@example.com`, 'subscribed'));
            await world.clock.advance(waitMs);
          }
        },
      });
      const list = world.file('list.csv', people(3_000));
      const notes: string[] = [];
      const onEvent: Emit = (event) => void (event.type === 'note' && notes.push(event.message));
      const { code, err } = await world.svc(['migrate', list, ...FLAGS], withoutShownOptOuts({ ...confirm, onEvent }));
      expect(code, err).toBe(0);
      expect(notes.some((note) => note.startsWith('One person of the audience was pending'))).toBe(isNoted);
    });

    test('continues when the only opted-out person subscribes again (C1, L2)', async () => {
      const world = await worldOfUnconfirmed('pending');
      world.emulator.admin.addContacts([{ email: 'guest@example.com', status: 'unsubscribed' }]);
      const back = withTraffic({
        of: /batch$/,
        before: ({ body }) => {
          if (isRegular(body)) {
            world.emulator.admin.setStatus('guest@example.com', 'subscribed');
          }
        },
      });
      const list = world.file('list.csv', people(3_000));
      const { code, err, json } = await world.svc(['migrate', list, ...FLAGS], back);
      expect([code, json.rows.unsent, json.verification.status], err).toEqual([0, 0, 'passed']);
      expect(world.emulator.admin.contact('guest@example.com')?.status).toBe('subscribed');
    });
  });

  test.each([
    ['the service keeps opt-outs', {}],
    ['suppressions change the status of contacts', { suppression_marks_contacts: 'yes' }],
  ])('continues when opted-out people are on unread pages and %s (C1)', async (_, variants) => {
    const world = await createOldOptOuts(variants, [10, 500, 2_500]);
    const list = csv(
      'email,status',
      3_000,
      (index) => `person${index}@example.com,${['complained', 'unsubscribed'][index % 40] ?? 'subscribed'}`,
    );
    // Person 80 complains in the list, and opted out in the audience before.
    world.emulator.admin.addContacts([{ email: 'person80@example.com', status: 'unsubscribed' }]);

    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

    expect([code, json.verification.status]).toEqual([0, 'passed']);
    expect([10, 500, 2_500].map((index) => status(world, index))).toEqual(Array(3).fill('unsubscribed'));
  });

  test('continues when unseen opted-out contacts are deleted (C1, L2)', async () => {
    const world = await createOldOptOuts({}, [9_000, 9_001]);
    // svc updates this person, who could be the reason why it counts one opt-out fewer.
    world.emulator.admin.addContacts([{ email: 'person2500@example.com' }]);
    const deleting = (inner: Transport): Transport => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (request.body?.includes('person1500@')) {
          world.emulator.admin.deleteContact('person9000@example.com');
        }
        return inner.send(request, signal);
      },
    });

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(3_000)), ...FLAGS], {
      transport: deleting,
    });

    expect([code, json.rows.unsent, json.verification.status]).toEqual([0, 0, 'passed']);
    expect([status(world, 9_000), status(world, 9_001)]).toEqual([undefined, 'unsubscribed']);
  });

  test('sends nothing when an earlier run found people signed up again (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
    const list = world.file('list.csv', people(20));
    const other = world.file('other.csv', people(20, 100));
    const stopped = await world.svc(['migrate', list, ...FLAGS]);
    world.requests();

    const answers = [
      await world.svc(['migrate', list, ...FLAGS, '--explicit-status']),
      await world.svc(['migrate', other, ...FLAGS]),
    ];

    expect([stopped.code, ...answers.map(({ code }) => code)]).toEqual([8, 8, 8]);
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    for (const { err, json } of answers) {
      expect(err).toContain(`${stopped.json.run} showed that this service signs opted-out people up again`);
      expect(err).toContain(`svc runs delete ${stopped.json.run}`);
      expect(json.rows.unsent).toBe(20);
    }
  });

  test('sends a corrected list when a run that signed people up is deleted (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    world.emulator.admin.addContacts([{ email: 'person5@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
    const stopped = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
    const deleted = await world.svc(['runs', 'delete', stopped.json.run]);
    const corrected = people(20).replace(
      'person5@example.com,Name 5,subscribed',
      'person5@example.com,Name 5,unsubscribed',
    );

    const { code } = await world.svc(['migrate', world.file('corrected.csv', corrected), ...FLAGS]);

    expect([stopped.code, deleted.code, code]).toEqual([8, 0, 0]);
    expect(status(world, 5)).toBe('unsubscribed');
  });

  test('sends nothing when the counts of an earlier run showed a sign-up (C1)', async () => {
    const world = await createOldOptOuts(SIGNS_UP_AGAIN, [501]);
    const list = world.file('list.csv', people(3_000));
    const stopped = await world.svc(['migrate', list, ...FLAGS], withoutShownOptOuts());
    world.requests();

    const resumed = await world.svc('runs resume --json');
    const again = await world.svc(['migrate', list, ...FLAGS, '--again']);

    expect([stopped.code, resumed.code, again.code]).toEqual([8, 8, 8]);
    expect(resumed.json.error.message).toBe(stopped.json.error.message);
    expect(batches(world)).toEqual([]);
  });

  test('continues when an opted-out person on an unread page resubscribes (C1)', async () => {
    const world = await createOldOptOuts({}, [9_000]);
    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS], {
      transport: (inner) => ({
        close: () => inner.close(),
        send: (request, signal) => {
          if (request.body?.includes('person1@')) {
            world.emulator.admin.setStatus('person9000@example.com', 'subscribed');
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect([code, json.rows.created, json.verification.status]).toEqual([0, 2_000, 'passed']);
    expect(status(world, 9_000)).toBe('subscribed');
  });
});

/** A list of new people, and a look-alike of `anni@example.com` in row 20. */
const WITH_LOOK_ALIKE = csv('email,status', 30, (index) =>
  index === 20 ? 'ann\u0130@example.com,subscribed' : `person${index}@example.com,subscribed`,
);

test('opts a person with a look-alike address out again, and stops (C1, F8)', async () => {
  const world = await createWorld({ variants: { ...SIGNS_UP_AGAIN, address_case: 'folded' } });
  const { admin } = world.emulator;
  admin.addContacts([{ email: 'anni@example.com', status: 'unsubscribed' }]);

  const { code } = await world.svc(['migrate', world.file('list.csv', WITH_LOOK_ALIKE), ...FLAGS]);

  expect([code, admin.contact('anni@example.com')?.status]).toEqual([8, 'unsubscribed']);
  // The canary shows what the service does, and svc opts this person out again. Nothing else is sent.
  const sent = batches(world).map(({ body }) => JSON.parse(body).contacts);
  expect(sent).toEqual([
    expect.arrayContaining([{ email: 'anni\u0307@example.com' }]),
    [expect.objectContaining({ email: 'anni\u0307@example.com', status: 'unsubscribed' })],
  ]);
  expect(sent[0]).toHaveLength(4);
});

test('signs up a new person when a similar address had opted out (F8)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'anni@example.com', status: 'unsubscribed' }]);

  const { code } = await world.svc(['migrate', world.file('list.csv', WITH_LOOK_ALIKE), ...FLAGS]);

  expect([code, world.emulator.admin.contact('anni\u0307@example.com')?.status]).toEqual([0, 'subscribed']);
});

import { describe, expect, test } from 'vitest';
import type { Emit } from '../../../../src/base/events.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { everyNth } from '../../../support/sweep.ts';
import { withTraffic } from '../../../support/traffic.ts';
import type { World } from '../../../support/world.ts';
import { addressOf, createAudience, FLAGS, PENDING, SIGNS_UP, sentPeople, setStatuses, statusesOf } from './support.ts';

// The newest 1,000 contacts of the audience are not in the list. So svc sees only later who of the list left. The list
// opts out the people whose numbers are in `optedOut`.
async function createWorldWith(
  count: number,
  optedOut: readonly number[],
  variants: Readonly<Record<string, string>> = SIGNS_UP,
): Promise<World & { readonly line: readonly string[] }> {
  const world = await createAudience(count, variants);
  const status = (index: number) => (optedOut.includes(index) ? 'unsubscribed' : 'subscribed');
  const list = csv('email,first_name,status', count, (index) => `${addressOf(index)},Name ${index},${status(index)}`);
  return { ...world, line: ['migrate', world.file('list.csv', list), ...FLAGS] };
}

const MANY = Array.from({ length: 60 }, (_, index) => 10 + index);

describe.each([
  [1_300, [], []],
  [1_300, [10], []],
  [1_300, [], ['--explicit-status']],
  [1_300, [10], ['--explicit-status']],
  [1_300, [], ['--no-verify']],
  [900, MANY, []],
  // svc looks up the people of so short a list one by one.
  [8, [], []],
  [8, [], ['--no-verify']],
  [8, [2], ['--explicit-status']],
] as const)('a list of %i people', (count, optedOut, flags) => {
  const cases = [
    ...(['unsubscribed', 'pending', 'bounced'] as const).map((status) => [status, SIGNS_UP, 8] as const),
    ['unsubscribed', {}, 0] as const,
  ];
  // Half of the lists play the first and the third case, the others the second and the fourth.
  test.each(everyNth(cases, 2, optedOut.length + flags.length))(
    `${optedOut.length} opt-outs, ${flags}: signs no %s person up, %j (C1)`,
    async (status, variants, code) => {
      const world = await createWorldWith(count, optedOut, variants);
      const optedOutSince = [count - 3, count - 1];
      await setStatuses(world, optedOutSince, status);
      const result = await world.svc([...world.line, ...flags]);
      expect([result.code, result.json.error?.code]).toEqual([code, code === 0 ? undefined : 'first_batch']);
      expect(statusesOf(world, optedOutSince).map((now) => now === 'subscribed')).toEqual([false, false]);
      // A run that stops has sent only the canary, and one person who proves what `upsert: false` does
      // (--explicit-status).
      const isSent = new Set(sentPeople(world).flat());
      expect(code === 0 ? count - isSent.size : Math.max(0, isSent.size - 5)).toBe(0);
    },
  );
});

test.each([1_300, 8])('imports a list of %i people when it opts out all who left before (C1)', async (count) => {
  const world = await createWorldWith(count, [2, count - 1]);
  await setStatuses(world, [2, count - 1], 'unsubscribed');
  const { code, json } = await world.svc(world.line);
  expect([code, json.rows.created + json.rows.updated]).toEqual([0, count]);
  expect(statusesOf(world, [2, count - 1])).toEqual(['unsubscribed', 'unsubscribed']);
});

/** The number of requests that read pages of the audience, and that look up a contact. */
function readsOf(world: World): number[] {
  const paths = world.requests().flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
  const count = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).length;
  return [count(/\/contacts(\?|$)/), count(/\/contacts\/./)];
}

describe('requests before the first people are sent', () => {
  const read = async (count: number, prepare: (world: World) => unknown, optedOut: readonly number[] = []) => {
    const world = await createWorldWith(count, optedOut, {});
    await prepare(world);
    await world.svc([...world.line, '--no-verify'], stoppedAt('never arrives'));
    return readsOf(world);
  };

  test('reads ten pages when they show an opted-out person of the list (C1)', async () => {
    const [pages] = await read(1_300, ({ emulator }) => {
      emulator.admin.deleteContact(addressOf(7));
      emulator.admin.addContacts([{ email: addressOf(7), status: 'unsubscribed' }, PENDING]);
    });
    expect(pages).toBe(10);
  });

  test('reads all pages when the first ten show a pending person only (C1)', async () => {
    const [pages] = await read(1_300, ({ emulator }) => {
      emulator.admin.deleteContact(addressOf(7));
      emulator.admin.addContacts([{ email: addressOf(7), status: 'pending' }]);
    });
    expect(pages).toBe(10 + 25);
  });

  test('reads all pages when the list itself opts out the only person found (C1)', async () => {
    const leave = ({ emulator }: World) => {
      emulator.admin.deleteContact(addressOf(7));
      emulator.admin.addContacts([{ email: addressOf(7), status: 'unsubscribed' }]);
    };
    const [pages] = await read(1_300, leave, [7]);
    expect(pages).toBe(10 + 25);
  });

  test('reads all pages when the list opts out the only pending person (C1)', async () => {
    // The newest pages show one person of each status, and older pages one more.
    const show = async (world: World) => {
      for (const [index, status] of ['unsubscribed', 'pending', 'bounced'].entries()) {
        world.emulator.admin.deleteContact(addressOf(7 + index));
        world.emulator.admin.addContacts([{ email: addressOf(7 + index), status }]);
        await setStatuses(world, [700 + index], status);
      }
    };
    const [shown, optedOut] = [await read(1_300, show), await read(1_300, show, [8])];
    expect([shown[0], optedOut[0]]).toEqual([10, 10 + 25]);
  });

  test('looks people up when the list has fewer people than there are pages (C1)', async () => {
    const [pages, lookUps] = await read(8, () => undefined);
    expect([pages, lookUps]).toEqual([10, 8 + 4]);
  });

  test('reads ten pages when the audience has no opted-out person (C1)', async () => {
    const [pages] = await read(1_300, ({ emulator }) => {
      emulator.admin.deleteContact('old@example.com');
      emulator.admin.addContacts([PENDING]);
    });
    expect(pages).toBe(10);
  });

  test('reads all pages when neither pages nor counts show pending people (C1)', async () => {
    const [pages] = await read(1_300, ({ emulator }) => emulator.admin.deleteContact('old@example.com'));
    expect(pages).toBe(10 + 24);
  });

  test.each([
    ['looks people up', 8, 8 + 4],
    ['looks no one up', 101, 4],
  ])('svc %s when the audience is large, for a list of %i people (C1)', async (_, count, expected) => {
    const [pages, lookUps] = await read(count, ({ emulator }) => {
      emulator.admin.deleteContact('old@example.com');
      emulator.admin.addContacts(Array.from({ length: 9_000 }, (_, index) => ({ email: `new${index}@example.com` })));
    });
    expect([pages, lookUps]).toEqual([10, expected]);
  });
});

// A service that leaves people of one status alone, and signs up those of another.
test.each([
  ['pending', 'unsubscribed'],
  ['bounced', 'unsubscribed'],
  ['unsubscribed', 'pending'],
  ['unsubscribed', 'bounced'],
])('stops when %s people keep their status and %s people are signed up (C1)', async (kept, signedUp) => {
  const world = await createWorldWith(1_300, []);
  world.emulator.admin.deleteContact(addressOf(0));
  await setStatuses(world, [3], kept);
  await setStatuses(world, [1_290, 1_291], signedUp);
  const restore = (body: unknown) => {
    world.emulator.admin.setStatus(addressOf(3), kept);
    return body;
  };
  const options = withTraffic({ of: /batch$/, response: restore });
  const { code } = await world.svc([...world.line, '--no-verify'], options);
  expect([code, statusesOf(world, [3, 1_290, 1_291]).includes('subscribed')]).toEqual([8, false]);
});

test.each(['unsubscribed', 'pending'])(
  'reads all pages when a person of the first pages becomes %s (C1)',
  async (status) => {
    const world = await createWorldWith(1_300, []);
    const { admin } = world.emulator;
    admin.deleteContact('old@example.com');
    await setStatuses(world, [1_290], status);
    // The person leaves after svc counted the contacts, and before it reads the first page.
    let isFirst = true;
    const leave = () => {
      isFirst && admin.setStatus('other1000@example.com', status);
      isFirst = false;
    };
    const { code } = await world.svc(world.line, withTraffic({ of: /contacts$/, before: leave }));
    expect([code, statusesOf(world, [1_290]).includes('subscribed')]).toEqual([8, false]);
  },
);

test('stops without an opt-out when look-ups show no status of contacts (C1)', async () => {
  const world = await createWorldWith(8, [], {});
  const hidden = withTraffic({ of: /^GET .*contacts\/./, response: (body) => ({ ...body, status: undefined }) });
  const back = withTraffic({
    of: /batch$/,
    before: ({ body }) => {
      String(body).includes('person7@') && world.emulator.admin.setStatus('old@example.com', 'subscribed');
    },
  });
  const { code, json } = await world.svc(world.line, {
    transport: (inner) => back.transport(hidden.transport(inner)),
  });
  // svc sent the batch, saw that an opt-out is gone, and does not know whose.
  expect([code, json.error.code, json.rows.updated]).toEqual([8, 'first_batch', 8]);
  expect(new Set(statusesOf(world, [0, 1, 2, 3, 4, 5, 6, 7]))).toEqual(new Set(['subscribed']));
});

test('a resume reads ten pages when the run proved that opt-outs stay (C1)', async () => {
  const world = await createWorldWith(1_300, [], {});
  world.emulator.admin.addContacts([PENDING]);
  await setStatuses(world, [1_299], 'unsubscribed');
  await world.svc([...world.line, '--no-verify'], stoppedAfterPost(2));
  const [before] = readsOf(world);
  await world.clock.advance(3_600_000);
  const { code } = await world.svc('runs resume --json');
  expect([before, code, readsOf(world)[0]]).toEqual([10 + 25, 0, 10]);
});

test('reads all pages when the canary does not show that opt-outs stay (C1)', async () => {
  const world = await createWorldWith(1_300, []);
  const { admin } = world.emulator;
  await setStatuses(world, [1_290], 'unsubscribed');
  // The service refuses the only opted-out person on the first pages.
  admin.deleteContact(addressOf(7));
  admin.addContacts([{ email: addressOf(7), status: 'unsubscribed' }, PENDING]);
  admin.suppress([addressOf(7)], 'complained');
  const { code, json } = await world.svc(world.line);
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(1_290))]);
  expect(statusesOf(world, [7, 1_290])).toEqual(['unsubscribed', 'unsubscribed']);
});

test.each([
  [1_300, 'Reading all contacts of the audience.', 0],
  [8, 'Looking up each person of the list.', 1],
])('notes why svc reads so many contacts, for a list of %i people (C1)', async (count, end, lookingUp) => {
  const world = await createWorldWith(count, [], {});
  const notes: string[] = [];
  const shown: (string | undefined)[] = [];
  const onEvent: Emit = (event) => {
    event.type === 'note' && notes.push(event.message);
    event.type === 'doing' && shown.push(event.what);
  };
  await world.svc(world.line, { onEvent });
  expect(notes.filter((note) => note.endsWith(end))).toHaveLength(1);
  expect(shown.filter((what) => what === 'looking people up')).toHaveLength(lookingUp);
});

test('sends each contact as unsubscribed when each row is an opt-out (C1)', async () => {
  const world = await createAudience(20, SIGNS_UP);
  await setStatuses(world, [10, 11], 'unsubscribed');
  const list = csv('email,status', 20, (index) => `${addressOf(index)},unsubscribed`);
  const { code } = await world.svc(['contacts', 'import', world.file('left.csv', list), ...FLAGS]);
  const requests = world.requests();
  const batches = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  const sent: { email: string; status?: string }[] = batches.flatMap(({ body }) => JSON.parse(body).contacts);
  expect([code, new Set(sent.map(({ email }) => email)).size]).toEqual([0, 20]);
  expect(sent.filter(({ status }) => status !== 'unsubscribed')).toEqual([]);
  expect(requests.filter(({ method, path }) => method === 'GET' && /\/contacts(\?|$)/.test(path))).toHaveLength(10);
});

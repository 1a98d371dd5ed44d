import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/base/events.ts';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';
import {
  createAudience,
  FLAGS,
  MINUTE,
  REFUSED,
  resumeAfter,
  SIGNS_UP,
  sentPeople,
  setStatuses,
  withoutShownOptOuts,
} from '../opt-outs/support.ts';

test.each(['refused', 'lost'])('opts a person out again when they left after the canary was %s (C1)', async (how) => {
  const world = await createAudience(3_000, SIGNS_UP);
  if (how === 'refused') {
    world.emulator.admin.addFault({ ...REFUSED, match: { route: BATCH } });
  }
  await world.svc(['migrate', world.list, ...FLAGS], how === 'lost' ? stoppedAt('never arrives') : {});
  expect(await resumeAfter(world, ['person0@example.com'], 'unsubscribed')).toEqual([8, 'unsubscribed']);
  expect(sentPeople(world)[0]).toContain('person0@example.com');
});

test.each([
  ['two halves', '', { kind: 'error', status: 400, code: 'invalid_request', when: 'before', times: 1 }, 2],
  ['two parts', '--explicit-status', undefined, 1],
] as const)('opts a person out again when they left between %s of the canary (C1)', async (_, flag, fault, posts) => {
  const world = await createAudience(3_000, SIGNS_UP);
  world.emulator.admin.deleteContact('person0@example.com');
  if (fault) {
    world.emulator.admin.addFault({ ...fault, match: { route: BATCH } });
  }
  await world.svc(['migrate', world.list, ...FLAGS, ...(flag ? [flag] : [])], stoppedAfterPost(posts));
  expect(await resumeAfter(world, ['person750@example.com'], 'unsubscribed')).toEqual([8, 'unsubscribed']);
});

test('opts a person out when they joined and left after a refused canary (C1)', async () => {
  const world = await createAudience(3_000, SIGNS_UP, 0);
  const { admin } = world.emulator;
  admin.deleteContact('person0@example.com');
  admin.addFault({ ...REFUSED, match: { route: BATCH } });
  await world.svc(['migrate', world.list, ...FLAGS]);
  admin.addContacts([{ email: 'person0@example.com' }]);
  await world.clock.advance(MINUTE);
  admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })));
  expect(await resumeAfter(world, ['person0@example.com'], 'unsubscribed')).toEqual([8, 'unsubscribed']);
});

test('finds people who left before a resume when older opt-outs exist (C1, L2)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  const gone = Array.from({ length: 20 }, (_, index) => `gone${index}@example.com`);
  const there = Array.from({ length: 3_000 }, (_, index) => `person${index}@example.com`);
  admin.addContacts(there.map((email) => ({ email })));
  admin.addContacts(gone.map((email) => ({ email, status: 'unsubscribed', unsubscribed_at: 1 })));
  await world.clock.advance(10 * MINUTE);
  admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })));
  const rows = [...gone.map((email) => `${email},unsubscribed`), ...there.map((email) => `${email},subscribed`)];
  admin.addFault({ ...REFUSED, match: { route: BATCH } });
  await world.svc(['migrate', world.file('list.csv', `email,status\n${rows.join('\n')}\n`), ...FLAGS]);
  const [code] = await resumeAfter(world, ['person2501@example.com', 'person2502@example.com'], 'unsubscribed');
  expect(code).toBe(8);
});

test.each([403, 404, 409])(
  'finds sign-ups of the canary when its repeat is refused with %i (C1, I2)',
  async (status) => {
    const world = await createAudience(600, SIGNS_UP, 0);
    const { admin } = world.emulator;
    admin.setStatus('person1@example.com', 'unsubscribed');
    admin.addFault({ kind: 'reset', when: 'after', times: 1, match: { route: BATCH } });
    admin.addFault({ ...REFUSED, status, code: 'refused', after: 1, match: { route: BATCH } });
    await world.svc(['migrate', world.list, ...FLAGS]);
    admin.clearFaults();
    const { code } = await world.svc('runs resume --json');
    expect([code, admin.contact('person1@example.com')?.status]).toEqual([8, 'unsubscribed']);
  },
);

// In a list of three, all people are among the first ones, so no later batch finds a sign-up.
test.each([3, 600])('opts a new person out when they left after a lost response, %i rows (C1)', async (count) => {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  admin.addContacts([{ email: 'old@example.com', status: 'unsubscribed', unsubscribed_at: 1 }]);
  await world.svc(['migrate', world.file('list.csv', people(count)), ...FLAGS], stoppedAt('response lost'));
  admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })));
  await world.clock.advance(30 * 60 * MINUTE);
  expect(await resumeAfter(world, ['person0@example.com'], 'unsubscribed')).toEqual([8, 'unsubscribed']);
});

test('exits with 0 when opt-outs are deleted while the list adds others (L2)', async () => {
  const world = await createAudience(3_000, {});
  const { admin } = world.emulator;
  const old = Array.from({ length: 20 }, (_, index) => `gone${index}@example.com`);
  admin.addContacts(old.map((email) => ({ email, status: 'unsubscribed', unsubscribed_at: 1 })));
  await world.clock.advance(MINUTE);
  admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `more${index}@example.com` })));
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    index < 500 ? `new${index}@example.com,unsubscribed` : `person${index}@example.com,subscribed`,
  );
  const list = world.file('list.csv', `email,status\n${rows.join('\n')}\n`);
  await world.svc(['migrate', list, ...FLAGS], stoppedAfterPost(3));
  const { code } = await world.svc(
    'runs resume --json',
    afterPost(1, () => old.forEach((email) => admin.deleteContact(email))),
  );
  expect(code).toBe(0);
});

test.each(['refused', 'stopped'])(
  'the counts show sign-ups of people who left after the run was %s (C1)',
  async (how) => {
    const world = await createAudience(3_000, SIGNS_UP);
    if (how === 'refused') {
      world.emulator.admin.addFault({ ...REFUSED, match: { route: BATCH } });
    }
    const stop = how === 'stopped' ? stoppedAfterPost(2) : {};
    await world.svc(['migrate', world.list, ...FLAGS], withoutShownOptOuts(stop));
    await setStatuses(world, [2_501, 2_502], 'unsubscribed');
    const { code, json } = await world.svc('runs resume --json', withoutShownOptOuts());
    const check = json.verification.checks.find((one: { check: string }) => one.check === 'opt_outs');
    expect([code, check.message]).toEqual([
      8,
      expect.stringMatching(/^2 people who had opted out are subscribed again/),
    ]);
  },
);

test.each(['none', 'stopped', 'refused'])(
  'stops after batch 1 when it signs people up, earlier stop: %s (C1, I7)',
  async (how) => {
    const world = await createWorld({ variants: SIGNS_UP });
    const { admin } = world.emulator;
    const list = world.file('list.csv', people(3_000));
    await world.svc(['migrate', list, ...FLAGS, '--no-verify']);
    await world.clock.advance(MINUTE);
    admin.addContacts(Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })));
    await world.clock.advance(10 * MINUTE);
    [501, 502, 1_501, 1_502, 2_501].forEach((index) => admin.setStatus(`person${index}@example.com`, 'unsubscribed'));
    if (how === 'refused') {
      // The third request is the first batch under a key of the run. The two before it are replays.
      admin.addFault({ ...REFUSED, match: { route: BATCH }, after: 2 });
    }
    const ended = await world.svc(['migrate', list, ...FLAGS], how === 'stopped' ? stoppedAfterPost(3) : {});
    const { code, json } = how === 'none' ? ended : await world.svc('runs resume --json');
    expect([code, Math.floor(json.rows.unsent / 1_000)]).toEqual([8, 2]);
  },
);

test('stops when a resume after a refusal signs a pending person up (C1)', async () => {
  const world = await createAudience(600, SIGNS_UP, 0);
  world.emulator.admin.setStatus('person1@example.com', 'pending');
  world.emulator.admin.addFault({ ...REFUSED, match: { route: BATCH } });
  await world.svc(['migrate', world.list, ...FLAGS]);
  expect((await world.svc('runs resume --json')).code).toBe(8);
});

/** Imports a list, then another version of it on another machine. So a repeat of the first import is outdated (I7). */
async function importTwoVersions(world: World, changed: string): Promise<string> {
  const path = world.file('list.csv', people(600));
  const line = ['migrate', path, ...FLAGS, '--no-verify'];
  await world.svc(line);
  await world.clock.advance(MINUTE);
  world.file('list.csv', people(600).replace(`${changed},`, 'Other,'));
  await world.svc(line, { env: { XDG_STATE_HOME: join(world.folder, 'elsewhere') } });
  await world.clock.advance(MINUTE);
  return world.file('list.csv', people(600));
}

const FIRST = 'person0@example.com';

test('opts a person out again when they left before a new canary (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  const path = await importTwoVersions(world, 'Name 1');
  await world.svc(['migrate', path, ...FLAGS], stoppedAfterPost(1));
  sentPeople(world);
  expect(await resumeAfter(world, [FIRST], 'unsubscribed')).toEqual([8, 'unsubscribed']);
  expect(sentPeople(world).map(({ length }) => length)).toEqual([4, 1]);
});

test('a resume reads the resent canary back when the run did not (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  const line = ['migrate', world.file('list.csv', people(600)), ...FLAGS, '--no-verify'];
  await world.svc(line);
  await world.clock.advance(60 * MINUTE);
  // Only the replay of the batch is outdated: a person changes who is not among the first people.
  ['unsubscribed', 'subscribed'].forEach((status) => admin.setStatus('person301@example.com', status));
  // The requests: first people, batch, and both again. The person leaves before the last one.
  const leave: Emit = (event) =>
    void (event.type === 'progress' && event.phase === 'contacts' && admin.setStatus(FIRST, 'unsubscribed'));
  const { code } = await world.svc(line, { ...stoppedAfterPost(4), onEvent: leave });
  const signedUp = admin.contact(FIRST)?.status;
  const resumed = await world.svc('runs resume --json');
  expect([code, signedUp, resumed.code, admin.contact(FIRST)?.status]).toEqual([130, 'subscribed', 8, 'unsubscribed']);
  expect(resumed.json.error.message).toContain('svc read the first 4 people back and found differences');
});

import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goneOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';

const PEOPLE = numberedNames(40);
const UNSUBSCRIBE = '--gone unsubscribe';

function night(world: World, file: string, more: readonly string[], options: RunOptions & { flags?: string } = {}) {
  const { flags = UNSUBSCRIBE, ...run } = options;
  return runNight(world, rowsOf([...PEOPLE, ...more]), { file, flags: `${flags} --wait 1h`, after: 1_000, ...run });
}

/** Options for a run: calls `act` once, before the first request that `isMeant` accepts. */
function beforeFirst(isMeant: (method: string) => boolean, act: () => Promise<void>): RunOptions {
  let done = false;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        if (!done && isMeant(request.method)) {
          done = true;
          await act();
        }
        return inner.send(request, signal);
      },
    }),
  };
}

/** The finding of this check. */
function findingOf({ json }: CommandResult) {
  return json.findings.find(({ check }: { check: string }) => check === 'newer_list');
}

/** Sends list 3 after the command of list 2 was given, and before that one has the audience. */
async function overtakenNight(flags: string, files = ['users-2.csv', 'users-3.csv']) {
  const [second = '', third = ''] = files;
  const world = await createWorld();
  await night(world, 'users-1.csv', []);
  const newer: CommandResult[] = [];
  const older = await night(world, second, ['n1'], {
    flags,
    ...beforeFirst(
      () => true,
      async () => void newer.push(await night(world, third, ['n1', 'n2'], { flags })),
    ),
  });
  return { world, older, newer: newer[0]! };
}

test.each([
  [UNSUBSCRIBE, /^If this list is older, leave it out\. Only to send it all the same:\nsvc .* --gone report/],
  ['--gone report', /^If this list is older, leave it out\. Only .* give the same command again\.$/],
  ['', /^If this list is older, leave it out\. Only .* give the same command again\.$/],
])('refuses a list that waited while a newer one was sent, flags "%s" (G7)', async (flags, hint) => {
  const { world, older, newer } = await overtakenNight(flags);
  expect([newer.code, older.code, older.json.error.code]).toEqual([0, 5, 'newer_list']);
  expect(older.json.error.message).toContain(`while this run waited, ${newer.json.run} sent a list of the same name`);
  expect(older.json.error.hint).toMatch(hint);
  expect([statusOf(world, 'n1'), statusOf(world, 'n2')]).toEqual(['subscribed', 'subscribed']);
});

test('sends the waiting list when the newer list is the same file (G7)', async () => {
  const { older } = await overtakenNight('--gone report', ['users.csv', 'users.csv']);
  expect([older.code, findingOf(older)]).toEqual([0, undefined]);
});

test('sends each list when the waiting run has the newer list (G7)', async () => {
  const world = await createWorld();
  await night(world, 'users-1.csv', []);
  const started: Promise<CommandResult>[] = [];
  const first = await night(
    world,
    'users-2.csv',
    ['n1'],
    beforeFirst(
      (method) => method === 'POST',
      async () => void started.push(night(world, 'users-3.csv', ['n1', 'n2'])),
    ),
  );
  const [second] = await Promise.all(started);
  expect([first.code, second?.code, findingOf(second!)]).toEqual([0, 0, undefined]);
  expect(statusOf(world, 'n2')).toBe('subscribed');
});

/** Sends a list whose file was last changed some minutes ago, after a newer list of this name. */
async function olderFile(flags: string, minutes = 61) {
  const world = await createWorld();
  await night(world, 'users-3.csv', ['n1', 'n2']);
  const changed = Date.now() / 1_000 - minutes * 60;
  const rows = rowsOf([...PEOPLE, 'n1']);
  utimesSync(world.file('users-2.csv', ['email,first_name,city', ...rows, ''].join('\n')), changed, changed);
  const send = (flag: string) =>
    world.svc(`contacts import users-2.csv --default-status subscribed --plan paid --only-changed ${flag} --json`);
  return { world, send, first: await send(flags) };
}

test('an older file unsubscribes people only after a --gone report (G7)', async () => {
  const { world, send, first } = await olderFile(UNSUBSCRIBE);
  const path = join(world.folder, 'users-3.csv');
  expect([first.code, first.json.error.code, statusOf(world, 'n2')]).toEqual([5, 'newer_list', 'subscribed']);
  expect(first.json.error.message).toBe(
    `nothing was sent: the file of this list was changed before ${path}, the last list of this name: this list may be older, and 1 person of the last one would be unsubscribed`,
  );
  expect(first.json.error.hint).toMatch(/^If this list is older, leave it out\. .*\nsvc .* --gone report/);
  expect(goneOf(await send('--gone report'))).toEqual(['n2 reported']);
  expect(goneOf(await send(UNSUBSCRIBE))).toEqual(['n2 unsubscribed']);
});

test('unsubscribes people when the last file is only 50 minutes newer (G7)', async () => {
  expect(goneOf((await olderFile(UNSUBSCRIBE, 50)).first)).toEqual(['n2 unsubscribed']);
});

test.each(['--gone report', ''])('warns about a list whose file is older than the last one, %s (G7)', async (flags) => {
  const { first } = await olderFile(flags);
  expect([first.code, findingOf(first).level]).toEqual([0, 'warn']);
});

import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const LOST = {
  kind: 'reset',
  when: 'after',
  match: { route: 'POST /v1/automations/*/enroll' },
  times: 1,
} as const;

/** A finished enrollment whose first person has an unknown outcome. */
async function createUnknown(people = 1) {
  const world = await createAutomationWorld(addresses(people));
  world.emulator.admin.addFault({ ...LOST, times: people });
  const { json } = await world.enroll(bare(addresses(people)), ['--at-most-once', '--concurrency', '1']);
  expect(json.rows.unknown).toBe(people);
  const { run, files } = json as { run: string; files: { unknown: string } };
  return { world, run, files };
}

test('svc runs delete keeps unknown outcomes, and prints svc runs resolve (I3)', async () => {
  const { world, run } = await createUnknown();
  const { code, err } = await world.svc(`runs delete ${run} --json --state-dir ${world.folder}/state/svc`);
  const { message, hint } = JSON.parse(err).error;
  const where = `svc --state-dir ${world.folder}/state/svc runs`;
  expect([code, message, hint.split('\n')]).toEqual([
    5,
    `${run} has 1 row with an unknown outcome; its folder is the only record of it`,
    [
      `To record who was enrolled, after you looked in the app: ${where} resolve ${run}`,
      `Only if you no longer need this record: ${where} delete ${run} --confirm ${run}`,
    ],
  ]);
});

test('svc runs prune keeps unknown outcomes, and prints svc runs resolve (I3)', async () => {
  const { world, run } = await createUnknown();
  expect((await world.svc('runs prune --keep 0')).out).toBe(
    `Kept ${run}: 1 row with an unknown outcome. To record who was enrolled, after you looked in the app: svc runs resolve ${run}\n`,
  );
});

test('svc runs resume prints svc runs resolve when outcomes are unknown (I3)', async () => {
  const { world, run } = await createUnknown();
  const { code, err } = await world.svc('runs resume latest');
  expect([code, err]).toEqual([2, expect.stringContaining(`svc runs resolve ${run}\n`)]);
});

test('svc runs resolve prints each command when it has no terminal (I3)', async () => {
  const { world, run, files } = await createUnknown();
  const { code, err } = await world.svc(`runs resolve ${run} --json`);
  expect([code, JSON.parse(err).error.hint.split('\n')]).toEqual([
    2,
    [
      `Look up each person of ${files.unknown} in the app. For one person, give --enrolled <address> or --not-enrolled <address>.`,
      'Only if all of them were enrolled:',
      `svc runs resolve ${run} --json --all enrolled`,
      'Only if none of them was enrolled:',
      `svc runs resolve ${run} --json --all not-enrolled`,
    ],
  ]);
});

test('svc runs resolve prints the next command when people stay unknown (I3)', async () => {
  const { world, run } = await createUnknown(3);
  const where = `--state-dir ${world.folder}/state/svc`;
  const { code, out } = await world.svc(`runs resolve ${run} ${where} --enrolled person1@example.com`);
  expect([code, out]).toEqual([
    3,
    `1 enrolled, 0 not enrolled; 2 people still unknown.\nTo decide about them: svc ${where} runs resolve ${run}\n`,
  ]);
});

test('svc runs resolve prints no next step when no person stays unknown (I3)', async () => {
  const { world, run } = await createUnknown(2);
  const { code, out } = await world.svc(`runs resolve ${run} --all enrolled --yes`);
  expect([code, out]).toEqual([0, '2 enrolled, 0 not enrolled.\n']);
});

test.each([
  ['the first', 1, 'Nothing was recorded.'],
  ['the third', 3, '2 decisions recorded.'],
])('svc runs resolve reports its decisions after Ctrl-C at %s question (I3)', async (_, nth, text) => {
  const { world, run } = await createUnknown(3);
  const stopper = new AbortController();
  let questions = 0;
  const { code, err } = await world.svc(`runs resolve ${run}`, {
    answers: ['y', 'n', 'y'],
    signal: stopper.signal,
    onAsk: () => {
      questions += 1;
      if (questions === nth) {
        const interruption = createInterruption('SIGINT');
        stopper.abort(interruption);
        throw interruption;
      }
    },
  });
  const shown = err.replaceAll(/\s+/g, ' ');
  expect([code, shown]).toEqual([
    130,
    expect.stringContaining(`${text} To decide about the others: svc runs resolve ${run}`),
  ]);
});

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cityOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const REFUSAL = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
const FLAGS = '--plan paid --json';

/** An import of a.csv that stops after its first people. Its person p8 is not sent. */
async function createUnfinished(flags = '') {
  const world = await createWorld();
  world.file('a.csv', `${['email,first_name,city', ...rowsOf(numberedNames(8))].join('\n')}\n`);
  world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
  const { json } = await world.svc(`contacts import a.csv --default-status subscribed ${FLAGS} ${flags}`);
  expect(statusOf(world, 'p8')).toBeUndefined();
  return { world, run: json.run as string };
}

/** A list of other people. Its requests send a suppression, then the first people, then the rest. */
function otherPeople(world: World): string {
  const rows = ['q1,', 'q2,', 'q3,', 'q4,', 'q5,', 'q6,', 'q7,bounced'].map((row) => row.replace(',', '@example.com,'));
  world.file('b.csv', `${['email,status', ...rows.map((row) => row.replace(/,$/, ',subscribed'))].join('\n')}\n`);
  return `migrate b.csv ${FLAGS}`;
}

/** Makes the n-th POST request from 1 end in one of these ways. Returns the state folder to go on with. */
const ENDS: Readonly<Record<string, (world: World, nth: number) => { options: RunOptions; state?: string }>> = {
  'refused by the service': (world, nth) => {
    world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: nth - 1, match: { route: 'POST *' } });
    return { options: {} };
  },
  'without a route': (_, nth) => ({ options: stoppedAt('no route', nthPost(nth)) }),
  'lost on the way': (_, nth) => ({ options: stoppedAt('never arrives', nthPost(nth)) }),
  'without its response': (_, nth) => ({ options: stoppedAt('response lost', nthPost(nth)) }),
  // The copy is what a kill leaves on the disk before the first byte of this request.
  'the last before a kill': (world, nth) => {
    const isNth = nthPost(nth);
    const killed = join(world.folder, 'killed');
    const transport: RunOptions['transport'] = (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (isNth(request)) {
          cpSync(join(world.folder, 'state'), killed, { recursive: true });
        }
        return inner.send(request, signal);
      },
    });
    return { options: { transport }, state: killed };
  },
};

function nthPost(nth: number) {
  let posts = 0;
  return ({ method }: { readonly method: string }) => {
    posts += method === 'POST' ? 1 : 0;
    return method === 'POST' && posts === nth;
  };
}

describe('an unfinished run after a run of other people', () => {
  test.each([
    ['refused by the service', [0, 0, 5]],
    ['without a route', [0, 0, 5]],
    ['lost on the way', [0, 5, 5]],
    ['without its response', [0, 5, 5]],
    ['the last before a kill', [0, 5, 5]],
  ] as const)('continues unless the other run may have written, request %s (G10)', async (end, codes) => {
    for (const [index, code] of codes.entries()) {
      const { world, run } = await createUnfinished();
      const line = otherPeople(world);
      const { options, state } = ENDS[end]!(world, index + 1);
      await world.svc(line, options);
      world.emulator.admin.clearFaults();
      const env = state === undefined ? {} : { XDG_STATE_HOME: state };
      const listed = (await world.svc('runs ls --json', { env })).json.find((one: { run: string }) => one.run === run);
      const resumed = await world.svc(`runs resume ${run} --json`, { env });
      const found = [listed.finished, resumed.code, statusOf(world, 'p8')];
      // `runs prune` deletes a finished run.
      const right = code === 0 ? [false, 0, 'subscribed'] : [true, code, undefined];
      expect(found, `request ${index + 1}`).toEqual(right);
    }
  });
});

describe('an unfinished run after a list without a contact request', () => {
  test('an older run does not continue when the newer list changes nothing (G10)', async () => {
    let idle = 0;
    for (let get = 1; get < 12; get += 1) {
      const world = await createWorld();
      const names = numberedNames(8);
      await runNight(world, rowsOf(names));
      let gets = 0;
      const isNthGet = ({ method }: { readonly method: string }) => method === 'GET' && ++gets === get;
      const edited = [...rowsOf(names.slice(1)), ...rowsOf(['p1'], 'Oslo')];
      await runNight(world, edited, { file: 'users-2.csv', ...stoppedAt('never arrives', isNthGet) });
      const [older] = (await world.svc('runs ls --json')).json;
      const { json } = await runNight(world, rowsOf(names), { file: 'users-3.csv', flags: '--wait 1h' });
      if (older.finished === false) {
        idle += json.rows.created + json.rows.updated === 0 ? 1 : 0;
        expect((await world.svc(`runs resume ${older.run} --json`)).code, `request ${get}`).toBe(5);
      }
      expect(cityOf(world, 'p1')).toBe('Lisbon');
    }
    expect(idle).toBeGreaterThan(0);
  });

  test.each([
    ['continues when a list of other files has no contact', 'b.csv', 0, 'subscribed'],
    ['does not continue when a newer version of its file has no contact', 'a.csv', 5, undefined],
  ])('an unfinished run %s (G10)', async (_, file, code, status) => {
    const { world, run } = await createUnfinished();
    world.file(file, 'email,status\nq1@example.com,bounced\n');
    const { json } = await world.svc(`migrate ${file} ${FLAGS}`);
    expect([json.exit_code, json.rows.suppressed]).toEqual([0, 1]);
    expect((await world.svc(`runs resume ${run} --json`)).code).toBe(code);
    expect(statusOf(world, 'p8')).toBe(status);
  });
});

test('a refused run overtakes an older run when its resume writes (G10)', async () => {
  const { world, run } = await createUnfinished();
  const refused = ENDS['refused by the service']!(world, 2).options;
  const newer = await world.svc(otherPeople(world), refused);
  const [before] = (await world.svc('runs ls --json')).json.filter((one: { run: string }) => one.run === run);
  expect(before.finished).toBe(false);
  expect((await world.svc(`runs resume ${newer.json.run} --json`)).code).toBe(0);
  expect((await world.svc(`runs resume ${run} --json`)).code).toBe(5);
});

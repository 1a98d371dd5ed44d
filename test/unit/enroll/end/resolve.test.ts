import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import type { RunOptions } from '../../../support/world.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from '../support.ts';

const LOST = { kind: 'lost_claim', effect: false, match: { route: 'POST /v1/automations/*/enroll' } } as const;

/** A run whose three enrollments got no response. */
async function threeUnknown() {
  const world = await createAutomationWorld(addresses(3));
  world.emulator.admin.addFault(LOST);
  const { json } = await world.enroll(bare(addresses(3)));
  world.emulator.admin.clearFaults();
  world.requests();
  return { world, run: String(json.run) };
}

test('runs resolve leaves a person unknown when the user gives no answer', async () => {
  const { world, run } = await threeUnknown();

  const first = await world.svc(['runs', 'resolve', run], { answers: ['y', 'n', ''] });
  expect({ code: first.code, asks: first.err.match(/was this person enrolled/g)?.length }).toEqual({
    code: 3,
    asks: 3,
  });
  const second = await world.svc(['runs', 'resolve', run, '--json', '--all', 'enrolled']);

  expect(second.json).toEqual({ run, enrolled: 1, not_enrolled: 0, unknown: 0 });
  expect((await world.svc(['runs', 'show', run, '--json'])).json.rows).toMatchObject({
    enrolled: 2,
    unsent: 1,
    unknown: 0,
  });
});

test('the next run enrolls only people who were resolved as not enrolled', async () => {
  const { world, run } = await threeUnknown();
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled', '--not-enrolled', 'Person1@example.com']);

  const { json } = await world.enroll(bare(addresses(3)));

  expect(json.skipped).toEqual({ enrolled_before: 2 });
  expect(world.asked().map((request) => request.body)).toEqual(['{"email":"person1@example.com"}']);
});

test.each([
  ['that of the later run is unknown too', undefined, { enrolled_before: 3 }],
  ['that of the later run is resolved', 'not-enrolled', { enrolled_before: 3 }],
])('keeps the enrollment of an earlier run when %s (M5)', async (_, later, skipped) => {
  const { world, run } = await threeUnknown();
  world.emulator.admin.addFault(LOST);
  const second = await world.enroll(bare(addresses(3)), ['--reenroll']);
  world.emulator.admin.clearFaults();
  if (later !== undefined) {
    await world.svc(['runs', 'resolve', String(second.json.run), '--all', later]);
  }
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled']);
  expect((await world.enroll(bare(addresses(3)))).json.skipped ?? {}).toEqual(skipped);
});

test('runs resolve updates the report once every outcome is known', async () => {
  const { world, run } = await threeUnknown();
  const show = async () => (await world.svc(['runs', 'show', run, '--json'])).json;
  const listed = async () => (await world.svc('runs ls --json')).json[0];
  const standing = async () => {
    const { status, exit_code, next } = await show();
    return {
      status,
      exit_code,
      resolve: next.some((step: string) => step.includes('resolve')),
      ls: (await listed()).status,
    };
  };

  const before = await standing();
  await world.svc(['runs', 'resolve', run, '--enrolled', 'person0@example.com']);
  const half = await standing();
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled']);
  const after = await standing();

  const partial = { status: 'partial', exit_code: 3, resolve: true, ls: 'partial' };
  expect([before, half]).toEqual([partial, partial]);
  expect(after).toEqual({ status: 'completed', exit_code: 0, resolve: false, ls: 'completed' });
});

test('runs show says partial when a person was resolved as not enrolled (L5)', async () => {
  const { world, run } = await threeUnknown();
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled', '--not-enrolled', 'person1@example.com']);

  const { json } = await world.svc(['runs', 'show', run, '--json']);

  expect(json).toMatchObject({ status: 'partial', exit_code: 3, rows: { enrolled: 2, unsent: 1, unknown: 0 } });
  expect((await world.svc(['runs', 'show', run])).out).not.toContain('accounted for');
});

test('runs delete needs no --confirm once the outcomes of a run are resolved', async () => {
  const { world, run } = await threeUnknown();
  expect((await world.svc(['runs', 'delete', run])).code).toBe(5);
  expect((await world.svc(['runs', 'resolve', run, '--all', 'not-enrolled'])).code).toBe(0);
  expect((await world.svc(['runs', 'delete', run])).code).toBe(0);
});

test('runs resolve resolves nothing without a terminal and without flags', async () => {
  const { world, run } = await threeUnknown();
  expect((await world.svc(['runs', 'resolve', run])).code).toBe(2);
  expect((await world.svc(['runs', 'show', run, '--json'])).json.rows.unknown).toBe(3);
});

test('runs resolve refuses a run that is not an enrollment', async () => {
  const world = await createAutomationWorld([]);
  const { json } = await world.svc([
    'migrate',
    world.file('list.csv', 'email,status\na@example.com,subscribed\n'),
    '--json',
  ]);
  expect((await world.svc(['runs', 'resolve', json.run, '--all', 'enrolled'])).code).toBe(2);
});

test.each(['a dry run', 'a refused run'])(
  'runs resolve says that nothing was sent when the run is %s',
  async (kind) => {
    const world = await createAutomationWorld(addresses(2));
    if (kind === 'a refused run') {
      world.emulator.admin.setAutomationStatus(world.automation, 'archived');
    }
    const { json } = await world.enroll(bare(addresses(2)), kind === 'a dry run' ? ['--dry-run'] : []);
    const [listed] = (await world.svc('runs ls --json')).json;
    expect(json.run).toBe(listed.run);
    const { code, err } = await world.svc(['runs', 'resolve', json.run, '--all', 'enrolled', '--json']);
    const { error } = JSON.parse(err);
    expect([code, error.code, error.message]).toEqual([
      2,
      'not_resolvable',
      `${json.run} sent nothing: there is nothing to resolve`,
    ]);
    expect(error.hint).not.toContain('resume');
  },
);

test('skips a person whose unknown outcome is resolved during the run (L5)', async () => {
  const world = await createAutomationWorld(addresses(3));
  world.emulator.admin.addFault(LOST);
  const unknown = await world.enroll(bare(addresses(1, 1)), ['--at-most-once']);
  world.emulator.admin.clearFaults();
  const resolve = () => world.svc(['runs', 'resolve', String(unknown.json.run), '--all', 'not-enrolled']);
  const { code, json } = await world.enroll(bare(addresses(3)), [], afterFirstPost(resolve));
  expect([code, json.status, counts(json.rows), json.skipped]).toEqual([
    0,
    'completed',
    { read: 3, enrolled: 2, skipped: 1 },
    { enrolled_before: 1 },
  ]);
  expect(linesOf(json.files.outcomes)).toEqual(['line,email,outcome', '3,person1@example.com,enrolled_before']);
  await world.clock.advance(600_000);
  const next = await world.enroll(bare(addresses(3)));
  expect([counts(next.json.rows), world.enrolled().length]).toEqual([{ read: 3, enrolled: 1, skipped: 2 }, 3]);
});

/** Options for a run: `act` ends before the response of the first POST request arrives. */
function afterFirstPost(act: () => Promise<unknown>): RunOptions {
  let done = false;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (request.method === 'POST' && !done) {
          done = true;
          await act();
        }
        return response;
      },
    }),
  };
}

test.each([
  ['the same decision again', ['--not-enrolled', 'person1@example.com'], 3],
  ['the other decision', ['--enrolled', 'person1@example.com'], 2],
  ['the other decision beside an open one', ['--enrolled', 'person1@example.com', '--all', 'enrolled'], 2],
  ['a person who was enrolled', ['--not-enrolled', 'person3@example.com'], 2],
  ['a person who is not in the list', ['--not-enrolled', 'person9@example.com'], 2],
])('runs resolve accepts the same decision again, and no other: %s', async (_, words, exit) => {
  const world = await createAutomationWorld(addresses(4));
  world.emulator.admin.addFault({ ...LOST, after: 1 });
  const { run } = (await world.enroll(bare([...addresses(1, 3), ...addresses(3)]))).json;
  world.emulator.admin.clearFaults();
  await world.svc(['runs', 'resolve', run, '--not-enrolled', 'person1@example.com']);

  const { code } = await world.svc(['runs', 'resolve', run, ...words]);

  const { rows } = (await world.svc(['runs', 'show', run, '--json'])).json;
  expect([code, counts(rows)]).toEqual([exit, { read: 4, enrolled: 1, unsent: 1, unknown: 2 }]);
});

test('runs resolve refuses a person who is unknown only in the ledger', async () => {
  const world = await createAutomationWorld(addresses(2));
  await world.enroll(bare(addresses(2)), ['--concurrency', '1'], stoppedAfterPost(1));
  const [runs = ''] = globSync('**/runs', { cwd: world.folder });
  const [place, backup] = [join(world.folder, runs), join(world.folder, 'backup')];
  cpSync(place, backup, { recursive: true });
  world.emulator.admin.addFault(LOST);
  const { run } = (await world.svc('runs resume --json')).json;
  world.emulator.admin.clearFaults();
  rmSync(place, { recursive: true });
  cpSync(backup, place, { recursive: true });
  const restored = await world.svc('runs resume --json');

  const { code, err } = await world.svc(['runs', 'resolve', run, '--not-enrolled', ...addresses(1, 1)]);

  expect(counts(restored.json.rows)).toEqual({ read: 2, enrolled: 1, skipped: 1 });
  expect([code, err]).toEqual([2, expect.stringContaining('person1@example.com has no unknown outcome')]);
});

test('runs resolve finds a person under another spelling of the address (F8)', async () => {
  const world = await createAutomationWorld(['ann@bücher.example']);
  world.emulator.admin.addFault(LOST);
  const { run } = (await world.enroll(bare(['ann@bücher.example']))).json;
  world.emulator.admin.clearFaults();
  const resolve = (...words: string[]) => world.svc(['runs', 'resolve', run, ...words, '--json']);
  const both = await resolve('--enrolled', 'ann@bücher.example', '--not-enrolled', 'Ann@xn--bcher-kva.example');

  const { code, json } = await resolve('--enrolled', 'Ann@xn--bcher-kva.example');

  expect([both.code, code, json.enrolled]).toEqual([2, 0, 1]);
});

test.each([
  ['not-enrolled', 'before', { read: 2, enrolled: 1, already_enrolled: 1 }],
  ['enrolled', 'after', { read: 2, skipped: 2 }],
] as const)('enrolls one of two look-alikes when both are resolved as %s (F8)', async (decision, when, rows) => {
  const member = 'anni@example.com';
  const variants = { variants: { address_case: 'folded' } } as const;
  const world = await createAutomationWorld([member], { reentry: 'always' }, variants);
  world.emulator.admin.addFault({ kind: 'reset', when, match: LOST.match, times: 6 });
  const list = bare(['ann\u0130@example.com', member]);
  const first = await world.enroll(list);
  await world.svc(['runs', 'resolve', String(first.json.run), '--all', decision]);
  const again = await world.enroll(list);

  expect(counts(first.json.rows)).toEqual({ read: 2, unknown: 2 });
  expect([again.code, counts(again.json.rows)]).toEqual([0, rows]);
  expect(world.enrolled()).toEqual([member]);
});

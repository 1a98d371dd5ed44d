import { expect, test } from 'vitest';
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
  ['that of the later run is resolved', 'not-enrolled', {}],
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

test('runs resolve refuses a run that is no enrollment', async () => {
  const world = await createAutomationWorld([]);
  const { json } = await world.svc([
    'migrate',
    world.file('list.csv', 'email,status\na@example.com,subscribed\n'),
    '--json',
  ]);
  expect((await world.svc(['runs', 'resolve', json.run, '--all', 'enrolled'])).code).toBe(2);
});

test('a run keeps skipping a person who is resolved meanwhile (L5)', async () => {
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
  ['not-enrolled', 'before', { read: 2, enrolled: 1, already_enrolled: 1 }],
  ['enrolled', 'after', { read: 2, skipped: 2 }],
] as const)('runs resolve asks about a look-alike of an unknown row: %s (F8)', async (decision, when, rows) => {
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

import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { addresses, bare, counts, createAutomationWorld, linesOf } from '../support.ts';

const ENROLL = { match: { route: 'POST /v1/automations/*/enroll' } } as const;
const LOST = { kind: 'lost_claim', effect: true, ...ENROLL } as const;

test('records an unknown enrollment after 4 min 30 s without a response (I3)', async () => {
  const world = await createAutomationWorld(addresses(4));
  world.emulator.admin.addFault({ ...LOST, after: 1, times: 1 });

  const { code, json } = await world.enroll(bare(addresses(4)), ['--concurrency', '1']);

  expect({ code, rows: counts(json.rows) }).toEqual({ code: 3, rows: { read: 4, enrolled: 3, unknown: 1 } });
  const asked = world.asked().filter((request) => request.body.includes('person1@'));
  const [first, last] = [asked[0]?.at ?? 0, asked.at(-1)?.at ?? 0];
  expect(new Set(asked.map((request) => request.headers['idempotency-key'])).size).toBe(1);
  // Attempts are at most 15 s apart, so the last one starts shortly before the end of the window.
  expect(last - first).toBeGreaterThan(4.25 * 60_000);
  expect(last - first).toBeLessThanOrEqual(4.5 * 60_000);
  expect(world.enrolled()).toEqual(addresses(4));
  expect(linesOf(json.files.unknown)).toEqual(['line,email,outcome', '3,person1@example.com,unknown']);
  expect(json.next).toEqual([
    `Look in the app whether the people of ${json.files.unknown} were enrolled. Then: svc runs resolve ${json.run}`,
  ]);
});

test.each([
  ['the connection is reset after the effect', { kind: 'reset', when: 'after' }],
  ['the connection is reset before the effect', { kind: 'reset', when: 'before' }],
  ['the response is cut', { kind: 'cut' }],
  ['a proxy responds with HTML', { kind: 'html', status: 502, when: 'after' }],
  ['the key is in flight for 15 s', { kind: 'in_flight', seconds: 15 }],
] as const)('repeats the same key and enrolls the person once when %s (I4)', async (_, fault) => {
  const world = await createAutomationWorld(addresses(3), { reentry: 'always' });
  world.emulator.admin.addFault({ ...fault, ...ENROLL, times: 2 });

  const { code, json } = await world.enroll(bare(addresses(3)));

  expect({ code, rows: counts(json.rows) }).toEqual({ code: 0, rows: { read: 3, enrolled: 3 } });
  expect(world.enrolled().sort()).toEqual(addresses(3));
});

test.each([
  ['the connection is reset', { kind: 'reset', when: 'after' }],
  ['the key is in flight', { kind: 'in_flight', seconds: 40 }],
  ['the response is a server error', { kind: 'error', status: 500, code: 'internal_error', when: 'before' }],
] as const)('sends an enrollment only once with --at-most-once when %s', async (_, fault) => {
  const world = await createAutomationWorld(addresses(2));
  world.emulator.admin.addFault({ ...fault, ...ENROLL, times: 1 });

  const { code, json } = await world.enroll(bare(addresses(2)), ['--at-most-once', '--concurrency', '1']);

  expect({ code, rows: counts(json.rows) }).toEqual({ code: 3, rows: { read: 2, enrolled: 1, unknown: 1 } });
  expect(world.asked().filter((request) => request.body.includes('person0@'))).toHaveLength(1);
  expect(linesOf(json.files.unknown)).toEqual(['line,email,outcome', '2,person0@example.com,unknown']);
});

test('repeats an enrollment after a 429 even with --at-most-once', async () => {
  const world = await createAutomationWorld(addresses(2));
  world.emulator.admin.addFault({ kind: 'rate_limited', retry_after: '3', ...ENROLL, times: 1 });
  expect((await world.enroll(bare(addresses(2)), ['--at-most-once'])).json.rows.enrolled).toBe(2);
  expect(world.enrolled().sort()).toEqual(addresses(2));
});

test('keeps the key of an enrollment when the service replays a 500 (I2)', async () => {
  const world = await createAutomationWorld(addresses(1));
  world.emulator.admin.addFault({ kind: 'error', status: 500, code: 'internal_error', when: 'effect', ...ENROLL });

  const { code, json } = await world.enroll(bare(addresses(1)));

  expect({ code, unknown: json.rows.unknown }).toEqual({ code: 3, unknown: 1 });
  expect(new Set(world.asked().map((request) => request.headers['idempotency-key'])).size).toBe(1);
});

test('repeats no enrollment with an unknown outcome when the list has changed', async () => {
  const world = await createAutomationWorld(addresses(2));
  world.emulator.admin.addFault({ ...LOST, times: 1 });
  await world.enroll(bare(addresses(1)));
  world.requests();

  const second = await world.enroll(bare(addresses(2)));

  expect(second.json.skipped).toEqual({ enrolled_before: 1 });
  expect(world.asked().map((request) => request.body)).toEqual(['{"email":"person1@example.com"}']);
});

test('warns about people whose outcome in an earlier run is unknown (M5)', async () => {
  const world = await createAutomationWorld(addresses(3));
  world.emulator.admin.addFault({ ...LOST, times: 1 });
  const first = await world.enroll(bare(addresses(3)));
  const unknownBefore = async () => {
    const { json } = await world.enroll(bare(addresses(3)), ['--dry-run']);
    return json.findings.filter(({ check }: { check: string }) => check === 'unknown_before');
  };
  const hint = `svc runs resolve ${first.json.run}`;
  expect(await unknownBefore()).toMatchObject([{ level: 'warn', total: 1, hint }]);
  await world.svc(`runs resolve ${first.json.run} --all enrolled`);
  expect(await unknownBefore()).toEqual([]);
});

test('stops an enrollment after ten unknown outcomes in a row', async () => {
  const world = await createAutomationWorld(addresses(100));
  world.emulator.admin.addFault({ ...LOST, effect: false });

  const { code, json } = await world.enroll(bare(addresses(100)));

  expect(code).toBe(1);
  // When the tenth outcome in a row is unknown, up to three further requests are in flight.
  expect(json.rows.unknown).toBeGreaterThanOrEqual(10);
  expect(json.rows.unknown).toBeLessThanOrEqual(13);
  expect(json.rows.unsent).toBe(100 - json.rows.unknown);
  expect(new Set(world.asked().map(({ body }) => body)).size).toBe(json.rows.unknown);
});

test('enrolls a person once when the network fails after the request (I2)', async () => {
  const world = await createAutomationWorld(addresses(1), { reentry: 'always' });
  let isLost = false;
  const lostRoute = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (isLost) {
        throw Object.assign(new Error('connect ENETUNREACH'), { code: 'ENETUNREACH', syscall: 'connect' });
      }
      const response = await inner.send(request, signal);
      if (request.url.pathname.endsWith('/enroll')) {
        isLost = true;
        throw Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH', syscall: 'read' });
      }
      return response;
    },
  });
  const list = bare(addresses(1));

  const first = await world.enroll(list, [], { transport: lostRoute });
  await world.clock.advance(25 * 3_600_000);
  const again = await world.enroll(list);

  expect([counts(first.json.rows), world.enrolled()]).toEqual([{ read: 1, unknown: 1 }, addresses(1)]);
  expect(counts(again.json.rows)).toEqual({ read: 1, skipped: 1 });
});

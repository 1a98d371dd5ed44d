import { expect, test } from 'vitest';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const ROUTE = 'POST /v1/automations/*/enroll';
const YES_NO = [true, false];
const DECISIONS = ['AB', 'BA', 'B'];
const CASES = YES_NO.flatMap((a) => YES_NO.flatMap((b) => DECISIONS.map((decided) => ({ decided, a, b }))));

/**
 * Enrolls a person in run A, and again with --reenroll in run B. The outcome of both is unknown. `a` and `b` say who
 * did enroll. The user finds out and decides in this order. Returns how often a later plain run mails the person.
 */
async function mailedLater({ decided, a, b }: (typeof CASES)[number]): Promise<number> {
  const world = await createAutomationWorld(addresses(1), { reentry: 'always' });
  const enrolls: Readonly<Record<string, boolean>> = { A: a, B: b };
  const runs: Record<string, string> = {};
  for (const [name, flags] of [['A', []] as const, ['B', ['--reenroll']] as const]) {
    world.emulator.admin.addFault({ kind: 'reset', when: enrolls[name] ? 'after' : 'before', match: { route: ROUTE } });
    const { json } = await world.enroll(bare(addresses(1)), flags);
    runs[name] = String(json.run);
    world.emulator.admin.clearFaults();
    await world.clock.advance(48 * 3_600_000);
  }
  for (const name of decided) {
    await world.svc(['runs', 'resolve', runs[name] ?? '', '--all', enrolls[name] ? 'enrolled' : 'not-enrolled']);
  }
  const before = world.enrolled().length;
  expect(before).toBe(Number(a) + Number(b));
  await world.enroll(bare(addresses(1)));
  return world.enrolled().length - before;
}

test.each(['resumed', 'resumed twice'])(
  'enrolls a person once when --reenroll, %s, has no effect (I3, M5)',
  async (how) => {
    const world = await createAutomationWorld(addresses(1), { reentry: 'always' });
    const { admin } = world.emulator;
    admin.addFault({ kind: 'reset', when: 'after', match: { route: ROUTE } });
    await world.enroll(bare(addresses(1)));
    admin.clearFaults();
    await world.clock.advance(48 * 3_600_000);
    const stopped = () => stoppedAt('never arrives', ({ url }) => url.pathname.endsWith('/enroll'));
    await world.enroll(bare(addresses(1)), ['--reenroll'], stopped());
    if (how === 'resumed twice') {
      await world.svc('runs resume --json', stopped());
    }
    admin.setStatus('person0@example.com', 'unsubscribed');
    const { json } = await world.svc('runs resume --json');
    admin.setStatus('person0@example.com', 'subscribed');
    const later = await world.enroll(bare(addresses(1)));
    expect([json.rows.not_subscribed, later.json.skipped, world.enrolled().length]).toEqual([
      1,
      { enrolled_before: 1 },
      1,
    ]);
  },
);

test.each(CASES)('enrolls only when neither run did: known $decided, A $a, B $b (I3, M5)', async (one) => {
  const mayBeEnrolled = one.a || one.b || !one.decided.includes('A');
  expect(await mailedLater(one)).toBe(mayBeEnrolled ? 0 : 1);
});

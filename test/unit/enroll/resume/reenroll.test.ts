import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const HOUR = 3_600_000;
const PEOPLE = addresses(6);
const ALONE = ['--reenroll', '--concurrency', '1'];

/** Starts a run with --reenroll that enrolls three of six people before it is stopped. */
async function stoppedWorld(): Promise<{ world: AutomationWorld; run: string }> {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const { json } = await world.enroll(bare(PEOPLE), ALONE, stoppedAfterPost(3));
  expect(world.enrolled()).toEqual(PEOPLE.slice(0, 3));
  return { world, run: json.run };
}

describe('a run with --reenroll, which enrolls people again, after it was stopped', () => {
  test.each<[string, (world: AutomationWorld) => readonly string[]]>([
    ['the same flags', () => ALONE],
    ['another number of requests at once', () => ['--reenroll', '--concurrency', '2']],
    ['a higher --max-failures', () => [...ALONE, '--max-failures', '50']],
    ['a plan', () => [...ALONE, '--plan', 'free']],
    ['more new fields', () => [...ALONE, '--max-new-fields', '40']],
    ['an allowed automation', ({ automation }) => [...ALONE, '--allow-automation', automation]],
  ])('a stopped --reenroll continues when it runs again with %s (D1, M5)', async (_, words) => {
    const { world, run } = await stoppedWorld();
    const { code, json } = await world.enroll(bare(PEOPLE), words(world));
    expect([code, json.run, counts(json.rows)]).toEqual([EXIT.ok, run, { read: 6, enrolled: 6 }]);
    expect(world.enrolled()).toEqual(PEOPLE);
  });

  test.each<[string, string, readonly string[]]>([
    ['another default status', bare(PEOPLE), [...ALONE, '--default-status', 'subscribed']],
    ['--at-most-once', bare(PEOPLE), [...ALONE, '--at-most-once']],
    ['--create-contacts', bare(PEOPLE), [...ALONE, '--create-contacts', '--plan', 'paid']],
    ['one more person', bare(PEOPLE), [...ALONE, '--email', 'person9@example.com']],
    ['another version of the list', bare(PEOPLE.toReversed()), ALONE],
  ])('a stopped --reenroll blocks another --reenroll that has %s (M5)', async (_, list, words) => {
    const { world, run } = await stoppedWorld();
    const { code, err } = await world.enroll(list, words);
    const resumed = await world.svc('runs resume --json');
    const { error } = JSON.parse(err);
    expect([code, error.code]).toEqual([EXIT.refused, 'unfinished_run']);
    expect(error.hint).toContain(`svc runs resume ${run}\n`);
    expect([resumed.json.run, counts(resumed.json.rows)]).toEqual([run, { read: 6, enrolled: 6 }]);
    expect(world.enrolled()).toEqual(PEOPLE);
  });

  test('refuses --reenroll when a run without the flag is unfinished (M5)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    await world.enroll(bare(PEOPLE), ['--concurrency', '1'], stoppedAfterPost(3));
    expect((await world.enroll(bare(PEOPLE), ALONE)).code).toBe(EXIT.refused);
    expect(world.enrolled()).toHaveLength(3);
  });

  test('--reenroll enrolls all people again when the stopped run was deleted', async () => {
    const { world, run } = await stoppedWorld();
    await world.svc(['runs', 'delete', run, '--confirm', run]);
    expect((await world.enroll(bare(PEOPLE), ALONE)).code).toBe(EXIT.ok);
    expect(world.enrolled()).toHaveLength(9);
  });

  test('a resumed --reenroll skips people whom another run enrolled (M5)', async () => {
    const { world } = await stoppedWorld();
    await world.clock.advance(HOUR);
    const other = await world.svc([
      'automations',
      'enroll',
      world.automation,
      world.file('b.csv', bare(PEOPLE)),
      '--json',
    ]);
    await world.clock.advance(26 * HOUR);
    const { json } = await world.svc('runs resume --json');
    expect(counts(other.json.rows)).toEqual({ read: 6, enrolled: 3, skipped: 3 });
    expect(counts(json.rows)).toEqual({ read: 6, enrolled: 3, skipped: 3 });
    expect(world.enrolled()).toEqual(PEOPLE);
  });

  test('--reenroll with a higher --max-failures continues its run (D1, M5)', async () => {
    const people = addresses(20);
    const world = await createAutomationWorld(people, { reentry: 'always' });
    const match = { route: 'POST /v1/automations/*/enroll' };
    const refusal = { kind: 'error', status: 400, code: 'invalid_email', when: 'before' } as const;
    world.emulator.admin.addFault({ ...refusal, match, after: 10, times: 3 });
    const first = await world.enroll(bare(people), [...ALONE, '--max-failures', '2']);
    const second = await world.enroll(bare(people), [...ALONE, '--max-failures', '5']);
    expect(first.json.next[0]).toBe('The same command with a higher --max-failures continues this run.');
    expect([second.json.run, counts(second.json.rows)]).toEqual([
      first.json.run,
      { read: 20, enrolled: 17, failed: 3 },
    ]);
    expect(world.enrolled()).toEqual(people.filter((_, index) => index < 10 || index > 12));
  });

  /** Changes the options in the header of a run, as an earlier version may have written them. */
  function changeOptions({ folder }: AutomationWorld, run: string, change: string): void {
    const db = new DatabaseSync(join(folder, 'state', 'svc', 'runs', run, 'run.db'));
    const { changes } = db.prepare(`UPDATE meta SET value = ${change} WHERE key LIKE '%header'`).run();
    db.close();
    expect(changes).toBe(1);
  }

  test.each([
    [
      'continues a stopped --reenroll of an earlier version',
      'without a flag of today',
      "json_remove(value, '$.options.maxNewFields')",
      0,
      6,
    ],
    [
      'blocks a --reenroll beside a stopped one of an earlier version',
      'with an unknown flag',
      "json_set(value, '$.options.oldOption', 1)",
      5,
      3,
    ],
  ])('svc %s when its options are stored %s (D1, M5)', async (_, __, change, code, enrolled) => {
    const { world, run } = await stoppedWorld();
    changeOptions(world, run, change);
    expect((await world.enroll(bare(PEOPLE), ALONE)).code).toBe(code);
    expect(world.enrolled()).toEqual(PEOPLE.slice(0, enrolled));
  });

  const FLAGS: readonly (readonly string[])[] = [
    ['--concurrency', '1'],
    ['--concurrency', '3'],
    ['--max-failures', '3'],
    ['--max-failures', '50'],
    ['--plan', 'paid'],
    ['--max-new-fields', '3'],
    ['--at-most-once'],
    ['--default-status', 'subscribed'],
    ['--create-contacts', '--plan', 'paid'],
  ];

  interface Step {
    /** Undefined: `runs resume`. */
    readonly flags: readonly string[] | undefined;
    readonly reversed: boolean;
    readonly stopAfter: number;
    readonly minutes: number;
  }

  const step: fc.Arbitrary<Step> = fc.record({
    flags: fc.option(fc.constantFrom(...FLAGS), { nil: undefined }),
    reversed: fc.boolean(),
    stopAfter: fc.integer({ min: 1, max: 5 }),
    minutes: fc.constantFrom(0, 3, 6, 25 * 60),
  });

  test('--reenroll enrolls each person once when runs stop and flags change (M5)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
        for (const { flags, reversed, stopAfter, minutes } of steps) {
          const list = bare(reversed ? PEOPLE.toReversed() : PEOPLE);
          const stopped = stoppedAfterPost(stopAfter);
          const { code } =
            flags === undefined
              ? await world.svc('runs resume --json', stopped)
              : await world.enroll(list, ['--reenroll', ...flags], stopped);
          await world.clock.advance(minutes * 60_000);
          if (code === EXIT.ok || code === EXIT.partial) {
            break;
          }
        }
        expect(world.enrolled()).toEqual([...new Set(world.enrolled())]);
      }),
      { numRuns: 60 / stepOf(5) },
    );
  }, 60_000);

  test.each([
    ['right', 0],
    ['three hours fast', 3 * HOUR],
    ['three hours slow', -3 * HOUR],
  ])('a resume skips people enrolled meanwhile when the clock was %s (M5, P7)', async (_, wrongBy) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    await world.enroll(bare(PEOPLE.slice(0, 1)));
    await world.clock.advance(HOUR);
    world.clock.set(world.clock.now() + wrongBy);
    const { json } = await world.enroll(bare(PEOPLE), ALONE, stoppedAfterPost(3));
    world.clock.set(world.clock.now() - wrongBy);
    await world.clock.advance(600_000);
    const other = await world.svc([
      'automations',
      'enroll',
      world.automation,
      world.file('b.csv', bare(PEOPLE.slice(3))),
      '--json',
    ]);
    await world.clock.advance(600_000);
    const resumed = await world.svc(['runs', 'resume', String(json.run), '--json']);
    expect([counts(other.json.rows), counts(resumed.json.rows)]).toEqual([
      { read: 3, enrolled: 3 },
      { read: 6, enrolled: 3, skipped: 3 },
    ]);
    expect(world.enrolled().toSorted()).toEqual([...PEOPLE, PEOPLE[0]].toSorted());
  });
});

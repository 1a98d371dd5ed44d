import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { EXIT, SvcError } from '../../../../src/base/lib/errors.ts';
import { stepOf } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import type { RunOptions } from '../../../support/world.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const PEOPLE = addresses(4);

/** The moment of a kill: before the n-th request is sent, or after its response. */
interface Death {
  readonly at: number;
  /** Counts only enrollment requests. */
  readonly enrolling?: boolean;
  readonly words?: readonly string[];
}

/**
 * Runs a command and simulates kill -9 by a copy of the state folder at that moment. Returns the copy, or undefined if
 * the run ended before.
 */
async function killedRun(
  world: AutomationWorld,
  death: Death,
  state: string = tempFolder(),
): Promise<string | undefined> {
  const left = join(tempFolder(), 'left');
  const stopper = new AbortController();
  let moments = 0;
  const die = (path: string) => {
    moments += death.enrolling && !path.endsWith('/enroll') ? 0 : 1;
    if (moments === death.at && !stopper.signal.aborted) {
      // The copy is opened in another process. Closing it here would release the locks of the run.
      execFileSync('cp', ['-r', state, left]);
      stopper.abort(new SvcError(EXIT.terminated, 'killed', 'killed'));
    }
    if (stopper.signal.aborted) {
      throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    }
  };
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      die(request.url.pathname);
      const response = await inner.send(request, signal);
      die(request.url.pathname);
      return response;
    },
  });
  await enroll(world, [...(death.words ?? []), '--state-dir', state], { transport, signal: stopper.signal });
  return stopper.signal.aborted ? left : undefined;
}

function enroll(world: AutomationWorld, words: readonly string[] = [], run: RunOptions = {}) {
  return world.enroll(bare(PEOPLE), ['--concurrency', '2', ...words], run);
}

// The distance between the moments of the kills.
const STEP = stepOf(5);
const SHORT_STEP = stepOf(3);

describe('an enrollment run that was killed', () => {
  test.each([
    ['automations enroll', []],
    ['automations enroll --create-contacts', ['--create-contacts']],
    ['automations enroll --reenroll', ['--reenroll']],
  ])(
    'enrolls each person once when a run is repeated after any kill: %s (D1)',
    async (_, words) => {
      const world = await createAutomationWorld(words.includes('--create-contacts') ? [] : PEOPLE, {
        reentry: 'always',
      });
      const automations = [world.automation];
      for (let at = 1 + (words.length % STEP); ; at += STEP) {
        const automation = world.emulator.admin.createAutomation({ reentry: 'always' });
        automations.push(automation);
        const fresh: AutomationWorld = { ...world, ...onAutomation(world, automation) };
        const left = await killedRun(fresh, { at, words });
        if (left === undefined) {
          break;
        }
        const { code, json } = await enroll(fresh, [...words, '--state-dir', left]);
        expect({ at, code, rows: counts(json.rows) }).toEqual({ at, code: 0, rows: { read: 4, enrolled: 4 } });
        expect({ at, enrolled: fresh.enrolled().sort() }).toEqual({ at, enrolled: PEOPLE });
      }
      expect(automations.length).toBeGreaterThan(3);
    },
    60_000,
  );

  function onAutomation(
    world: AutomationWorld,
    automation: string,
  ): Pick<AutomationWorld, 'automation' | 'enroll' | 'enrolled'> {
    return {
      automation,
      enroll: (list, words = [], run = {}) =>
        world.svc(['automations', 'enroll', automation, world.file('list.csv', list), '--json', ...words], run),
      enrolled: () => world.emulator.admin.enrollments(automation).map((enrollment) => enrollment.email),
    };
  }

  test('--reenroll enrolls each person once more after any kill (D1, M5)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    let killed = 0;
    for (let at = 1; at <= killed + SHORT_STEP; at += SHORT_STEP) {
      const automation = world.emulator.admin.createAutomation({ reentry: 'always' });
      const fresh: AutomationWorld = { ...world, ...onAutomation(world, automation) };
      const before = tempFolder();
      await enroll(fresh, ['--state-dir', before]);
      const left = await killedRun(fresh, { at, enrolling: true, words: ['--reenroll'] }, before);
      if (left === undefined) {
        break;
      }
      killed = at;
      const { code, json } = await enroll(fresh, ['--reenroll', '--state-dir', left]);
      expect({ at, code, rows: counts(json.rows) }).toEqual({ at, code: 0, rows: { read: 4, enrolled: 4 } });
      expect({ at, enrolled: fresh.enrolled().sort() }).toEqual({ at, enrolled: [...PEOPLE, ...PEOPLE].sort() });
    }
    expect(killed).toBeGreaterThan(6);
  });

  test('enrolls each person once when a killed run is resumed', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const left = await killedRun(world, { at: 4, enrolling: true });
    const { code, json } = await world.svc(['runs', 'resume', '--json', '--state-dir', String(left)]);
    expect({ code, rows: counts(json.rows) }).toEqual({ code: 0, rows: { read: 4, enrolled: 4 } });
    expect(world.enrolled().sort()).toEqual(PEOPLE);
  });

  test.each([
    [
      'more than 4 min 30 s later (I4)',
      async (world: AutomationWorld) => world.clock.set(world.clock.now() + 5 * 60_000),
      [],
      'own',
    ],
    ['with another API key (K4)', async () => undefined, [], 'other'],
    ['with --at-most-once', async () => undefined, ['--at-most-once'], 'own'],
  ] as const)(
    'leaves a sent enrollment of a killed run unknown, never repeats it: %s',
    async (_, meanwhile, words, key) => {
      const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
      const left = String(await killedRun(world, { at: 2, enrolling: true, words }));
      world.requests();
      await meanwhile(world);
      const other = world.emulator.admin.createKey(['automations:enroll']);
      const env = key === 'other' ? { SVC_API_KEY: other } : {};

      const { code, json } = await enroll(world, [...words, '--state-dir', left], { env });

      expect({ code, rows: counts(json.rows) }).toEqual({ code: 3, rows: { read: 4, enrolled: 3, unknown: 1 } });
      expect(world.asked().filter((request) => request.body.includes('person0@'))).toEqual([]);
      expect(world.enrolled().sort()).toEqual(PEOPLE);
    },
  );

  test('leaves an unsent enrollment unknown after a kill and a new API key (K4)', async () => {
    const world = await createAutomationWorld(PEOPLE);
    const env = { SVC_API_KEY: world.emulator.admin.createKey(['automations:enroll']) };
    const left = String(await killedRun(world, { at: 1, enrolling: true }));

    const { json } = await enroll(world, ['--state-dir', left], { env });

    expect(counts(json.rows)).toEqual({ read: 4, enrolled: 3, unknown: 1 });
  });

  test('repeats an enrollment that only the journal of a killed run knows (D1)', async () => {
    const world = await createAutomationWorld(PEOPLE);
    const left = String(await killedRun(world, { at: 1, enrolling: true }));
    loseEntries(left);

    const { json } = await enroll(world, ['--state-dir', left]);

    expect(counts(json.rows)).toEqual({ read: 4, enrolled: 4 });
  });

  test.each([
    ['keeps', 'enrolled', 2],
    ['sends the person again after', 'automation_not_active', 1],
    ['sends the person again after', 'unsent', 1],
  ])('after a kill, a run %s the outcome %s that only the ledger has (D1)', async (_, outcome, at) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const left = String(await killedRun(world, { at, enrolling: true }));
    change(left, 'ledgers', `UPDATE entries SET outcome = '${outcome}'`);
    world.clock.set(world.clock.now() + 60 * 60_000);

    const { json } = await enroll(world, ['--state-dir', left]);

    expect(counts(json.rows)).toEqual({ read: 4, enrolled: 4 });
    expect(world.enrolled().sort()).toEqual(PEOPLE);
  });

  /** Changes the only database in a folder whose path contains `part`. */
  function change(folder: string, part: string, sql: string): void {
    const paths = readdirSync(folder, { recursive: true }).map(String);
    const path = paths.find((each) => each.includes(part) && each.endsWith('.db') && !each.endsWith('lock.db')) ?? '';
    const db = new DatabaseSync(join(folder, path));
    db.exec(sql);
    db.close();
  }

  /** Deletes the entries of the ledger, as if a kill came after the journal was written and before the ledger was. */
  function loseEntries(state: string): void {
    change(state, 'ledgers', 'DELETE FROM entries');
  }

  test.each([
    ['enrolls each person when the killed one cannot resume', [], 'resume', 7],
    ['enrolls each person when the killed one is deleted', [], 'delete', 0],
    ['enrolls each person when a killed --reenroll cannot resume', ['--reenroll'], 'resume', 7],
    ['enrolls each person when a killed --reenroll is deleted', ['--reenroll'], 'delete', 0],
  ])('after a kill before the first byte, the next run %s (M5)', async (_, words, verb, exit) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const state = (await killedRun(world, { at: 1, enrolling: true, words })) ?? '';
    const [run = ''] = readdirSync(join(state, 'runs'));
    loseEntries(state);
    world.emulator.admin.setAutomationStatus(world.automation, 'draft');
    const end = ['runs', verb, run, ...(verb === 'delete' ? ['--confirm', run] : []), '--json', '--state-dir', state];
    const ended = await world.svc(end);
    world.emulator.admin.setAutomationStatus(world.automation, 'active');
    const { json } = await enroll(world, ['--state-dir', state]);
    expect([ended.code, counts(json.rows)]).toEqual([exit, { read: 4, enrolled: 4 }]);
    expect(world.enrolled().sort()).toEqual(PEOPLE);
  });

  test('enrolls no person twice when a killed run is deleted (M5)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const state = (await killedRun(world, { at: 1, enrolling: true })) ?? '';
    const [run = ''] = readdirSync(join(state, 'runs'));
    loseEntries(state);
    const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/automations/*/enroll' } } as const;
    world.emulator.admin.addFault({ ...lost, times: 6 });
    await enroll(world, ['--state-dir', state]);
    world.emulator.admin.clearFaults();
    await world.svc(['runs', 'delete', run, '--confirm', run, '--state-dir', state]);
    await world.clock.advance(25 * 60 * 60_000);
    await enroll(world, ['--state-dir', state]);
    expect(world.enrolled().sort()).toEqual(PEOPLE);
  });

  test.each([
    ['a killed run', []],
    ['a killed --reenroll', ['--reenroll']],
  ])('the resume of %s skips people whom another run enrolled (M5)', async (_, words) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const state = (await killedRun(world, { at: 1, enrolling: true, words })) ?? '';
    const [run = ''] = readdirSync(join(state, 'runs'));
    loseEntries(state);
    const other = await world.enroll(bare([...PEOPLE].reverse()), ['--state-dir', state]);
    const resumed = await world.svc(['runs', 'resume', run, '--json', '--state-dir', state]);
    expect(counts(other.json.rows)).toEqual({ read: 4, enrolled: 4 });
    expect(counts(resumed.json.rows)).toEqual({ read: 4, already_enrolled: 1, skipped: 3 });
    expect(world.enrolled().sort()).toEqual(PEOPLE);
  });
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CALL_CODES, type CallPlan, failCalls } from '../../support/node/failing-calls.ts';
import { stepOf } from '../../support/sweep.ts';
import { createWorld } from '../../support/world.ts';
import {
  endFaults,
  faultsOf,
  fill,
  type Place,
  prepare,
  SCENARIOS,
  type Scenario,
  stateOf,
  typeLine,
} from './scenarios.ts';

type Plan = Omit<CallPlan, 'within'>;

// The distance between the system calls that are made to fail, one in each program.
const STEP = stepOf(1_787, 97);

async function placeOf(scenario: Scenario): Promise<Place> {
  const { emulator, folder, svc } = await createWorld();
  const place = {
    emulator,
    folder,
    automation: fill(emulator, folder),
    state: join(folder, 'state', 'svc'),
    type: svc,
  };
  await prepare(place, scenario);
  return place;
}

/** Runs the command with one failing call. Returns its end, and which call failed. */
async function disturb(place: Place, scenario: Scenario, plan: Plan) {
  const calls = failCalls({ ...plan, within: place.folder });
  try {
    const ended = await typeLine(place, scenario.line);
    return { ended, failed: calls.failed, count: calls.count };
  } finally {
    calls.restore();
  }
}

async function calmOf(scenario: Scenario) {
  const place = await placeOf(scenario);
  const { ended, count } = await disturb(place, scenario, { at: Number.POSITIVE_INFINITY, code: 'EIO' });
  return { code: ended.code, state: stateOf(place), calls: count };
}

async function trial(scenario: Scenario, calm: Awaited<ReturnType<typeof calmOf>>, plan: Plan): Promise<string[]> {
  const place = await placeOf(scenario);
  const { ended, failed } = await disturb(place, scenario, plan);
  const faults = faultsOf(place, ended, calm.code);
  const end = failed === undefined ? [] : await endFaults(place, scenario, ended, calm);
  return [...faults, ...end].map((fault) => `${plan.code} at ${plan.at}, ${failed}: ${fault}`);
}

describe('a failing system call', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'reaches the usual end when one system call fails: %s (D9)',
    async (_, scenario) => {
      const calm = await calmOf(scenario);
      expect([0, 3]).toContain(calm.code);
      const faults: string[] = [];
      let trials = 0;
      for (const [nth, code] of CALL_CODES.entries()) {
        for (let at = 1 + ((nth * 211) % STEP); at <= calm.calls; at += STEP) {
          trials += 1;
          faults.push(...(await trial(scenario, calm, { at, code })));
        }
      }
      expect(faults, `${calm.calls} calls, ${trials} trials`).toEqual([]);
    },
    900_000,
  );
});

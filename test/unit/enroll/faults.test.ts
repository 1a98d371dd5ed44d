import { expect, test } from 'vitest';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { addresses, bare, createFlowWorld } from './support.ts';

const PEOPLE = addresses(40);
const WHERE = { match: { route: 'POST /v1/automations/*/enroll' }, probability: 0.04 } as const;

const TROUBLE: readonly FaultRule[] = [
  { kind: 'reset', when: 'before', ...WHERE },
  { kind: 'reset', when: 'after', ...WHERE },
  { kind: 'cut', ...WHERE },
  { kind: 'html', status: 502, when: 'after', ...WHERE },
  { kind: 'error', status: 500, code: 'internal_error', when: 'before', ...WHERE },
  { kind: 'error', status: 500, code: 'internal_error', when: 'effect', ...WHERE },
  { kind: 'error', status: 429, code: 'rate_limit_exceeded', when: 'before', ...WHERE },
  { kind: 'slow', ms: 150_000, when: 'after', ...WHERE },
  { kind: 'slow', ms: 400_000, when: 'claimed', ...WHERE },
  { kind: 'in_flight', seconds: 40, ...WHERE },
  { kind: 'lost_claim', effect: true, ...WHERE },
  { kind: 'lost_claim', effect: false, ...WHERE },
];

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))(
  'enrolls each person at most once under seeded faults (%i), with true outcomes and counts that add up (D1, I4)',
  async (seed) => {
    const world = await createFlowWorld(PEOPLE, { reentry: 'always' }, { faults: { seed, rules: TROUBLE } });
    let result = await world.enroll(bare(PEOPLE));
    world.emulator.admin.clearFaults();
    for (let resumes = 0; resumes < 2 && ![0, 3].includes(result.code); resumes += 1) {
      result = await world.enroll(bare(PEOPLE));
    }

    const { rows } = result.json;
    const enrolled = world.enrolled();
    expect([0, 3]).toContain(result.code);
    expect(new Set(enrolled).size).toBe(enrolled.length);
    expect(rows.enrolled + rows.unknown).toBe(PEOPLE.length);
    expect(enrolled.length).toBeGreaterThanOrEqual(rows.enrolled);
    expect(enrolled.length).toBeLessThanOrEqual(rows.enrolled + rows.unknown);
  },
  60_000,
);

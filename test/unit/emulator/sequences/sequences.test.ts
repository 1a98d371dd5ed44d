import fc from 'fast-check';
import { test } from 'vitest';
import { stepOf } from '../../../support/sweep.ts';
import { commands, flows } from './commands.ts';
import { EDGES } from './edges.ts';
import { play } from './play.ts';

// A longer campaign: MODEL_SEED=7 MODEL_SECONDS=600 npx vitest run test/unit/emulator/sequences
const { MODEL_SEED = '20260101', MODEL_SECONDS = '0' } = process.env;
const seconds = Number(MODEL_SECONDS);
const length = seconds > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1000 } : { numRuns: 16 / stepOf(2) };

test.each(['paid', 'free'] as const)(
  'the emulator and a small model give the same responses (%s plan)',
  async (plan) => {
    await fc.assert(
      fc.asyncProperty(flows, commands, (startingAutomations, all) => play(plan, startingAutomations, all)),
      { seed: Number(MODEL_SEED), ...length, examples: EDGES },
    );
  },
  (seconds + 60) * 1000,
);

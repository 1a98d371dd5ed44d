import { expect, test } from 'vitest';
import type { Settings } from '../../../../src/commands/framework/settings/settings.ts';
import type { ImportFlags } from '../../../../src/commands/mailing-list-commands/flags/import-flags.ts';
import { enrollOptions, importOptions } from '../../../../src/commands/mailing-list-commands/flags/import-options.ts';

const flags = { maxFailures: '20%', maxNewFields: 10, concurrency: 1 } as ImportFlags;
const args = ['aut_1', 'list.csv'];

// Stored data has a plan of its own, so svc must count the contacts (P2).
test.each([
  ['a service', {}, undefined],
  ['a new emulator', { emulator: true }, 'paid'],
  ['the kept data of an emulator', { emulator: true, emulatorData: 'data' }, undefined],
  [
    'the kept data of an emulator with --plan',
    { emulator: true, emulatorData: 'data', plan: { value: 'free' } },
    'free',
  ],
])('assumes the same account plan in imports and enrollments into %s (P2)', (_, given, plan) => {
  const settings = { plan: {}, key: {}, ...given } as unknown as Settings;
  const imported = importOptions({ command: 'contacts import', inputs: ['list.csv'], flags, settings });
  expect([imported.plan, enrollOptions({ args, flags, settings }).plan]).toEqual([plan, plan]);
});

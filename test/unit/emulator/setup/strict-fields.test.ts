import { describe, expect, test } from 'vitest';
import type { SeedFile } from '../../../../src/emulator/admin/seed.ts';
import { createEmulator, type EmulatorOptions } from '../../../../src/emulator/emulator.ts';
import { createHex } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** Every field of a seed. */
const SEED = {
  account: {
    plan: 'free',
    members: ['a@example.com'],
    domains: ['example.com'],
    sendingDisabled: false,
    forbidden: false,
    allowance: 5,
  },
  audiences: [{ name: 'Other', contacts: [{ email: 'b@example.com', status: 'unsubscribed', unsubscribed_at: 1 }] }],
  contacts: [{ email: 'a@example.com', first_name: 'A', last_name: 'B', attributes: { plan: 'pro' } }],
  suppressions: { bounced: ['c@example.com'], complaint: ['d@example.com'], manual: [] },
  automations: [
    {
      name: 'W',
      status: 'paused',
      trigger: 'api',
      reentry: 'always',
      entryFilter: { plan: 'pro' },
      unusable: false,
      audience: 'Other',
    },
  ],
} satisfies SeedFile;

/** Every field of fault rules, apart from the body of an `answer`, which may be any JSON. */
const FAULTS = {
  seed: 7,
  rules: [
    { kind: 'reset', when: 'before', match: { route: '*', key: 'k' }, after: 1, times: 2, probability: 0.5 },
    { kind: 'cut', bytes: 5 },
    { kind: 'error', status: 500, code: 'x', message: 'm', param: 'p', when: 'effect' },
    { kind: 'answer', status: 200, text: 'x', headers: { a: 'b' }, when: 'after' },
    { kind: 'headers', headers: { date: null } },
    { kind: 'slow', ms: 5, when: 'claimed' },
    { kind: 'rate_limited', retry_after: '5' },
    { kind: 'in_flight', seconds: 5 },
    { kind: 'lost_claim', effect: true },
    { kind: 'steal', requests: 5 },
    { kind: 'change', plan: 'free', revoke_key: true, when: 'before' },
    { kind: 'drop_rows', rows: 2 },
  ],
};

type Path = readonly (string | number)[];

/** The paths of all fields of a file, in its order. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  const entries = Object.entries(Object(value)).filter(() => typeof value === 'object');
  return entries.flatMap(([name, item]) => {
    const path = [...at, Array.isArray(value) ? Number(name) : name];
    return [path, ...pathsIn(item, path)];
  });
}

const nameOf = (path: Path) =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`)).join('');

/** A copy of the file in which one field has another name or another value. */
function edited(file: object, path: Path, edit: { readonly name?: string; readonly value?: unknown }): object {
  const [key, ...rest] = path as [string, ...string[]];
  const entries = Object.entries(file).map(([name, item]) => {
    const inside = rest.length > 0 ? edited(item, rest, edit) : 'value' in edit ? edit.value : item;
    return name === String(key) ? [rest.length > 0 ? name : (edit.name ?? name), inside] : [name, item];
  });
  return Array.isArray(file) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** The error message about a file. Empty if the emulator accepts it. */
async function problemOf(options: Pick<EmulatorOptions, 'faults' | 'seed'>): Promise<string> {
  try {
    const emulator = await createEmulator({ clock: createManualClock(), randomHex: createHex('fields'), ...options });
    await emulator.close();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each([
  { option: 'seed', file: SEED, free: /attributes\.|entryFilter\./ },
  { option: 'faults', file: FAULTS, free: /headers\./ },
])('checks each field of a file for --$option', ({ option, file, free }) => {
  test('the emulator accepts the complete example file of --seed or --faults', async () => {
    expect(await problemOf({ [option]: file })).toBe('');
  });

  test('the emulator names the path of each field that has a wrong type', async () => {
    for (const path of pathsIn(file)) {
      const problem = await problemOf({ [option]: edited(file, path, { value: [null] }) });
      expect(problem, nameOf(path)).toContain(nameOf(path));
    }
  });

  test('the emulator names the path of each misspelled field of a file', async () => {
    const named = pathsIn(file).filter((path) => typeof path.at(-1) === 'string' && !free.test(nameOf(path)));
    for (const path of named) {
      const name = `${path.at(-1)}x`;
      const problem = await problemOf({ [option]: edited(file, path, { name }) });
      const isRequired = problem.includes(`${nameOf(path)} is missing`) || problem.includes('unknown kind');
      expect(
        isRequired || problem.includes(`${nameOf(path)}x is not a known field`),
        `${nameOf(path)}: ${problem}`,
      ).toBe(true);
    }
  });
});

import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

test.each([
  ['--audience-name', '--json'],
  ['--report', '-q'],
  ['--audience-name', '--create-audience'],
])('refuses %s without a value when %s follows', async (flag, next) => {
  const world = await createWorld();
  const { code, err } = await world.svc(['migrate', world.file('l.csv', people(2)), flag, next]);
  expect([code, world.requests(), err.includes(`${flag} needs a value, and ${next} is a flag`)]).toEqual([2, [], true]);
});

test('accepts a name that looks like a flag after an equals sign', async () => {
  const world = await createWorld();
  const line = [
    'migrate',
    world.file('l.csv', people(2)),
    '--audience-name=--json',
    '--create-audience',
    '--plan',
    'paid',
  ];
  expect((await world.svc(line)).code).toBe(0);
  expect(world.emulator.admin.audiences().map(({ name }) => name)).toContain('--json');
});

test.each([['--version'], ['migrate --version'], ['runs --version ls'], ['runs ls --version']])(
  'prints the version for svc %s',
  async (line) => {
    const world = await createWorld();
    const { code, out } = await world.svc(line);
    expect([code, /^\d+\.\d+\.\d+\n$/.test(out)]).toEqual([0, true]);
  },
);

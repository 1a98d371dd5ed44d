import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { memoize } from '../../src/platforms/lib/status-words.ts';
import { MUTANTS } from './all.ts';
import { RULES } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

test('each rule has a written mutant, and each mutant names a rule', () => {
  expect([...new Set(MUTANTS.map(({ rule }) => rule))].sort()).toEqual(RULES.map(({ code }) => code).sort());
});

test('each written mutant replaces a text that its file has exactly once', () => {
  const times = ({ file, from }: (typeof MUTANTS)[number]) => read(file).split(from).length - 1;
  expect(MUTANTS.filter((mutant) => times(mutant) !== 1).map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
});

test('each written mutant names existing test files, and one cites its rule', () => {
  // A folder stands for all its tests. A helper beside a test can have its titles.
  const filesOf = (path: string) => globSync(path.endsWith('.ts') ? path : `${path}/**/*.test.ts`, { cwd: ROOT });
  const helpersOf = (file: string) =>
    [...read(file).matchAll(/from '(\.\/[^']+)'/g)].map(([, helper = '']) => read(join(dirname(file), helper)));
  const textOf = memoize((path: string) =>
    filesOf(path)
      .flatMap((file) => [read(file), ...helpersOf(file)])
      .join(''),
  );
  const cites = ({ rule, tests }: (typeof MUTANTS)[number]) => {
    const code = new RegExp(`\\([^)]*\\b${rule}\\b[^)]*\\)`);
    return tests.every((path) => textOf(path) !== '') && tests.some((path) => code.test(textOf(path)));
  };
  expect(MUTANTS.filter((mutant) => !cites(mutant)).map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

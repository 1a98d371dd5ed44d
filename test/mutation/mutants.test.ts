import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { memoize } from '../../src/base/lib/memoize.ts';
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

test('each written mutant names existing tests, and a test cites its rule', () => {
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

test('each written mutant uses only names that its file has', () => {
  // A mutant with an unknown name crashes, so it proves nothing. A name that the mutant declares stands in it twice.
  const unknownNames = ({ file, from, to }: (typeof MUTANTS)[number]) => {
    const text = read(file);
    const changed = text.replace(from, () => to);
    const names = to.replaceAll(TEXT, ' ').match(/\b[a-z_]\w*\b(?!:)/gi) ?? [];
    const isUnknown = (name: string) =>
      !new RegExp(`\\b${name}\\b`).test(text) &&
      !(name in globalThis || KEYWORDS.includes(name)) &&
      changed.split(new RegExp(`(?<!\\.)\\b${name}\\b`)).length === 2;
    return names.filter(isUnknown);
  };
  expect(MUTANTS.flatMap((one) => unknownNames(one).map((name) => `${one.rule}: ${one.what}: ${name}`))).toEqual([]);
});

const KEYWORDS = 'as continue false in new null true void'.split(' ');

/** Matches a text or a regular expression in source code. */
const TEXT = /'(?:[^'\\\n]|\\.)*'|`[^`]*`|\/(?![*/])(?:[^/\\\n]|\\.)+\/[a-z]*/g;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

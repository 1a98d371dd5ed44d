import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './all.ts';
import { RULES } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

test('each rule has a written mutant, and each mutant names a rule', () => {
  expect([...new Set(MUTANTS.map(({ rule }) => rule))].sort()).toEqual(RULES.map(({ code }) => code).sort());
});

test('each written mutant replaces a text that its file has exactly once', () => {
  const times = ({ file, from }: (typeof MUTANTS)[number]) =>
    readFileSync(join(ROOT, file), 'utf8').split(from).length - 1;
  expect(MUTANTS.filter((mutant) => times(mutant) !== 1).map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
});

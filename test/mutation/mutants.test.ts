import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './all.ts';
import { RULES } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

test('has a written mutant for each rule, and a rule for each mutant', () => {
  expect([...new Set(MUTANTS.map(({ rule }) => rule))].sort()).toEqual(RULES.map(({ code }) => code).sort());
});

test('finds the text that each written mutant replaces exactly once', () => {
  const times = ({ file, from }: (typeof MUTANTS)[number]) =>
    readFileSync(join(ROOT, file), 'utf8').split(from).length - 1;
  expect(MUTANTS.filter((mutant) => times(mutant) !== 1).map(({ rule, what }) => `${rule}: ${what}`)).toEqual([]);
});

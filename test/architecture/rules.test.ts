import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../mutation/rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const CODE = '[IOMCSFPLWKDVG](?:1[0-3]|[1-9])';

const FILES = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

/** Codes cited as `(C1)`, `(C1, I7)`, `rule C1` or `rule: 'C1'`. */
function citedIn(text: string): string[] {
  const lists = text.matchAll(new RegExp(`\\((?:[Rr]ules? )?(${CODE}(?:, ${CODE}| and ${CODE})*)\\)`, 'g'));
  const words = text.matchAll(new RegExp(`\\b[Rr]ules?:? '?(${CODE}(?:, ${CODE}| and ${CODE})*)\\b`, 'g'));
  return [...lists, ...words].flatMap(([, codes = '']) => codes.split(/, | and /));
}

describe('docs/rules.md', () => {
  test('docs/rules.md has each rule code that code and tests cite', () => {
    const known = new Set(RULES.map(({ code }) => code));
    const unknown = FILES.flatMap(({ path, text }) =>
      citedIn(text)
        .filter((code) => !known.has(code))
        .map((code) => `${path}: ${code}`),
    );
    expect(unknown).toEqual([]);
  });

  test('docs/rules.md has one heading and existing test files for each rule', () => {
    const codes = RULES.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    expect(codes.length).toBeGreaterThan(70);
    const without = RULES.filter(
      ({ tests }) => tests.length === 0 || tests.some((path) => !existsSync(join(ROOT, path))),
    );
    expect(without).toEqual([]);
  });

  test('docs/rules.md names only test files that cite the rule', () => {
    const textOf = new Map(FILES.map(({ path, text }) => [path, text]));
    const named = RULES.flatMap(({ code, tests }) => tests.map((path) => ({ code, path })));
    const without = named.filter(({ code, path }) => !citedIn(textOf.get(path) ?? '').includes(code));
    expect(without).toEqual([]);
  });

  test('docs/rules.md has only rules that a test file cites', () => {
    const cited = new Set(FILES.filter(({ path }) => path.startsWith('test/')).flatMap(({ text }) => citedIn(text)));
    expect(RULES.map(({ code }) => code).filter((code) => !cited.has(code))).toEqual([]);
  });
});

test('tests name each error code of the program, as scripts depend on it', () => {
  const isClient = ({ path }: { readonly path: string }) => /^src\/(?!emulator\/)/.test(path);
  const codes = FILES.filter(isClient).flatMap(({ text }) =>
    [...text.matchAll(/SvcError\(\s*EXIT\.\w+,\s*'([a-z_]+)'/g)].map(([, code = '']) => code),
  );
  const isTest = /^test\/(?!mutation\/|architecture\/)/;
  const tables = globSync('test/**/*.txt', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const tests = [...FILES.filter(({ path }) => isTest.test(path)).map(({ text }) => text), ...tables].join('\n');
  const words = new Set(tests.match(/[a-z_]+/g));
  expect(codes.length).toBeGreaterThan(100);
  expect([...new Set(codes)].filter((code) => !words.has(code))).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { draw, mutationsOf } from './random/draw.ts';
import { plantAll } from './random/mutation.ts';

/** The changes of a text, as lines `operator: original → new`. */
function changesOf(text: string): string[] {
  return mutationsOf('src/a.ts', text).map(
    ({ operator, start, end, to, place }) =>
      `${operator}: ${text.slice(start, end)}${place === 'expression' ? ` → ${to}` : ''}`,
  );
}

describe('the random mutations of a source file', () => {
  test.each([
    [
      'if (a && b) { c(); }',
      ['negate condition: a && b → !(a && b)', 'swap && and ||: a && b → (a) || (b)', 'drop call: c() → undefined'],
    ],
    ['x = a <= b;', ['other operator: a <= b → (a) < (b)']],
    ['x = a + 7;', ['other operator: a + 7 → (a) - (7)', 'number + 1: 7 → 7 + 1']],
    ['x = a ? b : c;', ['swap branches: a ? b : c → a ? c : b']],
    ['function f() { a = b; return c; }', ['return at once: ', 'return undefined: c → undefined']],
    ['x = () => a;', ['return undefined: a → undefined']],
    ['async () => { await a(); };', ['drop call: await a() → undefined']],
    [
      "x = [a, 'b c'];",
      ["empty literal: [a, 'b c'] → []", 'drop element: a', "empty literal: 'b c' → ''", "drop element: 'b c'"],
    ],
    [
      "x = { a, 'b': 'c' };",
      ["empty literal: { a, 'b': 'c' } → {}", 'drop property: a', "drop property: 'b': 'c'", "empty literal: 'c' → ''"],
    ],
    [
      'x = /a|(?:b|c[|])d/u;',
      [
        'drop alternative: /a|(?:b|c[|])d/u → /(?:b|c[|])d/u',
        'drop alternative: /a|(?:b|c[|])d/u → /a/u',
        'drop alternative: /a|(?:b|c[|])d/u → /a|(?:c[|])d/u',
        'drop alternative: /a|(?:b|c[|])d/u → /a|(?:b)d/u',
      ],
    ],
    ['x = a.trim().sort(b);', ['drop link: a.trim().sort(b) → a.trim()', 'drop link: a.trim() → a']],
    ['x = a?.trim().b;', []],
    ['x = () => undefined;', []],
  ])('proposes all random mutations of the code %s', (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  test.each([
    "import { a } from './a.ts';",
    "export type A = { readonly a: 'b' | 1 };",
    'function f(a: 1 | 2): a is 1 {}',
    '// a + b',
    "throw new Error('two words');",
    'x = `$' + '{a ? b : c} rows`;',
    "x = { hint: 'word', message: a + b };"
      .replace('x = { ', 'f({ ')
      .replace('};', '});')
      .replace('f(', 'const { b } = f; ('),
  ])('proposes no mutation of types, comments and texts for users: %s', (text) => {
    expect(changesOf(text).filter((change) => !/^empty literal: \{/.test(change))).toEqual([]);
  });
});

test('writes all mutations of a file into one file, and activates only one', async () => {
  const text =
    "export const f = (a: number): unknown => (a > 1 ? { a, b: ['x', 'y'] } : [a + 2]);\nexport const g = 3;\n";
  const all = mutationsOf('src/a.ts', text).map((mutation, at) => ({ ...mutation, id: at + 1 }));
  const planted = plantAll(text, all, 'switch')
    .replace(/^import [^;]*;/, '')
    .replaceAll(/export const \w =|: number|: unknown/g, '');
  const [first = ''] = planted.split('\n');
  const run = (active: number) => new Function('isMutant', `return ${first}`)((id: number) => id === active);
  expect(planted.split('\n').length).toBe(text.split('\n').length);
  expect([run(0)(1), run(0)(2)]).toEqual([[3], { a: 2, b: ['x', 'y'] }]);
  const results = all.slice(0, -1).map(({ id }) => JSON.stringify([run(id)(1), run(id)(2)]));
  expect(results.filter((result) => result === JSON.stringify([run(0)(1), run(0)(2)]))).toEqual([]);
});

test('mutates the same lines for the same seed, each line at most once', () => {
  const all = mutationsOf('src/a.ts', Array.from({ length: 100 }, (_, at) => `x = a + ${at};\n`).join(''));
  const lines = draw(all, 50, 7).map(({ line }) => line);
  expect(new Set(lines).size).toBe(50);
  expect(draw(all, 50, 7).map(({ line }) => line)).toEqual(lines);
  expect(draw(all, 50, 8).map(({ line }) => line)).not.toEqual(lines);
});

import { expect, test } from 'vitest';
import { parseJson } from '../../../../src/base/lib/json.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('parses no JSON that is nested more than 100 levels deep (O3)', () => {
  expect([parseJson(nested(20_000)), parseJson(`{"a":${nested(101)}}`), parseJson('{')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(parseJson('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] });
  expect(JSON.stringify(parseJson(nested(100)), null, 2)).toContain('[');
});

test('parses JSON that begins with a byte order mark', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 });
});

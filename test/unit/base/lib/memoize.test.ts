import { expect, test } from 'vitest';
import { memoize, withLastResult } from '../../../../src/base/lib/memoize.ts';

function counted<T>(read: (text: string) => T) {
  const calls: string[] = [];
  const counting = (text: string) => {
    calls.push(text);
    return read(text);
  };
  return { calls, read: counting };
}

test('caches the result of a function even when the result is undefined', () => {
  const { calls, read } = counted((): undefined => undefined);
  const cached = memoize(read);
  expect([cached('note'), cached('note'), cached('other'), cached('note')]).toEqual(Array(4).fill(undefined));
  expect(calls).toEqual(['note', 'other']);
});

test('calls the function at most 4 times for a text that comes 2,500 times', () => {
  const { calls, read } = counted((text) => text.toUpperCase());
  const cached = memoize(read);
  for (let at = 0; at < 2_500; at++) {
    expect([cached(`2024 ${at}`), cached('ja')]).toEqual([`2024 ${at}`, 'JA']);
  }
  expect(calls.filter((text) => text === 'ja').length).toBeLessThan(5);
});

test('calls the function again when a text differs from the last one', () => {
  const { calls, read } = counted((text) => text.toUpperCase());
  const cached = withLastResult(read);
  expect(['', 'a', 'a', 'b', 'a', ''].map(cached)).toEqual(['', 'A', 'A', 'B', 'A', '']);
  expect(calls).toEqual(['', 'a', 'b', 'a', '']);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasRoomForThreads } from '../../../../src/base/os/worker-threads.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test.each([
  ['unlimited', true],
  ['68719476736', true],
  ['5120000000', false],
])('decides whether to allow threads by the address-space limit %s: %s (D9)', (limit, hasRoom) => {
  const file = join(tempFolder(), 'limits');
  const lines = ['Limit                     Soft Limit           Hard Limit           Units     '];
  for (const [name, value] of [
    ['Max processes', '7823'],
    ['Max address space', limit],
  ] as const) {
    lines.push(`${name.padEnd(26)}${value.padEnd(21)}${'unlimited'.padEnd(21)}bytes     `);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(hasRoomForThreads(file)).toBe(hasRoom);
});

test('allows threads when the system has no file of limits', () => {
  expect(hasRoomForThreads(join(tempFolder(), 'none'))).toBe(true);
});

import { expect, test } from 'vitest';
import { storageError } from '../../src/base/storage-error.ts';

test.each([
  ['the database itself', 13],
  ['the index of the write-ahead log', 4_874],
])('a disk without room for %s is full (D2)', (_, errcode) => {
  const cause = Object.assign(new Error('of SQLite'), { errcode });
  expect(storageError(cause, '/state')).toMatchObject({ code: 'disk_full', exit: 1 });
});

test('any other failure of the disk is not called full (D2)', () => {
  const cause = Object.assign(new Error('disk I/O error'), { errcode: 10 });
  expect(storageError(cause, '/state')).toMatchObject({ code: 'state_unwritable', exit: 1 });
});

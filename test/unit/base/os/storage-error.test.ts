import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { toStorageError, toSvcError } from '../../../../src/base/os/storage-error.ts';

test.each([
  ['the database itself', 13],
  ['the index of the write-ahead log', 4_874],
])('reports a full disk when there is no room for %s (D2)', (_, errcode) => {
  const cause = Object.assign(new Error('of SQLite'), { errcode });
  expect(toStorageError(cause, '/state')).toMatchObject({ code: 'disk_full', exit: 1 });
});

test('reports no full disk when a write fails for another reason (D2)', () => {
  const cause = Object.assign(new Error('disk I/O error'), { errcode: 10 });
  expect(toStorageError(cause, '/state')).toMatchObject({ code: 'state_unwritable', exit: 1 });
});

test.each(Object.keys(constants.errno))(
  'reports the system error %s as a problem of the machine, not a bug (D9)',
  (code) => {
    const cause = Object.assign(new Error(`${code}: of a system call`), { code, errno: -1, syscall: 'open' });
    expect(toStorageError(cause, '/state')).toMatchObject({ exit: 1 });
    expect(toSvcError(cause)).toMatchObject({ exit: 1 });
  },
);

test.each([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 22, 26])(
  'reports SQLite error %i as a problem of the machine, not a bug (D9)',
  (errcode) => {
    expect(toSvcError(Object.assign(new Error('of SQLite'), { errcode }))).toMatchObject({ exit: 1 });
  },
);

test('reports an unnamed system error as a problem of the machine (D9)', () => {
  const cause = Object.assign(new Error(', Unknown error: Input/output error'), {
    code: '',
    errno: -4094,
    syscall: 'rm',
  });
  expect(toSvcError(cause)).toMatchObject({ exit: 1, code: 'system_error' });
});

test('reports a TypeError or a wrong SQL statement as a bug of the program', () => {
  const wrongSql = Object.assign(new Error('no such table'), { code: 'ERR_SQLITE_ERROR', errcode: 1 });
  expect([toSvcError(new TypeError('x')), toSvcError(wrongSql)]).toMatchObject([{ exit: 70 }, { exit: 70 }]);
});

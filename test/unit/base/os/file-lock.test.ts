import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withOutputLocks } from '../../../../src/base/os/file-lock.ts';
import { diskFolder, tempFolder } from '../../../support/temp-folder.ts';
import { startChild } from '../../runs/fixtures/child.ts';
import { rejectionOf } from '../thrown.ts';

const done = async () => 'done';

describe('the lock on an output file that the user named', () => {
  test('refuses a second writer of the same output file (D2)', async () => {
    const folder = tempFolder();
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const refused = await withOutputLocks([one, one, undefined], async () =>
      rejectionOf(withOutputLocks([two, one], done)),
    );
    expect(refused).toEqual({
      exit: 6,
      code: 'busy',
      message: `another process is writing ${one}`,
      hint: 'Name another file, or wait until that process has ended.',
    });
    expect(await withOutputLocks([two, one], done)).toBe('done');
    expect(['.one.lock', '.two.lock'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });

  test('gets the lock when a failed write or a kill left the lock file (D1)', async () => {
    const folder = tempFolder();
    const one = join(folder, 'one');
    const failing = () => withOutputLocks([one], () => Promise.reject(new Error('no')));
    await expect(failing()).rejects.toThrow('no');
    writeFileSync(join(folder, '.one.lock'), '');
    expect(await withOutputLocks([one], done)).toBe('done');
  });

  test.each([
    ['a file with content', (place: string) => writeFileSync(place, 'mine')],
    ['a folder', (place: string) => void mkdirSync(place)],
    ['a link', (place: string) => symlinkSync('elsewhere', place)],
  ])('refuses to lock when %s has the name of the lock file (K8)', async (_, put) => {
    const folder = tempFolder();
    put(join(folder, '.one.lock'));
    expect(await rejectionOf(withOutputLocks([join(folder, 'one')], done))).toMatchObject({
      exit: 2,
      code: 'bad_output',
    });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  test.runIf(existsSync('/proc/self'))(
    'suggests another folder when the lock file cannot be created (D9)',
    async () => {
      expect(await rejectionOf(withOutputLocks(['/proc/self/one'], done))).toMatchObject({
        exit: 2,
        code: 'bad_output',
        message: expect.stringContaining("can't read or write in /proc/self"),
        hint: 'Name a file in another folder.',
      });
    },
  );

  test('locks the new lock file when another process replaced the old one (D2)', async () => {
    const one = join(tempFolder(), 'one');
    const place = join(one, '../.one.lock');
    const { exec } = DatabaseSync.prototype;
    let locks = 0;
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
      locks += 1;
      if (locks === 1) {
        rmSync(place);
        writeFileSync(place, '');
      }
      exec.call(this, sql);
    };
    onTestFinished(() => {
      DatabaseSync.prototype.exec = exec;
    });
    const second = await withOutputLocks([one], async () => rejectionOf(withOutputLocks([one], done)));
    expect([second.code, locks]).toEqual(['busy', 2]);
  });

  // On a disk, a new file often gets the inode of the removed one.
  test.each([
    ['in memory', tempFolder],
    ['on a disk', diskFolder],
  ])('lets one of three programs write at a time, lock file %s (D2)', async (_, folder) => {
    const file = join(folder(), 'counter');
    writeFileSync(file, '0');
    const programs = [1, 2, 3].map(() => startChild('count-locked.ts', [file, '40']));
    await Promise.all(programs.map((program) => program.saw('counted')));
    expect(readFileSync(file, 'utf8')).toBe('120');
  });
});

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretFile } from '../../../../src/commands/webhooks/secret-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const open = (path: string) => openSecretFile(path, { user: process.getuid?.() });

test('writes a secret to a private file, removes it, and closes the file (W1)', () => {
  const path = join(tempFolder(), 'secret');
  const file = open(path);
  expect([file.path, file.isFilled, statSync(path).mode & 0o777, statSync(path).size]).toEqual([path, false, 0o600, 0]);
  file.writeSecret('whsec_invented');
  expect([file.isFilled, readFileSync(path, 'utf8')]).toEqual([true, 'whsec_invented']);
  expect(() => file.writeSecret('whsec_other')).toThrow('another program wrote into it');
  file.removeSecret();
  expect([file.isFilled, readFileSync(path, 'utf8')]).toEqual([false, '']);
  file.writeSecret('whsec_again');
  expect(readFileSync(path, 'utf8')).toBe('whsec_again');
  file.close();
  expect(() => file.removeSecret()).toThrow('EBADF');
  expect(() => file.close()).not.toThrow();
  expect(readFileSync(path, 'utf8')).toBe('whsec_again');
});

test.each([
  ['a new file', false, '', false],
  ['a new file with the secret', false, 'own', true],
  ['a new file that another program filled', false, 'other', true],
  ['an empty file that was there before', true, '', true],
])('deletes a secret file only when svc made it and it is empty: %s (W1)', (_, isOld, content, stays) => {
  const path = join(tempFolder(), 'secret');
  isOld && writeFileSync(path, '', { mode: 0o600 });
  const file = open(path);
  content === 'own' && file.writeSecret('whsec_invented');
  content === 'other' && writeFileSync(path, 'x');
  file.discard();
  file.close();
  expect(existsSync(path)).toBe(stays);
});

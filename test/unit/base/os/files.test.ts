import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensurePrivateFolder, openPrivateWriter, writePrivateFile } from '../../../../src/base/os/files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../thrown.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe('private files and folders (D6)', () => {
  test('creates private folders and their parents with mode 0700', () => {
    const root = tempFolder();
    ensurePrivateFolder(join(root, 'a', 'b'));
    expect([modeOf(join(root, 'a')), modeOf(join(root, 'a', 'b'))]).toEqual(['700', '700']);
  });

  test.skipIf(process.platform !== 'linux')(
    'fails when the operating system refuses to create a private folder',
    () => {
      const files = join(import.meta.dirname, '../../../../src/base/os/files.ts');
      const script = `import { ensurePrivateFolder } from '${files}'; ensurePrivateFolder('/proc/none/below')`;
      // A program of its own, because the recursive mkdirSync of Node never returns here.
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        timeout: 30_000,
      });
      expect([status, String(stderr)]).toEqual([1, expect.stringContaining('/proc/none')]);
    },
  );

  test('sets mode 0700 on a private folder that other users could read', () => {
    const folder = join(tempFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    ensurePrivateFolder(folder);
    expect(modeOf(folder)).toBe('700');
  });

  test('refuses a folder shared with other users, and does not change it', () => {
    const folder = join(tempFolder(), 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o1777);
    expect(thrownBy(() => ensurePrivateFolder(folder))).toEqual({
      exit: 2,
      code: 'state_shared',
      message: `${folder} is shared with other users`,
      hint: `Name a folder that only svc uses: ${join(folder, 'svc')}`,
    });
    expect(modeOf(folder)).toBe('1777');
  });

  test.each([
    ['a file written in one step', (path: string) => writePrivateFile(path, 'new')],
    ['a file written bit by bit', (path: string) => openPrivateWriter(path).close()],
  ])('sets mode 0600 on %s that had 0644', (_, write) => {
    const path = join(tempFolder(), 'file');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    write(path);
    expect(modeOf(path)).toBe('600');
  });
});

test('replaces a file and leaves no temporary file', () => {
  const folder = tempFolder();
  const path = join(folder, 'file');
  writePrivateFile(path, 'a longer text than the next');
  writePrivateFile(path, Buffer.from('next'));
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['next', ['file']]);
});

test('replaces the target of a symbolic link and keeps the link', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'real'), 'old');
  symlinkSync('real', join(folder, 'link'));
  writePrivateFile(join(folder, 'link'), 'new');
  expect([readFileSync(join(folder, 'real'), 'utf8'), readdirSync(folder).sort()]).toEqual(['new', ['link', 'real']]);
});

test('writes every byte in order when the text is longer than the buffer', () => {
  const path = join(tempFolder(), 'file');
  const writer = openPrivateWriter(path);
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`);
  for (const line of lines) {
    writer.write(line);
  }
  writer.close();
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
});

test.each([
  [false, 'new'],
  [true, 'oldnew'],
])('writes into an existing file with append %s: the content is then %s', (append, text) => {
  const path = join(tempFolder(), 'file');
  writePrivateFile(path, 'old');
  const writer = openPrivateWriter(path, { append });
  writer.write('new');
  writer.close();
  expect(readFileSync(path, 'utf8')).toBe(text);
});

describe('a path that cannot be written (D2)', () => {
  test.each([
    ['a folder', (path: string) => ensurePrivateFolder(path)],
    ['a file', (path: string) => writePrivateFile(join(path, 'x'), '')],
    ['a writer', (path: string) => openPrivateWriter(join(path, 'x'))],
  ])('names the path when %s cannot be created, as its parent is a file (D2)', (_, act) => {
    const path = join(tempFolder(), 'file', 'below');
    writeFileSync(join(path, '..'), '');
    const { exit, code, message } = thrownBy(() => act(path));
    expect({ exit, code, named: message.includes(path) }).toEqual({ exit: 1, code: 'state_unwritable', named: true });
  });
});

test('writes into a named pipe and does not replace it', () => {
  const pipe = join(tempFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, 'r+');
  writePrivateFile(pipe, 'text');
  const got = Buffer.alloc(4);
  readSync(reader, got);
  closeSync(reader);
  expect([got.toString(), statSync(pipe).isFIFO()]).toEqual(['text', true]);
});

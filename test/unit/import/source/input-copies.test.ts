import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CopyInputsOptions } from '../../../../src/import/source/copy-one-input.ts';
import { changedOriginals } from '../../../../src/import/source/input-changes.ts';
import { copiedFiles, findDamagedCopy } from '../../../../src/import/source/input-copies.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { held } from '../held.ts';
import { makeZip } from '../make-zip.ts';

const LIST = 'Email,Name\nana@example.com,Ana\n';
const OTHER = 'Email,Name\nbob@example.com,Bob\n';

let cwd: string;
let folder: string;
beforeEach(() => {
  cwd = tempFolder();
  folder = join(cwd, 'state', 'inputs');
  mkdirSync(join(cwd, 'state'));
});

async function* pieces(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  yield* texts.map((text) => Buffer.from(text));
}

const put = (name: string, content: string | Buffer) => writeFileSync(join(cwd, name), content);
const ONE_DAY_LATER = { now: () => Date.now() + 86_400_000 };
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const copyInputs = (paths: readonly string[], more: Partial<CopyInputsOptions> = {}) =>
  held(paths, { cwd, folder, ...more });

async function texts(files: Parameters<typeof openInputs>[0]): Promise<string[]> {
  const sources = await openInputs(files);
  return Promise.all(sources.map(async ({ bytes }) => Buffer.concat(await Array.fromAsync(bytes())).toString()));
}

const EDITS: Readonly<Record<string, (path: string) => void>> = {
  'rewritten with other bytes of the same length': (path) => writeFileSync(path, OTHER),
  truncated: (path) => truncateSync(path, 12),
  'appended to': (path) => appendFileSync(path, 'late@example.com,Late\n'),
  'replaced by rename': (path) => {
    writeFileSync(`${path}.new`, OTHER);
    renameSync(`${path}.new`, path);
  },
  deleted: (path) => unlinkSync(path),
};

describe('the copy of an input', () => {
  test('copies an input with the same bytes, readable only by its owner (D7, D6)', async () => {
    put('a.csv', LIST);
    const { files, record } = await copyInputs(['a.csv']);
    const place = String(files[0]?.diskPath);
    expect(readFileSync(place, 'utf8')).toBe(LIST);
    expect([statSync(place).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await record([])).toMatchObject([{ path: 'a.csv', sha256: sha256(LIST), size: LIST.length }]);
    expect(readdirSync(folder)).toEqual(['1']);
  });

  test.each(Object.entries(EDITS))('reads the copy when the original file is %s afterwards (D7)', async (_, edit) => {
    put('a.csv', LIST);
    put('b.csv.gz', gzipSync(LIST));
    put('c.zip', makeZip([{ name: 'x.csv', content: LIST }]));
    const { files, record } = await copyInputs(['a.csv', 'b.csv.gz', 'c.zip']);
    ['a.csv', 'b.csv.gz', 'c.zip'].forEach((name) => edit(join(cwd, name)));
    expect(await texts(files)).toEqual([LIST, LIST, LIST]);
    expect(await texts(copiedFiles(await record([]), folder))).toEqual([LIST, LIST, LIST]);
  });

  test('copies two inputs with the same name separately', async () => {
    mkdirSync(join(cwd, 'sub'));
    put('a.csv', LIST);
    put('sub/a.csv', OTHER);
    expect(await texts((await copyInputs(['sub/a.csv', 'a.csv'])).files)).toEqual([OTHER, LIST]);
  });

  test('reports the progress of a copy in bytes when a list has megabytes', async () => {
    const large = `Email,Name\n${'ana@example.com,Ana\n'.repeat(200_000)}`;
    put('a.csv', large);
    const done: number[] = [];
    const { record } = await copyInputs(['a.csv'], {
      emit: (event) => event.type === 'progress' && done.push(event.done),
    });
    expect((await record([]))[0]?.sha256).toBe(sha256(large));
    expect([done.length > 2, done.at(-1)]).toEqual([true, large.length]);
  });

  test.each([
    [['a.csv', 'a.csv']],
    [['a.csv', './a.csv']],
    [['a.csv', 'link.csv']],
    [['a.csv', 'hard.csv']],
    [['-', '/dev/stdin']],
  ])('refuses two inputs that are the same file: %j', async (paths) => {
    put('a.csv', LIST);
    symlinkSync(join(cwd, 'a.csv'), join(cwd, 'link.csv'));
    linkSync(join(cwd, 'a.csv'), join(cwd, 'hard.csv'));
    const options = { stdin: pieces(LIST) };
    await expect(copyInputs(paths, options)).rejects.toMatchObject({ code: 'duplicate_input', exit: 2 });
  });

  test('reports a copy of an input that is missing or has another hash', async () => {
    put('a.csv', LIST);
    const recorded = await (await copyInputs(['a.csv'])).record([]);
    expect(await findDamagedCopy(recorded, folder)).toBeUndefined();
    writeFileSync(join(folder, '1'), OTHER);
    expect(await findDamagedCopy(recorded, folder)).toContain('damaged');
    rmSync(join(folder, '1'));
    expect(await findDamagedCopy(recorded, folder)).toContain('gone');
  });
});

describe('an input that changes while it is copied', () => {
  /** Edits the file when its first bytes were copied. */
  const during = (edit: (path: string) => void) => {
    let done = false;
    return copyInputs(['a.csv'], {
      emit: (event) => {
        if (event.type === 'progress' && !done) {
          done = true;
          edit(join(cwd, 'a.csv'));
        }
      },
    });
  };

  test.each(Object.entries(EDITS))('refuses an input that is %s during the copy (D7)', async (_, edit) => {
    put('a.csv', LIST);
    await expect(during(edit)).rejects.toMatchObject({ code: 'input_changed', exit: 2, hint: expect.any(String) });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('refuses a large input that grows during the copy (D7)', async () => {
    put('a.csv', 'x'.repeat(3 * 1024 * 1024));
    await expect(during(EDITS['appended to'] as (path: string) => void)).rejects.toMatchObject({
      code: 'input_changed',
      message: expect.stringContaining('3145728 bytes, and has 3145750 now'),
    });
  });

  test('refuses an input when its link changes during the copy (D7)', async () => {
    put('real.csv', LIST);
    put('other.csv', OTHER);
    symlinkSync(join(cwd, 'real.csv'), join(cwd, 'a.csv'));
    const swap = (path: string) => {
      unlinkSync(path);
      symlinkSync(join(cwd, 'other.csv'), path);
    };
    await expect(during(swap)).rejects.toMatchObject({ code: 'input_changed' });
  });
});

describe('an input of a dry run', () => {
  test('reads and hashes an input in place, without a copy, in a dry run', async () => {
    put('a.csv', LIST);
    const { files, record } = await copyInputs(['a.csv'], { dryRun: true });
    expect(existsSync(folder)).toBe(false);
    expect(await record([])).toMatchObject([{ path: 'a.csv', sha256: sha256(LIST), size: LIST.length }]);
    expect(await texts(files)).toEqual([LIST]);
  });

  test.each([
    ['the survey read the whole file', true, 0, 'surveyed'],
    ['the survey read unpacked bytes (D7)', false, 0, sha256(LIST)],
    ['the survey read another file', true, 1, sha256(LIST)],
  ] as const)(
    'uses the hash of the survey only when it covers the whole file: %s',
    async (_, isWholeFile, index, expected) => {
      put('a.csv', LIST);
      const { record } = await copyInputs(['a.csv'], { dryRun: true, clock: ONE_DAY_LATER });
      const path = ['a.csv', 'b.csv'][index] as string;
      const [recorded] = await record([{ path, isWholeFile, sha256: 'surveyed' }]);
      expect(recorded?.sha256).toBe(expected);
    },
  );

  test.each(Object.entries(EDITS))('refuses an input that is %s before the survey reads it (D7)', async (_, edit) => {
    put('a.csv', LIST);
    const { files, record } = await copyInputs(['a.csv'], { dryRun: true });
    edit(join(cwd, 'a.csv'));
    await expect(texts(files)).rejects.toMatchObject({ code: 'input_changed', exit: 2 });
    await expect(record([])).rejects.toMatchObject({ code: 'input_changed', exit: 2 });
    // The hash of the survey matches, but the size and times of the file show that it changed.
    const surveyed = { path: 'a.csv', isWholeFile: true, sha256: sha256(LIST) };
    await expect(record([surveyed])).rejects.toMatchObject({ code: 'input_changed', exit: 2 });
  });

  test('refuses a file when two surveys differ but its times are the same (D7)', async () => {
    put('a.csv', LIST);
    const { record } = await copyInputs(['a.csv'], { dryRun: true, clock: ONE_DAY_LATER });
    const surveyed = { path: 'a.csv', isWholeFile: true, sha256: sha256(LIST) };
    await expect(record([surveyed])).resolves.toHaveLength(1);
    await expect(record([{ ...surveyed, sha256: sha256(OTHER) }])).rejects.toMatchObject({ code: 'input_changed' });
  });

  test.each(
    Object.entries(EDITS).flatMap(([name, edit]) =>
      ['a.csv', 'a.csv.gz', 'a.zip'].map((file) => [file, name, edit] as const),
    ),
  )('refuses the input %s when it is %s while svc reads it (D7)', async (file, _, edit) => {
    const content: Readonly<Record<string, string | Buffer>> = {
      'a.csv': LIST,
      'a.csv.gz': gzipSync(LIST),
      'a.zip': makeZip([{ name: 'x.csv', content: LIST }]),
    };
    put(file, content[file] ?? '');
    const [source] = await openInputs((await copyInputs([file], { dryRun: true })).files);
    const read = async () => {
      for await (const _ of source?.bytes() ?? []) {
        edit(join(cwd, file));
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'input_changed', exit: 2 });
  });

  test('refuses a file written just now when the survey read other bytes (D7)', async () => {
    // The times of a coarse file system do not show such a change.
    put('a.csv', LIST);
    const { record } = await copyInputs(['a.csv'], { dryRun: true });
    const surveyed = { path: 'a.csv', isWholeFile: true, sha256: sha256(OTHER) };
    await expect(record([surveyed])).rejects.toMatchObject({ code: 'input_changed', exit: 2 });
  });

  test('copies standard input even in a dry run', async () => {
    const { files } = await copyInputs(['-'], { dryRun: true, stdin: pieces(LIST) });
    expect([await texts(files), await texts(files)]).toEqual([[LIST], [LIST]]);
  });
});

describe('an input that can be read only once', () => {
  test('copies standard input to a private file and reads it again (D6)', async () => {
    const { files, record } = await copyInputs(['-'], { stdin: pieces('Email,Name\n', 'ana@example.com,Ana\n') });
    expect([await texts(files), await texts(files)]).toEqual([[LIST], [LIST]]);
    expect(statSync(join(folder, '1')).mode & 0o777).toBe(0o600);
    expect(await record([])).toEqual([{ path: '-', sha256: sha256(LIST), size: LIST.length }]);
  });

  test.each(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])(
    'reads standard input under the name %s',
    async (path) => {
      expect(await texts((await copyInputs([path], { stdin: pieces(LIST) })).files)).toEqual([LIST]);
    },
  );

  test('unpacks standard input when it is gzipped', async () => {
    expect(await texts((await copyInputs(['-'], { stdin: pieces(gzipSync(LIST)) })).files)).toEqual([LIST]);
  });

  test('leaves no copy when a signal ends endless standard input', async () => {
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(LIST);
      stop.abort(new Error('stopped'));
      await new Promise(() => undefined);
    }
    await expect(copyInputs(['-'], { stdin: endless(), signal: stop.signal })).rejects.toThrow('stopped');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves no copy when standard input fails halfway', async () => {
    async function* torn(): AsyncGenerator<Buffer> {
      yield Buffer.from('Email,Name\n');
      throw new Error('torn');
    }
    await expect(copyInputs(['-'], { stdin: torn() })).rejects.toThrow('torn');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('stops waiting for a FIFO without a writer after an interrupt (D4)', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const stop = new AbortController();
    const copying = copyInputs(['pipe'], { signal: stop.signal });
    stop.abort(new Error('interrupted'));
    await expect(copying).rejects.toThrow('interrupted');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('stops the copy of a large file after an interrupt', async () => {
    put('large.csv', LIST.repeat(400_000));
    const stop = new AbortController();
    let bytes = 0;
    const emit: CopyInputsOptions['emit'] = (event) => {
      if (event.type === 'progress') {
        bytes = event.done;
        stop.abort(new Error('interrupted'));
      }
    };
    await expect(copyInputs(['large.csv'], { signal: stop.signal, emit })).rejects.toThrow('interrupted');
    expect(bytes).toBeLessThan(LIST.length * 200_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reads a FIFO only once', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const writer = spawn('sh', ['-c', 'cat > "$0"', join(cwd, 'pipe')], { stdio: ['pipe', 'ignore', 'ignore'] });
    writer.stdin.end(LIST);
    const { files } = await copyInputs(['pipe']);
    rmSync(join(cwd, 'pipe'));
    expect([await texts(files), await texts(files)]).toEqual([[LIST], [LIST]]);
  });
});

describe('the original file of a resumed run', () => {
  const NAMES = { deleted: 'is gone' } as Readonly<Record<string, string>>;

  test.each(Object.entries(EDITS))(
    'reports the original file of a run as changed when it was %s (D5)',
    async (name, edit) => {
      put('a.csv', LIST);
      const recorded = await (await copyInputs(['a.csv'])).record([]);
      edit(join(cwd, 'a.csv'));
      expect(await changedOriginals(recorded)).toEqual([expect.stringContaining(NAMES[name] ?? 'was changed')]);
    },
  );

  test('does not report a file as changed when only its time differs', async () => {
    put('a.csv', LIST);
    const recorded = await (await copyInputs(['a.csv', '-'], { stdin: pieces(LIST) })).record([]);
    expect(await changedOriginals(recorded)).toEqual([]);
    rmSync(join(cwd, 'a.csv'));
    put('a.csv', LIST);
    expect(await changedOriginals(recorded)).toEqual([]);
  });
});

test.skipIf(!canMount())('reports a full disk and leaves no partial copy of an input (D2, D7)', async () => {
  const small = join(cwd, 'small');
  mkdirSync(small);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]);
  try {
    put('a.csv', 'x'.repeat(1024 * 1024));
    await expect(held(['a.csv'], { cwd, folder: join(small, 'inputs') })).rejects.toMatchObject({
      code: 'disk_full',
      exit: 1,
      message: expect.stringContaining('no room for a copy of a.csv'),
    });
    expect(readdirSync(join(small, 'inputs'))).toEqual([]);
  } finally {
    execFileSync('umount', [small]);
  }
});

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call that fails: the `at`-th of its kind, from 1. */
export interface Target {
  readonly call: string;
  readonly at: number;
  readonly code: string;
}

/** The wrapper around a program: words before its command, and environment variables. */
export interface Wrapper {
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A way to make one call of a program fail. */
export interface Injector {
  readonly name: string;
  /** A wrapper that counts the calls of an undisturbed program in a folder. `read` returns them after its end. */
  count(folder: string): { readonly around: Wrapper; read(): readonly Target[] };
  around(target: Target, folder: string): Wrapper;
  /**
   * True if the failed call concerned the folder. The number of calls before it can differ from that of the undisturbed
   * program, so that a call of Node fails instead.
   */
  hasHit(folder: string): boolean;
}

const CODES = ['EIO', 'ENOSPC', 'EMFILE', 'ELOOP', 'ENAMETOOLONG'];

/** Wraps the functions of Node that the program calls. Works everywhere. */
export const SHIM: Injector = {
  name: 'shim',
  count: (folder) => {
    const counted = join(folder, '..', 'calls');
    return {
      around: { env: shimEnv(folder, { FAIL_COUNT: counted }) },
      read: () => everyCode('call', numbers(Number(readFileSync(counted, 'utf8')))),
    };
  },
  around: ({ at, code }, folder) => ({ env: shimEnv(folder, { FAIL_AT: String(at), FAIL_CODE: code }) }),
  // The shim counts only calls within the folder.
  hasHit: () => true,
};

function shimEnv(folder: string, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'fail-preload.ts')}`, FAIL_WITHIN: folder, ...more };
}

// System calls that may fail, also from SQLite. Those that Node needs to run are left out.
const TRACED = 'openat,mkdir,rename,unlink,rmdir,pread64,pwrite64,fsync,fdatasync,ftruncate,chmod,fchmod,fcntl';

/** Makes system calls of the main thread fail, also those of SQLite. */
export const STRACE: Injector = {
  name: 'strace',
  count: (folder) => {
    const log = join(folder, '..', 'calls');
    return {
      around: { under: ['strace', '-y', '-qq', '-o', log, '-e', `trace=${TRACED}`] },
      read: () => targetsIn(readFileSync(log, 'utf8').split('\n'), folder),
    };
  },
  around: ({ call, at, code }, folder) => ({
    under: [
      ...['strace', '-y', '-qq', '-o', failedCalls(folder)],
      ...['-e', `trace=${call}`, '-e', `inject=${call}:error=${code}:when=${at}`],
    ],
  }),
  hasHit: (folder) =>
    readFileSync(failedCalls(folder), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('(INJECTED)'))
      .every((line) => concerns(line, folder)),
};

function failedCalls(folder: string): string {
  return join(folder, '..', 'failed-calls');
}

/** True if a traced call names the folder. The working directory before an absolute path does not count. */
function concerns(line: string, folder: string): boolean {
  return line.replace(/AT_FDCWD<[^>]*>, "\//, '"/').includes(folder);
}

/** The tracer if it is installed and permitted, else the shim. */
export function bestInjector(): Injector {
  const tried = spawnSync('strace', ['-qq', '-o', '/dev/null', '-e', 'inject=mkdir:error=EIO:when=9', 'true']);
  return tried.status === 0 ? STRACE : SHIM;
}

/** Numbers the calls of each kind, as the tracer does. */
function targetsIn(lines: readonly string[], folder: string): Target[] {
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const call = /^(\w+)\(/.exec(line)?.[1] ?? '';
    const at = (counts.get(call) ?? 0) + 1;
    counts.set(call, at);
    return concerns(line, folder) ? everyCode(call, [at]) : [];
  });
}

function everyCode(call: string, ats: readonly number[]): Target[] {
  return ats.flatMap((at) => CODES.map((code) => ({ call, at, code })));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

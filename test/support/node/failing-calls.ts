import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import sqlite, { DatabaseSync, StatementSync } from 'node:sqlite';

/** The error codes of failing calls. `CORRUPT`: an EIO that SQLite reports as a damaged file. */
export const CALL_CODES = ['EIO', 'CORRUPT', 'ENOSPC', 'EMFILE', 'ELOOP', 'ENAMETOOLONG'] as const;

/** The call that fails: the `at`-th (from 1) on a file under `within`, with this error code. */
export interface CallPlan {
  readonly at: number;
  readonly code: (typeof CALL_CODES)[number];
  readonly within: string;
}

/** The calls that were counted so far, and the one that failed. */
export interface FailingCalls {
  readonly count: number;
  /** The call that failed, as `openSync run.db`. */
  readonly failed: string | undefined;
  /** Restores the wrapped functions. */
  restore(): void;
}

const BY_PATH = [
  ...[
    'openSync',
    'mkdirSync',
    'mkdtempSync',
    'chmodSync',
    'rmSync',
    'rmdirSync',
    'statSync',
    'lstatSync',
    'readdirSync',
  ],
  ...[
    'realpathSync',
    'readFileSync',
    'writeFileSync',
    'renameSync',
    'copyFileSync',
    'existsSync',
    'unlinkSync',
    'open',
  ],
] as const;
const BY_HANDLE = [
  ...['readSync', 'writeSync', 'fsyncSync', 'fchmodSync', 'fstatSync', 'ftruncateSync', 'closeSync', 'read', 'fstat'],
] as const;
const BY_PROMISE = ['open', 'readFile', 'writeFile', 'copyFile', 'stat', 'rename', 'rm', 'unlink', 'mkdir'] as const;
const OF_HANDLES = ['read', 'write', 'sync', 'stat', 'readFile', 'writeFile', 'truncate', 'chmod'] as const;
const OF_DATABASES = ['exec', 'prepare'] as const;
const OF_STATEMENTS = ['run', 'get', 'all', 'iterate'] as const;

// The result codes of SQLite for these errors: IOERR, CORRUPT, FULL, CANTOPEN.
const SQLITE_CODES = { EIO: 10, CORRUPT: 11, ENOSPC: 13, EMFILE: 14, ELOOP: 14, ENAMETOOLONG: 14 } as const;

type Fn = (...args: unknown[]) => unknown;

/**
 * Makes one call to the file system or to SQLite fail in this process, as a failing disk does. The shim wraps the
 * functions of Node that the program calls. It can't wrap calls that SQLite itself makes; strace makes those fail.
 */
export function failCalls({ at, code, within }: CallPlan): FailingCalls {
  let count = 0;
  let failed: string | undefined;
  const undo: (() => void)[] = [];
  const handles = new Map<number, string>();
  const places = new WeakMap<object, string>();

  /** Counts a call. True for the call that must fail. */
  const isHit = (name: string, path: unknown): boolean => {
    const place = path instanceof URL ? path.pathname : path;
    if (typeof place !== 'string' || !place.startsWith(within)) {
      return false;
    }
    count += 1;
    if (count !== at) {
      return false;
    }
    failed = `${name} ${place.slice(within.length)}`;
    return true;
  };
  const systemCode = code === 'CORRUPT' ? 'EIO' : code;
  const fault = (syscall: string, path: string) =>
    Object.assign(new Error(`${systemCode}: made to fail, ${syscall} '${path}'`), {
      ...{ code: systemCode, errno: -constants.errno[systemCode], syscall, path },
    });
  const sqliteFault = () =>
    Object.assign(new Error(`made to fail: ${code}`), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_CODES[code] });
  // biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped alike
  const wrap = (object: any, name: string, around: (original: Fn, self: unknown, args: unknown[]) => unknown) => {
    const original = object[name] as Fn;
    object[name] = function (this: unknown, ...args: unknown[]) {
      return around(original, this, args);
    };
    Object.assign(object[name], original);
    undo.push(() => {
      object[name] = original;
    });
  };
  /** Fails as the function does: through its callback if it has one, else with a throw. */
  const fail = (name: string, path: string, args: unknown[]) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      throw fault(name, path);
    }
    setImmediate(() => callback(fault(name, path)));
  };

  for (const name of BY_PATH) {
    wrap(fs, name, (original, self, args) => {
      const path = String(args[0]);
      if (isHit(name, args[0])) {
        return name === 'existsSync' ? false : fail(name, path, args);
      }
      const callback = args.at(-1);
      if (name === 'open' && typeof callback === 'function') {
        args[args.length - 1] = (error: unknown, handle: number) => {
          handles.set(handle, path);
          callback(error, handle);
        };
      }
      const result = original.apply(self, args);
      if (name === 'openSync') {
        handles.set(Number(result), path);
      }
      return result;
    });
  }
  for (const name of BY_HANDLE) {
    wrap(fs, name, (original, self, args) => {
      const path = handles.get(Number(args[0]));
      if (!isHit(name, path)) {
        return original.apply(self, args);
      }
      if (name === 'closeSync') {
        original.apply(self, args);
      }
      return fail(name, String(path), args);
    });
  }
  for (const name of BY_PROMISE) {
    wrap(fs.promises, name, async (original, self, args) => {
      if (isHit(`promises.${name}`, args[0])) {
        throw fault(name, String(args[0]));
      }
      const result = await original.apply(self, args);
      if (name === 'open') {
        places.set(result as object, String(args[0]));
        watchHandle(result as object);
      }
      return result;
    });
  }
  const watchHandle = (handle: object) => {
    for (const name of OF_HANDLES) {
      wrap(handle, name, async (original, self, args) => {
        if (isHit(`handle.${name}`, places.get(handle))) {
          throw fault(name, places.get(handle) ?? '');
        }
        return original.apply(self, args);
      });
    }
  };
  for (const name of OF_DATABASES) {
    wrap(DatabaseSync.prototype, name, (original, self, args) => {
      const place = (self as DatabaseSync).location() ?? undefined;
      // ROLLBACK never fails, because a failed transaction must be able to end.
      if (args[0] !== 'ROLLBACK' && isHit(`${name} ${String(args[0]).trim().slice(0, 40)}`, place)) {
        throw sqliteFault();
      }
      const result = original.apply(self, args);
      if (name === 'prepare' && place !== undefined) {
        places.set(result as object, place);
      }
      return result;
    });
  }
  for (const name of OF_STATEMENTS) {
    wrap(StatementSync.prototype, name, (original, self, args) => {
      if (
        isHit(`statement.${name} ${(self as StatementSync).sourceSQL.trim().slice(0, 40)}`, places.get(self as object))
      ) {
        throw sqliteFault();
      }
      return original.apply(self, args);
    });
  }
  const Real = sqlite.DatabaseSync;
  const Failing = class extends Real {
    constructor(...args: ConstructorParameters<typeof DatabaseSync>) {
      if (isHit('DatabaseSync', args[0])) {
        throw sqliteFault();
      }
      super(...args);
    }
  };
  (sqlite as { DatabaseSync: typeof DatabaseSync }).DatabaseSync = Failing;
  undo.push(() => {
    (sqlite as { DatabaseSync: typeof DatabaseSync }).DatabaseSync = Real;
  });
  syncBuiltinESMExports();

  return {
    get count() {
      return count;
    },
    get failed() {
      return failed;
    },
    restore() {
      for (const back of undo.reverse()) {
        back();
      }
      syncBuiltinESMExports();
    },
  };
}

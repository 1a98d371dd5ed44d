import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Context, UserId } from '../../base/context.ts';
import { EXIT, errorMessage, SvcError } from '../../base/lib/errors.ts';
import { shellFile, terminalSafe } from '../../base/lib/text.ts';
import { isFolder } from '../../base/os/files.ts';
import { isStdinName, reasonNotToOverwrite } from '../../base/os/user-named-file.ts';

/** The files that a command reads or writes, as its flags and arguments name them. */
interface OutputFileFlags {
  readonly report?: string | undefined;
  readonly reportHtml?: string | undefined;
  readonly saveMapping?: string | undefined;
  readonly mapping?: string | undefined;
  readonly logFile?: string | undefined;
  readonly inputs: readonly string[];
  readonly output?: string | undefined;
  /** Files that the run writes at its end. They are checked then. */
  readonly copies?: { readonly report?: string | undefined; readonly reportHtml?: string | undefined };
}

/**
 * Throws if an output file is also an input or another output, so that svc never overwrites the list. Also throws if
 * svc can't or must not write the file. --save-mapping may replace the file of --mapping.
 */
export function checkOutputFiles(
  { cwd, platform }: Context,
  { inputs, report, reportHtml, saveMapping, mapping, logFile, output, copies }: OutputFileFlags,
): void {
  const inUse: PathInUse[] = [];
  const use = (what: string, path: string | undefined) => {
    if (path !== undefined) {
      inUse.push({ what, path: resolve(cwd, path) });
    }
  };
  const checkAndUse = (flag: string, path: string | undefined) => {
    if (path !== undefined) {
      refuseDash(flag, path);
      const absolute = resolve(cwd, path);
      refuseOutput(flag, absolute, () =>
        path.endsWith('/') ? 'it is a folder' : reasonNotToWrite(absolute, inUse, platform.user),
      );
      use(`the file of ${flag}`, path);
    }
  };
  inputs.filter((path) => !isStdinName(path)).forEach((path) => use('an input', path));
  checkAndUse('--save-mapping', saveMapping);
  use('the file of --mapping', mapping);
  checkAndUse('--report', report);
  checkAndUse('--report-html', reportHtml);
  checkAndUse('--output', output);
  use('the copy of the report', copies?.report);
  use('the copy of the page', copies?.reportHtml);
  if (logFile !== undefined) {
    refuseDash('--log-file', logFile);
    const absolute = resolve(cwd, logFile);
    refuseOutput('--log-file', absolute, () => {
      const conflict = inUse.find((other) => isSameFile(other.path, absolute));
      return conflict && `it is ${conflict.what}`;
    });
  }
}

/** Throws for `-`, which means standard output in other programs. svc would write a file of that name. */
export function refuseDash(flag: string, path: string | undefined): void {
  if (path === '-') {
    const onStdout = flag === '--report' ? 'With --json the report is on standard output. ' : '';
    throw new SvcError(EXIT.usage, 'bad_output', `${flag} -: svc writes this only to a file`, {
      hint: `${onStdout}Name a file. If its name is a dash: ${flag} ./-`,
    });
  }
}

/** A file that the command reads or writes, as a message names it. */
interface PathInUse {
  readonly what: string;
  readonly path: string;
}

function refuseOutput(flag: string, path: string, reasonOf: () => string | undefined): void {
  const why = reasonOrFailure(reasonOf);
  if (why !== undefined) {
    const folder = dirname(path);
    const hint =
      why === noFolder(folder)
        ? `Name another file, or make the folder:\nmkdir -p ${shellFile(folder)}`
        : 'Name another file.';
    throw new SvcError(EXIT.usage, 'bad_output', `${flag} ${terminalSafe(path)}: ${why}`, { hint });
  }
}

/** A reason not to write a file. A failed system call is a reason too, for example if the name is too long. */
function reasonOrFailure(reasonOf: () => string | undefined): string | undefined {
  try {
    return reasonOf();
  } catch (error) {
    // Removes the path from the message of the system, because svc's own message shows it.
    return errorMessage(error).replace(/, \w+ '.*$/s, '');
  }
}

function reasonNotToWrite(path: string, taken: readonly PathInUse[], user: UserId): string | undefined {
  const conflict = taken.find((other) => isSameFile(other.path, path));
  if (conflict) {
    return `it is ${conflict.what}, which would be written over`;
  }
  const folder = dirname(path);
  const reason =
    reasonNotToOverwrite(path, user) ??
    (isFolder(path) ? 'it is a folder' : undefined) ??
    (isFolder(folder) ? undefined : noFolder(folder));
  if (reason === undefined) {
    // Throws if svc may not write there. An existing file can be overwritten even if its folder is read-only.
    accessSync(existsSync(path) ? path : folder, constants.W_OK);
  }
  return reason;
}

/** True if both paths lead to the same file, even through a symbolic or hard link. */
function isSameFile(one: string, other: string): boolean {
  if (one === other) {
    return true;
  }
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }));
  return (
    a !== undefined &&
    b !== undefined &&
    ((a.dev === b.dev && a.ino === b.ino) || realpathSync(one) === realpathSync(other))
  );
}

function noFolder(folder: string): string {
  return `there is no folder ${terminalSafe(folder)}`;
}

/** Throws if the file exists and is not empty, unless --force is given. */
export function refuseExisting(
  path: string,
  force: boolean | undefined,
  hint = 'Name another file, or replace it with --force.',
): void {
  if (!force && existsSync(path) && statSync(path).size > 0) {
    throw new SvcError(EXIT.usage, 'output_exists', `${terminalSafe(path)} exists already`, { hint });
  }
}

/** Throws for a file of another user (K8). Also throws for a device, because svc would replace it by a file. */
export function refuseForeign(flag: string, path: string, { platform }: Pick<Context, 'platform'>): void {
  const why = reasonOrFailure(() => {
    const found = statSync(path, { throwIfNoEntry: false });
    return reasonNotToOverwrite(path, platform.user) ?? (found && !found.isFile() ? 'it is no file' : undefined);
  });
  if (why !== undefined) {
    throw new SvcError(EXIT.usage, 'bad_output', `${flag} ${terminalSafe(path)}: ${why}`, {
      hint: `Name another file, or leave ${flag} out.`,
    });
  }
}

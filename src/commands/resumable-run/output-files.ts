import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Context, UserId } from '../../base/context.ts';
import { EXIT, errorMessage, SvcError } from '../../base/lib/errors.ts';
import { shellFile, terminalSafe } from '../../base/lib/text.ts';
import { isFolder } from '../../base/os/files.ts';
import { isStdinName, reasonNotToOverwrite } from '../../base/os/user-named-file.ts';

/** The files that the flags and arguments of a command name, to read or to write. */
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
 * svc can't or must not write the file.
 */
export function checkOutputFiles(
  { cwd, platform }: Context,
  { inputs, report, reportHtml, saveMapping: saved, mapping, logFile, output, copies }: OutputFileFlags,
): void {
  const toAbsolute = (path: string) => resolve(cwd, path);
  const pathsInUse = (what: string, path: string | undefined): PathInUse[] =>
    path === undefined ? [] : [{ what, path: toAbsolute(path) }];
  const inputPaths = inputs.filter((path) => !isStdinName(path)).flatMap((path) => pathsInUse('an input', path));
  const mappingPaths = pathsInUse('the file of --mapping', mapping);
  const reportPaths = pathsInUse('the file of --report', report);
  const pagePaths = pathsInUse('the file of --report-html', reportHtml);
  const outputPaths = pathsInUse('the file of --output', output);
  const savedPaths = pathsInUse('the file of --save-mapping', saved);
  const check = (flag: string, path: string | undefined, taken: readonly PathInUse[]) => {
    for (const one of pathsInUse(flag, path)) {
      refuseOutput(flag, one.path, () =>
        path?.endsWith('/') ? 'it is a folder' : reasonNotToWrite(one.path, taken, platform.user),
      );
    }
  };
  check('--report-html', reportHtml, [...inputPaths, ...mappingPaths, ...reportPaths]);
  check('--output', output, [...inputPaths, ...mappingPaths]);
  check('--report', report, [...inputPaths, ...mappingPaths]);
  check('--save-mapping', saved, [...inputPaths, ...reportPaths, ...pagePaths, ...outputPaths]);
  const copyPaths = [
    ...pathsInUse('the copy of the report', copies?.report),
    ...pathsInUse('the copy of the page', copies?.reportHtml),
  ];
  const written = [...reportPaths, ...pagePaths, ...outputPaths, ...savedPaths, ...copyPaths];
  const others = [...inputPaths, ...mappingPaths, ...written];
  for (const { path } of pathsInUse('the log', logFile)) {
    refuseOutput('--log-file', path, () => {
      const conflict = others.find((other) => isSameFile(other.path, path));
      return conflict && `it is ${conflict.what}`;
    });
  }
}

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

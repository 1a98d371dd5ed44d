import { existsSync } from 'node:fs';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { shellFile, shellWord, terminalSafe } from '../base/lib/text.ts';
import type { ReadingOptions } from '../import/mapping/reading-answers.ts';
import { withOtherPath } from '../import/source/source.ts';
import { refusedRows } from '../migrate/compare/look-up.ts';
import { type ImportOptions, importsContacts } from '../run-lifecycle/data/run-options.ts';
import { listReadableRuns, resolveRunName } from '../runs/find/list-runs.ts';
import { hintForOrigin } from '../runs/find/next-commands.ts';
import { isComparisonCommand } from '../runs/find/run-status.ts';
import { type RunSummary, summarizeRun } from '../runs/find/summarize-run.ts';
import type { Journal } from '../runs/store/journal.ts';
import { readRun, tryReadRun } from '../runs/store/open-journal.ts';
import type { RunHeader } from '../runs/store/run-header.ts';
import type { CheckOptions, OpenCheck } from './check-options.ts';
import type { RunWrites } from './compare-list.ts';

/** Which run to verify, and where. */
interface VerifyRequest {
  /** The id of the run. By default it is the latest import at `origin`. */
  readonly named: string | undefined;
  /** The origin of the account. Undefined for an emulator that ends with the command. */
  readonly origin: string | undefined;
}

/**
 * The options of `runs verify`, which compares the list of a finished run with its audience. It reads the list with the
 * options of that run.
 */
export function verifyOptions(
  stateFolder: string,
  { named, origin }: VerifyRequest,
): Omit<CheckOptions, 'output' | 'force'> {
  // Comparisons, such as `runs verify`, are recorded as runs too, but they can't be verified.
  const run =
    named === undefined
      ? latestImport(stateFolder, origin)
      : resolveRunName(stateFolder, named, ({ command }) => !isComparisonCommand(command));
  const { header, wrote } = readRun(stateFolder, run, (journal) => ({
    header: journal.header,
    wrote: hasSent(journal),
  }));
  refuseUnverifiableRun(summarizeRun(stateFolder, run), wrote);
  requireOriginOfRun(header, origin);
  const { reading, maxFailures } = header.options as unknown as ImportOptions;
  const inputs = header.inputs.map((input) => originalOf(input, header));
  return {
    command: 'runs verify',
    inputs,
    reading: answersByPath(reading, header, inputs),
    target: targetOf(header),
    maxFailures,
    dryRun: false,
    verifies: { run, command: header.command, sha256: header.inputs.map(({ sha256 }) => sha256) },
  };
}

/** The audience of the run. If the run created it, the run may have recorded only its name. */
function targetOf({ destination }: RunHeader): CheckOptions['target'] {
  return destination?.kind === 'new audience'
    ? { id: undefined, name: destination.name, create: false, mustExist: true, resumed: undefined }
    : { id: destination?.id, name: undefined, create: false, mustExist: undefined, resumed: undefined };
}

function latestImport(stateFolder: string, origin: string | undefined): string {
  const imports = listReadableRuns(stateFolder).filter(
    ({ command, finished, status }) => importsContacts(command) && finished && WROTE_STATUSES.includes(status),
  );
  // Skips runs that sent nothing, for example a nightly run without changes.
  const hasWritten = ({ run }: RunSummary) => tryReadRun(stateFolder, run, hasSent);
  const latest = imports.find((run) => run.origin === origin && hasWritten(run));
  if (!latest) {
    const elsewhere = imports.find(hasWritten);
    const where = elsewhere ? `at ${originInWords(origin, 'this emulator')}` : 'on this machine';
    throw new SvcError(EXIT.usage, 'nothing_to_verify', `no finished import is recorded ${where}`, {
      hint: (elsewhere && hintForOrigin(elsewhere.origin, 'To verify the latest import')) ?? 'See: svc runs ls',
    });
  }
  return latest.run;
}

/** Refuses to compare a run with another origin, where another audience may have its id or its name (V4, K4). */
function requireOriginOfRun({ run, origin: own }: RunHeader, origin: string | undefined): void {
  if (own !== origin) {
    const emulator = isEmulator(origin) ? 'another emulator' : 'an emulator';
    const why = `it was begun at ${originInWords(own, emulator)}, not at ${originInWords(origin, 'this emulator')}`;
    throw new SvcError(EXIT.usage, 'another_destination', `${run} cannot be verified here: ${why}`, {
      hint:
        hintForOrigin(own, 'To verify it') ??
        'Give --emulator-data with the folder with which it was begun. If it had none, that emulator is gone.',
    });
  }
}

function originInWords(origin: string | undefined, emulator: string): string {
  return origin === undefined || isEmulator(origin) ? emulator : terminalSafe(origin);
}

function isEmulator(origin: string | undefined): boolean {
  return origin === undefined || origin.startsWith('emulator:');
}

function hasSent({ requests }: Journal): boolean {
  return requests.hasAny();
}

const WROTE_STATUSES = ['completed', 'partial', 'unverified'];

function refuseUnverifiableRun({ run, command, finished, status, overtakenBy }: RunSummary, hasSent: boolean): void {
  const why = !importsContacts(command)
    ? `it is a run of svc ${command}, and only imports of contacts are verified`
    : !finished
      ? 'it is not finished'
      : overtakenBy !== undefined
        ? `${overtakenBy} wrote to the same audience before it was finished`
        : !WROTE_STATUSES.includes(status) || !hasSent
          ? 'it wrote nothing'
          : undefined;
  if (why !== undefined) {
    const hint = finished ? 'To verify the latest import: svc runs verify' : `svc runs resume ${run}`;
    throw new SvcError(EXIT.usage, 'not_verifiable', `${run} cannot be verified: ${terminalSafe(why)}`, { hint });
  }
}

/** The path of the input file. The file itself is read, because a finished run has deleted its input copy. */
function originalOf({ path, original }: RunHeader['inputs'][number], header: RunHeader): string {
  const id = header.destination?.id;
  const hint = `If you still have the list: svc contacts check <list> --audience ${id === undefined ? '<id>' : shellWord(id)}`;
  if (!original) {
    const what = path === '-' ? 'its list was standard input' : `${terminalSafe(path)} was no file`;
    const message = `${header.run} cannot be verified: ${what}, and the copy was deleted when the run finished`;
    throw new SvcError(EXIT.usage, 'input_released', message, { hint });
  }
  if (!existsSync(original.place)) {
    throw new SvcError(
      EXIT.usage,
      'input_released',
      `${header.run} cannot be verified: ${terminalSafe(path)} no longer exists`,
      {
        hint,
      },
    );
  }
  return original.place;
}

/**
 * Replaces the paths of inputs in the run's answers by full paths, because the user may have typed them in another
 * folder.
 */
function answersByPath(reading: ReadingOptions, { inputs }: RunHeader, sources: readonly string[]): ReadingOptions {
  const rename = (answer: string) =>
    inputs.reduce((text, { path }, index) => withOtherPath(text, { from: path, to: sources[index] ?? path }), answer);
  const renameAll = (answers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(answers).map(([name, answer]) => [rename(name), answer]));
  const { map, statusMap, defaultStatus } = reading;
  return {
    ...reading,
    map: map.map(rename),
    statusMap: renameAll(statusMap),
    defaultStatus: renameAll(defaultStatus),
  };
}

/** Throws `input_changed` if a file is not the same, byte for byte, as the one that the verified run read (V4). */
export function checkSameInputs({ options: { verifies }, journal: { header } }: OpenCheck): void {
  const changed = verifies && header.inputs.find(({ sha256 }, index) => sha256 !== verifies.sha256[index]);
  if (changed) {
    throw new SvcError(
      EXIT.usage,
      'input_changed',
      `${verifies.run} cannot be verified: ${terminalSafe(changed.path)} was changed since it was imported`,
      { hint: `To compare the file as it is now: svc contacts check ${shellFile(changed.path)}` },
    );
  }
}

/** What the verified run wrote. Undefined for `contacts check`. */
export function writesOfRun({ verifies }: CheckOptions, stateFolder: string): RunWrites | undefined {
  if (!verifies) {
    return undefined;
  }
  const refusedRowKeys = readRun(stateFolder, verifies.run, refusedRows);
  return { refusedRowKeys, wroteSuppressions: verifies.command === 'migrate' };
}

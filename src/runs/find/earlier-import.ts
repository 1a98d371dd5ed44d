import { isDeepStrictEqual } from 'node:util';
import { placeholderAudienceId, type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import { mayHaveWritten } from './matching-run.ts';
import type { RunSummary } from './summarize-run.ts';

/** A finished run that imported a list. `isSameList` is false for an earlier version of the list. */
export interface EarlierImport {
  readonly run: string;
  readonly startedAt: number;
  readonly isSameList: boolean;
}

/** A run that writes a list, or is about to. */
type ListRun = Pick<RunHeader, 'origin' | 'destination' | 'options' | 'inputs'>;

type Input = RunHeader['inputs'][number];

// Matches a date in a path, and a time after it: `2026-11-30`, `30.11.2026`, `20261130_0400`, `2026-11`. Ten or
// thirteen digits are the seconds or milliseconds of a clock.
const DATE = new RegExp(
  [
    '(?:19|20)\\d\\d(?:[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\\d|3[01]))?|([-_.])\\d{1,2}\\1\\d{1,2})',
    '(?:[0-2]?\\d|3[01])([-_.])(?:[01]?\\d|3[01])\\2(?:(?:19|20)?\\d\\d)',
    '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])20\\d\\d|1\\d{9}(?:\\d{3})?',
  ]
    .map((date) => `(?<!\\d)(?:${date})(?:[-_T ]?\\d\\d[-_.:]?\\d\\d(?:[-_.:]?\\d\\d)?Z?)?(?!\\d)`)
    .join('|'),
  'g',
);

/**
 * The newest finished run of any command that wrote all files of `own` as contacts to the same audience, or else a
 * version of one of them. A rehearsal does not count. `isKnown` is true for a run whose people `own` does not bring
 * back if they were deleted. Such a run does not count, nor do older versions of its files.
 */
export function findEarlierImport(
  runs: readonly RunSummary[],
  own: ListRun,
  isKnown: (run: RunSummary) => boolean,
): EarlierImport | undefined {
  const { inputs } = own;
  const writes = runs.filter((run) => hasImportedTo(run, own));
  const counted = inputs.flatMap((input) => versionsOf(writes, input, isKnown));
  const imports = writes.filter((run) => counted.includes(run));
  const same = imports.find(({ header }) => inputs.every((input) => header?.inputs.some(hasContentOf(input))));
  const found = same ?? imports[0];
  return found && { run: found.run, startedAt: found.startedAt, isSameList: same !== undefined };
}

function hasImportedTo(run: RunSummary, own: ListRun): boolean {
  const { header } = run;
  const audienceId = header && writtenAudienceId(header);
  // A run that was killed, and then overtaken, may still have the placeholder of its new audience.
  const audienceIds = [writtenAudienceId(own), own.destination && placeholderAudienceId(own.destination.name)];
  return (
    mayHaveWritten(run) &&
    // A run with --only-changed may have sent nothing, because no person of its list had changed.
    (run.hasSent === true || header?.options.changes !== undefined) &&
    header?.options.dryRun !== true &&
    header?.origin === own.origin &&
    audienceId !== undefined &&
    audienceIds.includes(audienceId)
  );
}

/** The runs that read a version of a file: its content, or its path. Only those that are newer than a known run. */
function versionsOf(
  runs: readonly RunSummary[],
  input: Input,
  isKnown: (run: RunSummary) => boolean,
): readonly RunSummary[] {
  const hasContent = hasContentOf(input);
  const versions = runs.filter(({ header }) => header?.inputs.some((one) => hasContent(one) || isSamePath(input, one)));
  const known = versions.findIndex(isKnown);
  if (known === -1) {
    return versions;
  }
  // A newer run that read only files of the known run, with the same answers, has no other people.
  const { inputs: knownFiles = [], options } = versions[known]?.header ?? {};
  return versions
    .slice(0, known)
    .filter(
      ({ header }) =>
        !isDeepStrictEqual(header?.options.reading, options?.reading) ||
        !header?.inputs.every((one) => knownFiles.some(hasContentOf(one))),
    );
}

function hasContentOf({ sha256 }: Input): (other: Input) => boolean {
  return (other) => other.sha256 === sha256;
}

/** True if two paths differ only in dates. Other numbers count: `part-1.csv` and `part-2.csv` are two lists. */
function isSamePath({ original: one }: Input, { original: other }: Input): boolean {
  const [own, earlier] = [one, other].map((original) => original?.place.replace(DATE, '#'));
  return own !== undefined && own === earlier;
}

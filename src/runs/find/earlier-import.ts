import { placeholderAudienceId, type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import type { RunSummary } from './list-runs.ts';
import { mayHaveWritten } from './matching-run.ts';

/** A finished run that imported a list. `isSameList` is false for an earlier version of the list. */
export interface EarlierImport {
  readonly run: string;
  readonly startedAt: number;
  readonly isSameList: boolean;
}

/** A run that writes a list, or is about to. */
type ListRun = Pick<RunHeader, 'origin' | 'destination' | 'options' | 'inputs'>;

type Input = RunHeader['inputs'][number];

/**
 * The newest finished run of any command that wrote all files of `own` as contacts to the same audience, or else a
 * version of one of them. A rehearsal does not count.
 */
export function findEarlierImport(runs: readonly RunSummary[], own: ListRun): EarlierImport | undefined {
  const { inputs } = own;
  const imports = runs.filter((run) => hasVersionOf(run, inputs) && hasImportedTo(run, own));
  const same = imports.find(({ header }) => inputs.every((input) => header?.inputs.some(hasContentOf(input))));
  const found = same ?? imports[0];
  return found && { run: found.run, startedAt: found.startedAt, isSameList: same !== undefined };
}

function hasImportedTo(run: RunSummary, own: ListRun): boolean {
  const { header } = run;
  const audienceId = header && writtenAudienceId(header);
  // A killed run may still have the placeholder of its new audience.
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

/** True if a run read one of these files: the same content, or the same path with `#` for each number. */
function hasVersionOf({ header }: RunSummary, inputs: readonly Input[]): boolean {
  return (
    header?.inputs.some((one) => inputs.some((input) => hasContentOf(input)(one) || isSamePath(input, one))) === true
  );
}

function hasContentOf({ sha256 }: Input): (other: Input) => boolean {
  return (other) => other.sha256 === sha256;
}

/** True if two paths differ only in numbers, because exports often have a date in their path. */
function isSamePath({ original: one }: Input, { original: other }: Input): boolean {
  const [own, earlier] = [one, other].map((original) => original?.place.replace(/\d+/g, '#'));
  return own !== undefined && own === earlier;
}

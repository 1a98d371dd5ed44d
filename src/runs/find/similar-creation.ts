import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { RunHeader } from '../store/run-header.ts';
import { listReadableRuns } from './list-runs.ts';
import { commandToResumeAt, mayBeSameService } from './next-commands.ts';

type Options = RunHeader['options'];

/** How to recognize a creation that may have the same effect as this one, although its options differ. */
export interface Similarity {
  isSimilar(earlier: Options): boolean;
  /** What both commands do, as a message says it after `is`: `creating this endpoint`. */
  readonly doing: string;
  /** What the other run did, as a message says it after `may have`: `created this endpoint`. */
  readonly done: string;
}

/**
 * Throws if a similar creation is running or has an unknown outcome. Otherwise the effect could occur twice: a second
 * endpoint for the URL, or a second message. Also throws while the same creation is running. Once that run has stopped,
 * the same command resumes it.
 */
export function refuseSimilarCreation(
  stateFolder: string,
  { command, origin, options }: Pick<RunHeader, 'command' | 'origin' | 'options'>,
  { isSimilar, doing, done }: Similarity,
): void {
  const similar = listReadableRuns(stateFolder).filter(
    ({ finished, header }) =>
      !finished && header?.command === command && header.origin === origin && isSimilar(header.options),
  );
  const running = similar.find(({ status }) => status === 'running');
  if (running) {
    throw new SvcError(EXIT.busy, 'busy', `${running.run} is ${doing} now`, { hint: 'svc runs ls' });
  }
  const hash = hashPlainData(options);
  const other = similar.find(({ header, hasSent }) => hasSent && hashPlainData(header?.options ?? {}) !== hash);
  if (other) {
    const hint = `Resume it: svc runs resume ${other.run}\nOr delete its record: svc runs delete ${other.run} --confirm ${other.run}`;
    const message = `${other.run} may have ${done}: its outcome is unknown`;
    throw new SvcError(EXIT.usage, 'creation_in_doubt', message, { hint });
  }
}

/**
 * Like `refuseSimilarCreation`, for creations that began under another base URL. That URL may be another name of the
 * same service, such as `localhost` for `127.0.0.1`. This command would send a new idempotency key there, and could
 * create a second object (I9).
 */
export function refuseCreationElsewhere(
  stateFolder: string,
  { command, origin, options }: Pick<RunHeader, 'command' | 'origin' | 'options'>,
  similarity: Similarity | undefined,
): void {
  const hash = hashPlainData(options);
  const { isSimilar, doing, done } = similarity ?? {
    isSimilar: (earlier: Options) => hashPlainData(earlier) === hash,
    ...{ doing: 'doing the same', done: 'done the same' },
  };
  const other = listReadableRuns(stateFolder).find(
    ({ finished, hasSent, status, header }) =>
      !finished &&
      (hasSent || status === 'running') &&
      header?.command === command &&
      header.origin !== origin &&
      mayBeSameService(header.origin, origin) &&
      isSimilar(header.options),
  );
  if (other) {
    const { run, status } = other;
    const place = `under ${terminalSafe(other.origin)}`;
    if (status === 'running') {
      throw new SvcError(EXIT.busy, 'busy', `${run} is ${doing} ${place} now`, { hint: 'svc runs ls' });
    }
    const hint = `Resume it: ${commandToResumeAt(other)}\nOr, if ${terminalSafe(other.origin)} is another service, delete its record: svc runs delete ${run} --confirm ${run}`;
    const message = `${run} may have ${done} ${place}: its outcome is unknown`;
    throw new SvcError(EXIT.usage, 'creation_in_doubt', message, { hint });
  }
}

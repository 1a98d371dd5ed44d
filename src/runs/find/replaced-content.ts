import { hashPlain } from '../../base/lib/hash.ts';
import type { RunHeader } from '../store/header.ts';
import { readListedRun } from '../store/read-run.ts';
import { listReadableRuns } from './list-runs.ts';
import { hasSentRequests } from './run-status.ts';

// The service stores responses for 24 hours. Clocks differ a little.
const REPLAYED_MS = 25 * 3_600_000;

/**
 * True if runs wrote contacts of different content to the audience of a new run within a day, and the newest of them
 * wrote other content than the new run. Then a request may equal one of the older content: the service would replay
 * its response, and rows that the newest run replaced would stay as they are (I7).
 */
export function isContentReplaced(state: string, header: RunHeader, now: number): boolean {
  const audience = audienceOf(header);
  const contents = listReadableRuns(state)
    .filter(({ run, origin }) => run !== header.run && origin === header.origin)
    // A run without an end may have sent something just now.
    .filter(({ endedAt = now }) => now - endedAt < REPLAYED_MS)
    .map(({ run }) =>
      readListedRun(state, run, (journal) =>
        audienceOf(journal.header) === audience && hasSentRequests(journal) ? contentOf(journal.header) : undefined,
      ),
    )
    .filter((content) => content !== undefined);
  const [newest] = contents;
  return newest !== undefined && newest !== contentOf(header) && contents.some((content) => content !== newest);
}

/** The audience whose contacts a run writes. Undefined if it writes none. */
function audienceOf({ destination, options }: RunHeader): string | undefined {
  return destination?.kind === 'automation' && options.createContacts !== true
    ? undefined
    : (destination?.audienceId ?? destination?.id);
}

/** Equal for two runs that send the same contacts. */
function contentOf({ command, inputs, options }: RunHeader): string {
  const { reading, explicitStatus, batchSize } = options;
  return hashPlain({ command, inputs: inputs.map(({ sha256 }) => sha256), reading, explicitStatus, batchSize });
}

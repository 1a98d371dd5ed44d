import { hashPlain } from '../../base/lib/hash.ts';
import type { RunHeader } from '../store/run-header.ts';
import type { RunSummary } from './list-runs.ts';

// The service replays a response for 24 hours. svc may repeat a key for the last time 23 hours after the first send.
// One more hour allows for clocks that differ.
const REPLAYED_MS = 48 * 3_600_000;

/**
 * True if a new run needs its own idempotency keys. Say runs wrote list A, then list B, and the new run writes A again.
 * With the keys of the first run, the service may only replay its responses. The content of B would stay (I7). `now` is
 * a time of the service, as in the journals.
 */
export function isContentReplaced(runs: readonly RunSummary[], header: RunHeader, now: number): boolean {
  const audience = audienceOf(header);
  const contents = runs
    .filter(({ run, origin }) => run !== header.run && origin === header.origin)
    .filter(({ lastSentAt }) => lastSentAt !== undefined && now - lastSentAt < REPLAYED_MS)
    .flatMap((run) =>
      run.header && run.hasSent && audienceOf(run.header) === audience ? [contentOf(run.header)] : [],
    );
  const [newest] = contents;
  return newest !== undefined && newest !== contentOf(header) && contents.some((content) => content !== newest);
}

/** The audience whose contacts a run writes. Undefined if it writes none. */
function audienceOf({ destination, options }: RunHeader): string | undefined {
  return destination?.kind === 'automation' && options.createContacts !== true
    ? undefined
    : (destination?.audienceId ?? destination?.id);
}

/** A hash that is the same for two runs if they send the same contacts. */
function contentOf({ command, inputs, options }: RunHeader): string {
  const { reading, explicitStatus, batchSize } = options;
  return hashPlain({ command, inputs: inputs.map(({ sha256 }) => sha256), reading, explicitStatus, batchSize });
}

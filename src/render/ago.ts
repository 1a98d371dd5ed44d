import { formatDuration } from '../base/duration.ts';

const MINUTE_MS = 60_000;

/** How long ago a timestamp of the service was, or in how long it will be: `5 min ago`, `in 30 s`; anything else as it stands. */
export function ago(timestamp: string | null | undefined, now: number): string {
  const at = timestamp ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) {
    return timestamp ?? '';
  }
  const span = Math.abs(now - at);
  const shown = formatDuration(span < MINUTE_MS ? span : Math.floor(span / MINUTE_MS) * MINUTE_MS);
  return at > now ? `in ${shown}` : `${shown} ago`;
}

import { formatDuration } from '../../base/lib/duration.ts';

// From these on nobody looks at what is smaller.
const UNITS_MS = [86_400_000, 3_600_000, 60_000];

/** How long ago a timestamp of the service was, or in how long it will be, in one unit: `5 min ago`, `in 3 d`; anything else as it stands. */
export function ago(timestamp: string | null | undefined, now: number): string {
  const at = timestamp ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) {
    return timestamp ?? '';
  }
  const span = Math.abs(now - at);
  const unit = UNITS_MS.find((ms) => span >= ms) ?? 1;
  const shown = formatDuration(Math.floor(span / unit) * unit);
  return at > now ? `in ${shown}` : `${shown} ago`;
}

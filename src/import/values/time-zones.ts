import { EXIT, SvcError } from '../../base/lib/errors.ts';

/**
 * Returns how many minutes a zone is ahead of UTC when its clocks show the time `local`. `local` is in milliseconds
 * since the epoch, as if the clocks showed UTC.
 */
export type ZoneOffset = (local: number) => number;

/**
 * Makes the function for an IANA time zone. When clocks are set back, an hour occurs twice: svc takes the first. When
 * clocks are set forward, an hour is skipped: svc takes the offset before this change. Throws SvcError (exit 2) for an
 * unknown zone.
 */
export function createZoneOffset(name: string): ZoneOffset {
  if (name === 'UTC') {
    return () => 0;
  }
  const format = formatter(name);
  return (local) => {
    const offsetBefore = offsetAt(local - 86_400_000, format);
    if (offsetAt(local - offsetBefore * 60_000, format) === offsetBefore) {
      return offsetBefore;
    }
    const offsetAfter = offsetAt(local + 86_400_000, format);
    return offsetAt(local - offsetAfter * 60_000, format) === offsetAfter ? offsetAfter : offsetBefore;
  };
}

function offsetAt(utc: number, format: Intl.DateTimeFormat): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(utc)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000) / 60_000);
}

function formatter(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'unknown_timezone', `unknown time zone: ${name}`, {
      cause,
      hint: 'Give an IANA name, such as Europe/Berlin. For UTC:\n--timezone UTC',
    });
  }
}

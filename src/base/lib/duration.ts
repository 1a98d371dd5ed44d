import { EXIT, SvcError } from './errors.ts';

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;

/**
 * Parses a duration to milliseconds: `90s`, `30m`, `2h`, `1d`, or several of them with the largest first (`1h30m`). Any
 * other text, even a number without a unit, is a usage error that names `flag`. Its hint shows the flag with `example`.
 */
export function parseDuration(text: string, flag: string, example = '30m'): number {
  const parts = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text.trim());
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts?.slice(1).map((part) => Number(part ?? 0)) ?? [];
  const ms = (days * DAY_S + hours * HOUR_S + minutes * MINUTE_S + seconds) * 1_000;
  if (!parts || !Number.isSafeInteger(ms)) {
    throw new SvcError(EXIT.usage, 'invalid_duration', `${flag}: not a duration: ${JSON.stringify(text)}`, {
      hint: `Durations are 90s, 30m, 2h or 1d. For example:\n${flag} ${example}`,
    });
  }
  return ms;
}

/** A duration for users, in at most two units and rounded up: `40 s`, `5 min 20 s`, `1 h 5 min`, `2 d`. */
export function formatDuration(ms: number): string {
  const seconds = roundUp(Math.ceil(Math.max(0, ms) / 1_000));
  const parts = [
    [Math.floor(seconds / DAY_S), 'd'],
    [Math.floor((seconds % DAY_S) / HOUR_S), 'h'],
    [Math.floor((seconds % HOUR_S) / MINUTE_S), 'min'],
    [seconds % MINUTE_S, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.join(' ') || '0 s';
}

/** A time in logs: `2026-11-22T01:51:14Z`. */
export function formatLogTime(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}

/** A time for users: `2026-11-22 01:51:14 UTC`. */
export function formatUtcTime(time: number): string {
  return `${utcText(time).slice(0, 19)} UTC`;
}

/** A time for users, without seconds: `2026-11-22 01:51`. */
export function formatUtcMinute(time: number): string {
  return utcText(time).slice(0, 16);
}

/** A time of today for users: `01:51:14 UTC`. */
export function formatUtcTimeOfDay(time: number): string {
  return `${utcText(time).slice(11, 19)} UTC`;
}

function utcText(time: number): string {
  return new Date(time).toISOString().replace('T', ' ');
}

/** Rounds up: from an hour on to whole minutes, from a day on to whole hours. */
function roundUp(seconds: number): number {
  const step = seconds >= DAY_S ? HOUR_S : seconds >= HOUR_S ? MINUTE_S : 1;
  return Math.ceil(seconds / step) * step;
}

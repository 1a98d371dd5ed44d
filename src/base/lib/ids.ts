const RANDOM_LENGTH = 6;

/**
 * An id for a run, `run_20260101T093000123_4f1c0a`: sorts by its start in UTC and holds nothing that a shell or a path
 * would read differently.
 */
export function newRunId(now: number, randomHex: (length: number) => string): string {
  const time = new Date(now).toISOString().replace(/[-:.Z]/g, '');
  return `run_${time}_${randomHex(RANDOM_LENGTH)}`;
}

/** True for text that may be used as the name of a run's folder; `..` and separators never pass. */
export function isRunId(text: string): boolean {
  return /^run_[A-Za-z0-9_]{1,80}$/.test(text);
}

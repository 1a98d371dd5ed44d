/**
 * Counts of the events so far. A signal counts only if the exit code shows that it ended the program; otherwise `late`
 * counts it. `full`: a full disk ended the program. `closed`: the program ran while its standard output was closed.
 */
export interface TrialCounts {
  trials: number;
  SIGKILL: number;
  SIGINT: number;
  SIGTERM: number;
  full: number;
  closed: number;
  late: number;
  failed: number;
}

/** New counts, all zero. */
export function createCounts(): TrialCounts {
  return { trials: 0, SIGKILL: 0, SIGINT: 0, SIGTERM: 0, full: 0, closed: 0, late: 0, failed: 0 };
}

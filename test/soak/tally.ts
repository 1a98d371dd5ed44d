/**
 * What happened so far. A signal counts once the exit proves that it struck; `late` came when the program had ended.
 */
export interface Tally {
  trials: number;
  SIGKILL: number;
  SIGINT: number;
  SIGTERM: number;
  full: number;
  closed: number;
  late: number;
  failed: number;
}

/** Nothing yet. */
export function createTally(): Tally {
  return { trials: 0, SIGKILL: 0, SIGINT: 0, SIGTERM: 0, full: 0, closed: 0, late: 0, failed: 0 };
}

/** The events so far. A signal counts if the exit proves that it struck. `late`: the program had ended before. */
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

import type { Journal } from './run.ts';

/** The name under which a run notes the creation of its audience, which is no unit. */
export const CREATION = 'creation';

/** True once something was sent, or may have been: whoever goes on with the run needs what it remembers. */
export function hasBegun({ units, read }: Pick<Journal, 'units' | 'read'>): boolean {
  return units.any() || read(CREATION) !== undefined;
}

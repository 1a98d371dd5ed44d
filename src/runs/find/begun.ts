import type { Journal } from '../store/journal.ts';

/** Noted while the creation of a run's audience is in doubt, which is no unit. */
export const CREATION_IN_DOUBT = 'creation_in_doubt';

/** True where nothing more needs to be asked before the run writes: it was agreed to, or has sent something (M7). */
export function isAgreed(journal: Pick<Journal, 'units' | 'read' | 'header'>): boolean {
  return journal.header.agreed === true || hasBegun(journal);
}

/** True once something was sent, or may have been: whoever goes on with the run needs what it remembers. */
export function hasBegun({ units, read }: Pick<Journal, 'units' | 'read'>): boolean {
  return units.any() || read(CREATION_IN_DOUBT) === true;
}

import type { Journal } from '../store/journal.ts';

/** True where nothing more needs to be asked before the run writes: it was agreed to, or has sent something (M7). */
export function isAgreed(journal: Pick<Journal, 'units' | 'header'>): boolean {
  return journal.header.agreed === true || hasBegun(journal);
}

/** True once something was sent, or may have been: whoever goes on with the run needs what it remembers. */
export function hasBegun({ units }: Pick<Journal, 'units'>): boolean {
  return units.any();
}

/**
 * True when nothing is left to continue. A run that was refused or found the place taken has nothing, unless it had sent
 * something before; nor has one that found a difference once all was sent, nor a dry run, however it ended.
 */
export function isFinished(status: string, journal: Journal): boolean {
  if (journal.header.options.dryRun === true) {
    return status !== 'running';
  }
  switch (status) {
    case 'completed':
    case 'partial':
    case 'planned':
      return true;
    case 'refused':
    case 'busy':
      return !hasBegun(journal);
    case 'unfinished':
      return hasReadNoInput(journal);
    case 'unverified':
      return journal.state.phase === 'verify' || (journal.state.phase !== 'first_batch' && !hasBegun(journal));
    default:
      return false;
  }
}

/** True for a run that was killed before it had looked at its inputs: the same command begins anew, and nothing is lost. */
function hasReadNoInput(journal: Journal): boolean {
  const { header } = journal;
  const { inputs } = header.options;
  return Array.isArray(inputs) && inputs.length > 0 && header.inputs.length === 0 && !hasBegun(journal);
}

import type { Finding } from '../../../base/finding.ts';
import { formatNumber, plural, terminalSafe } from '../../../base/lib/text.ts';
import type { ChangeCounts } from '../../contact-ledger/change-counts.ts';
import type { CheckContext } from '../check-context.ts';

const CHECK = 'deleted_since';

/**
 * Names changed people whom svc does not send, because they were deleted in the app. Warns if they were too many to
 * look up first: deleted people are then signed up again (C1).
 */
export function deletedPeopleFindings({ ledgerCounts, fullCommand }: CheckContext): readonly Finding[] {
  const { changed, deleted, examples, lookedUp } = ledgerCounts?.changed ?? NONE_CHANGED;
  if (!lookedUp) {
    const message = `${plural(changed, 'person', 'people')} of earlier lists changed, too many to look them up first: those who were deleted in the app since are signed up again`;
    return [{ check: CHECK, level: 'warn', message, total: changed }];
  }
  if (deleted === 0) {
    return [];
  }
  const more = deleted - examples.length;
  const names = `${examples.map(terminalSafe).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
  const [verb, them] = deleted === 1 ? ['is', 'this person'] : ['are', 'these people'];
  const message = `${plural(deleted, 'person', 'people')} whose row changed ${verb} not in the audience any more: ${names}. svc sends nothing about ${them}, because that would sign up deleted people again`;
  const hint = `Only if all deleted people of the list should get mail again:\n${fullCommand ?? 'the same command with --full'}`;
  return [{ check: CHECK, level: 'warn', message, hint, total: deleted }];
}

const NONE_CHANGED = { changed: 0, deleted: 0, examples: [], lookedUp: true };

interface WrittenPeople {
  /** The number of people whom the service created. */
  readonly created: number;
  /** The number of people to send. */
  readonly contacts: number;
}

/**
 * Counts the deleted people whom the service created again, if svc could not look people up first. All new people of
 * the list are subtracted from the created people, so the number is a lower limit.
 */
export function broughtBackFindings(
  counts: ChangeCounts | undefined,
  { created, contacts }: WrittenPeople,
): readonly Finding[] {
  const { changed, lookedUp } = counts?.changed ?? NONE_CHANGED;
  const back = created - (contacts - changed);
  if (lookedUp || back <= 0) {
    return [];
  }
  const message = `at least ${plural(back, 'person', 'people')} of earlier lists ${back === 1 ? 'was' : 'were'} deleted in the app, and the service created ${back === 1 ? 'this person' : 'these people'} again`;
  return [{ check: CHECK, level: 'warn', message, total: back }];
}

import type { Finding } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import { formatNumber, plural, terminalSafe } from '../../../base/lib/text.ts';
import type { ResentCounts, ResentPeople } from '../../contact-ledger/people/deleted-people.ts';
import type { CheckContext } from '../check-context.ts';

const CHECK = 'deleted_since';

/** Parts of the messages: `many` continues "401 people of earlier lists", and `whose` continues "3 people". */
interface Wording {
  readonly many: string;
  readonly whose: string;
}

const CHANGED: Wording = { many: 'changed', whose: 'whose row changed' };
const WITHOUT_CONTENT: Wording = {
  many: 'must be sent again, because an earlier run could not make sure what the audience has of them',
  whose: 'of earlier lists whom svc would send again',
};

const OPTED_OUT: Wording = { many: 'are back in this list', whose: 'whom an earlier list lacked' };

/**
 * Names people of earlier lists whom svc does not send, because they were deleted in the app. Warns if people are too
 * many to look up first, or if svc does not know whether the audience ever had them. Then svc sends them, which signs
 * up the deleted ones again (C1).
 */
export function deletedPeopleFindings({ ledgerCounts, fullCommand }: CheckContext): readonly Finding[] {
  const { changed, withoutContent, optedOut, unproven } = ledgerCounts ?? {};
  const hint = `Only if all deleted people of the list should get mail again:\n${fullCommand ?? 'the same command with --full'}`;
  return [
    ...resentFindings(changed, CHANGED, hint),
    ...resentFindings(withoutContent, WITHOUT_CONTENT, hint),
    ...resentFindings(optedOut, OPTED_OUT, hint),
    ...unprovenFindings(unproven),
  ];
}

/** Warns about people to send whom the audience may never have had. `total` is their number. */
export function unprovenFindings(total = 0): readonly Finding[] {
  const message = `${plural(total, 'person was', 'people were')} new in a run that found differences, so svc does not know whether the audience ever had ${total === 1 ? 'this person' : 'them'}. Those who were deleted in the app since are signed up again`;
  return total > 0 ? [{ check: CHECK, level: 'warn', message, total }] : [];
}

/** Names the deleted people of one kind. `hint` says how to send them in spite of that. */
export function resentFindings(
  { changed, deleted, examples, lookedUp }: ResentPeople = NONE,
  { many, whose }: Wording,
  hint: string,
): readonly Finding[] {
  if (!lookedUp) {
    const message = `${plural(changed, 'person', 'people')} of earlier lists ${many}, too many to look them up first: those who were deleted in the app since are signed up again`;
    return [{ check: CHECK, level: 'warn', message, total: changed }];
  }
  if (deleted === 0) {
    return [];
  }
  const more = deleted - examples.length;
  const names = `${examples.map(terminalSafe).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
  const [verb, them] = deleted === 1 ? ['is', 'this person'] : ['are', 'these people'];
  const message = `${plural(deleted, 'person', 'people')} ${whose} ${verb} not in the audience any more: ${names}. svc sends nothing about ${them}, because that would sign up deleted people again`;
  return [{ check: CHECK, level: 'warn', message, hint, total: deleted }];
}

const NONE: ResentPeople = { changed: 0, deleted: 0, examples: [], lookedUp: true };

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
  counts: ResentCounts | undefined,
  { created, contacts }: WrittenPeople,
): readonly Finding[] {
  const resent = [counts?.changed, counts?.withoutContent, counts?.optedOut].map((people) => people ?? NONE);
  const known = sumOf(resent.map(({ changed, deleted }) => changed - deleted));
  const back = created - (contacts - known);
  if (resent.every(({ lookedUp }) => lookedUp) || back <= 0) {
    return [];
  }
  const message = `at least ${plural(back, 'person', 'people')} of earlier lists ${back === 1 ? 'was' : 'were'} deleted in the app, and the service created ${back === 1 ? 'this person' : 'these people'} again`;
  return [{ check: CHECK, level: 'warn', message, total: back }];
}

import type { Finding } from '../../../base/finding.ts';
import { formatNumber, joinAtMost, plural, terminalSafe } from '../../../base/lib/text.ts';
import type { FailureLimit } from '../../../run-lifecycle/data/run-options.ts';
import type { HeldMovedPeople, MovedPeople } from '../../contact-ledger/people/moved-people.ts';
import type { CheckContext } from '../check-context.ts';
import { failureLimitText, isWithinLimit } from '../failures.ts';

const CHECK = 'moved_people';

// Few people change their address between two nights. If many do, the export probably has the addresses in another
// column than before.
const USUAL_LIMIT: FailureLimit = { kind: 'percent', percent: 5 };
const FEWEST_PEOPLE = 3;

/**
 * Stops if this list has the addresses of many people of earlier lists only in other columns than the address column.
 * Their rows have new addresses. So these people would get mail at both addresses, and people who left would be signed
 * up under the new one (G13). A few such people are a warning.
 */
export function movedPeopleFindings({ ledgerCounts, options, snapshot }: CheckContext): readonly Finding[] {
  const { moved = NONE, listed = 0, heldMoved = NONE_HELD } = ledgerCounts ?? {};
  if (!snapshot || moved.people === 0) {
    return heldFindings(heldMoved);
  }
  const limit = options.changes?.maxMoved ?? USUAL_LIMIT;
  const names = moved.columns.map(({ column }) => JSON.stringify(terminalSafe(column)));
  const where = `${names.length === 1 ? 'the column' : 'the columns'} ${joinAtMost(names, 3)}`;
  const { people } = moved;
  const message = `${plural(people, 'person', 'people')} of ${formatNumber(listed)} of earlier lists ${people === 1 ? 'is' : 'are'} in this one only in ${where}, beside a new address`;
  const isStop = !isWithin(limit, people, listed);
  const finding: Finding = isStop
    ? {
        check: CHECK,
        level: 'stop',
        message: `${message}; the limit is ${failureLimitText(limit, 'person', 'people')}. They would get mail at both addresses`,
        ...answersTo(moved),
        total: people,
      }
    : {
        check: CHECK,
        level: 'warn',
        message: `${message}. The audience keeps the status of the earlier address, which may still get mail`,
        hint: 'If these people should get mail at the new address only, opt the earlier one out in the app',
        total: people,
      };
  return [finding, ...(isStop ? [] : heldFindings(heldMoved))];
}

const NONE: MovedPeople = { people: 0, columns: [] };
const NONE_HELD: HeldMovedPeople = { held: 0, examples: [], notLookedUp: 0 };

function isWithin(limit: FailureLimit, people: number, listed: number): boolean {
  return (limit.kind === 'percent' && people < FEWEST_PEOPLE) || isWithinLimit(limit, people, listed);
}

function answersTo({ people, columns }: MovedPeople): Pick<Finding, 'hint' | 'when' | 'otherwise'> {
  const takesNew = {
    when: "Only if they should get mail at the new addresses. The earlier ones keep their status, and svc doesn't sign up a new address whose earlier one left",
    flags: `--max-moved ${people}`,
  };
  const [first] = columns;
  return first === undefined
    ? { when: takesNew.when, hint: takesNew.flags }
    : {
        when: `If ${JSON.stringify(terminalSafe(first.column))} has the addresses that get mail`,
        hint: first.mapFlag,
        otherwise: [takesNew],
      };
}

/** Names new addresses that svc does not send, because the person left under the earlier one (C1). */
function heldFindings({ held, examples, notLookedUp }: HeldMovedPeople): readonly Finding[] {
  const findings: Finding[] = [];
  if (held > 0) {
    const pairs = examples.map(([email, earlier]) => `${terminalSafe(email)} (${terminalSafe(earlier)})`);
    const more = held > examples.length ? ` and ${formatNumber(held - examples.length)} more` : '';
    const message = `${plural(held, 'new address is', 'new addresses are')} not sent, because the person left under the earlier address in another column: ${pairs.join(', ')}${more}`;
    const hint =
      'Only if such a person agreed to get mail again: take the earlier address out of each row of the person';
    findings.push({ check: CHECK, level: 'warn', message, hint, total: held });
  }
  if (notLookedUp > 0) {
    const message = `${plural(notLookedUp, 'new address', 'new addresses')} too many to look up the earlier ones first: those who left under an earlier address since are signed up again`;
    findings.push({ check: CHECK, level: 'warn', message, total: notLookedUp });
  }
  return findings;
}

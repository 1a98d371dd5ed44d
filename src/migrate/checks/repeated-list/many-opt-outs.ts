import type { Finding } from '../../../base/finding.ts';
import { formatNumber, plural } from '../../../base/lib/text.ts';
import type { FailureLimit } from '../../../run-lifecycle/data/run-options.ts';
import type { CheckContext } from '../check-context.ts';
import { failureLimitText, isWithinLimit } from '../failures.ts';

const CHECK = 'many_opt_outs';

// The service keeps each opt-out for good, and few people leave a list in a day. An export in which yes and no are
// exchanged opts out nearly everyone. For fewer people than `FEWEST_PEOPLE`, a share says little, and the user can
// correct them one by one.
const USUAL_LIMIT: FailureLimit = { kind: 'percent', percent: 20 };
const FEWEST_PEOPLE = 10;

/**
 * Stops if a list opts out many people who were subscribed in earlier versions of it. Then the column or the words for
 * the status probably changed, and svc can't undo an opt-out (G12).
 */
export function manyOptOutsFindings({ ledgerCounts, options, snapshot }: CheckContext): readonly Finding[] {
  const limit = options.changes?.maxOptOuts ?? USUAL_LIMIT;
  const { people, subscribed } = ledgerCounts?.newOptOuts ?? { people: 0, subscribed: 0 };
  if (!snapshot || isWithin(limit, people, subscribed)) {
    return [];
  }
  const message = `this list opts out ${plural(people, 'person', 'people')} of ${formatNumber(subscribed)} who were subscribed in earlier lists of this name; the limit is ${failureLimitText(limit, 'person', 'people')}. Perhaps the export changed what its status column says`;
  return [
    {
      check: CHECK,
      level: 'stop',
      message,
      instead: 'After you corrected the export',
      when: `Only if ${people === 1 ? 'this person' : `these ${formatNumber(people)} people`} really left: they are unsubscribed, and svc can't undo it`,
      hint: `--max-opt-outs ${people}`,
      total: people,
    },
  ];
}

function isWithin(limit: FailureLimit, people: number, subscribed: number): boolean {
  return (limit.kind === 'percent' && people < FEWEST_PEOPLE) || isWithinLimit(limit, people, subscribed);
}

import { LASTING_OUTCOMES } from '../../../api/resources/automations.ts';
import type { Finding } from '../../../base/finding.ts';
import { plural } from '../../../base/lib/text.ts';
import type { Enrollee } from '../../../import/batch/reread-list.ts';
import { type EnrollmentRecords, entryOfOtherRun } from '../../records/enrollment-records.ts';

/** The run that may have enrolled this person. Undefined if a run certainly did, or if no run may have. */
export function runOfUnknown(records: EnrollmentRecords, { email }: Enrollee): string | undefined {
  const entry = entryOfOtherRun(records, records.ledger.lookupLookAlikes(email));
  return entry && !LASTING_OUTCOMES.includes(entry.outcome) ? entry.run : undefined;
}

/**
 * Warns about people whom this run leaves out because their outcome in an earlier run is unknown. They may never have
 * been enrolled, and no run enrolls them before the user decides (M5). `peopleByRun` counts them.
 */
export function unknownBeforeFindings(peopleByRun: ReadonlyMap<string, number>): Finding[] {
  return [...peopleByRun].map(([run, total]) => {
    const message = `${plural(total, 'person is', 'people are')} left out and may not be enrolled: the outcome in ${run} is unknown`;
    return { check: 'unknown_before', level: 'warn', message, hint: `svc runs resolve ${run}`, total };
  });
}

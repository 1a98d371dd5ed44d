import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { VerificationCheck } from '../../run-lifecycle/data/run-report.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import { findMissing } from '../compare/look-up.ts';

/** An audience, its counts before and after the run, and the people of the list. */
export interface CountedAudience {
  readonly audienceId: string;
  /** The number of contacts in the audience before the first write of this run. */
  readonly totalBefore: number | undefined;
  readonly after: ContactCounts;
  readonly contacts: () => AsyncIterable<ContactItem>;
}

/** Passes if the audience grew at least by the number of created contacts (L2). Fails only if a person is missing. */
export async function checkContactCounts(context: WriteContext, expected: CountedAudience): Promise<VerificationCheck> {
  const check = 'contact_counts';
  if (expected.totalBefore === undefined) {
    return { check, status: 'skipped', message: 'the audience shows no counts' };
  }
  const grown = expected.after.total - expected.totalBefore;
  const created = context.journal.counts().freshCreated;
  const counted = `the audience grew by ${formatNumber(grown)}; the run created ${formatNumber(created)}`;
  if (grown >= created) {
    const others = Math.min(grown - created, context.journal.counts().freshUpdated);
    return { check, status: 'passed', message: others > 0 ? `${counted}; ${uncountedBefore(others)}` : counted };
  }
  const missing = await findMissing(context, expected.audienceId, expected.contacts);
  return missing.total === 0
    ? { check, status: 'passed', message: `${counted}; every person of the list was looked up and is there` }
    : {
        check,
        status: 'failed',
        message: `${counted}; ${plural(missing.total, 'person of the list is', 'people of the list are')} not there: ${missing.examples.map(terminalSafe).join(', ')}`,
      };
}

// The counts may leave pending people out. If the service signed such people up, only this message shows it.
function uncountedBefore(people: number): string {
  return `${plural(people, 'other person', 'other people')} joined meanwhile, or ${people === 1 ? 'was' : 'were'} pending and not counted before`;
}

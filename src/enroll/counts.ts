import { faults } from '../migrate/report/fates.ts';
import type { FateCounts } from '../migrate/types.ts';
import { EXPECTED_FAILURE } from '../migrate/write/deliver.ts';
import type { Tally } from '../runs/store/counts.ts';
import { ENROLLMENT_OUTCOMES } from '../wire/words.ts';
import type { EnrollDraft } from './draft.ts';

/** One count per outcome of the service document, others under their own name, and the fates of every run. */
export type EnrollCounts = FateCounts & Readonly<Record<string, number>>;

/** What a run did, and of that what it asked of the flow. */
interface Done {
  readonly counts: Tally;
  readonly enrollments: Tally;
}

/**
 * The fate of every row. Whoever was to be enrolled and has no outcome yet is unsent, so the counts sum to `read`; and so is
 * whoever is in a batch of contacts in doubt, for nobody asked the flow yet.
 */
export function enrollCounts(draft: EnrollDraft, { counts: tally, enrollments }: Done): EnrollCounts {
  const { survey, typed } = draft;
  const read = survey.rows.read + typed.rows;
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);
  ENROLLMENT_OUTCOMES.forEach((outcome) => add(outcome, 0));
  Object.entries(tally.outcomes).forEach(([outcome, count]) => add(countName(outcome), count));
  // A contact that was refused because its address is suppressed: its person is not enrolled.
  add('suppressed', tally.failed[EXPECTED_FAILURE] ?? 0);
  add('merged', survey.rows.merged + typed.merged);
  add('skipped', sumOf(skippedPeople(draft)));
  add('rejected', survey.rows.rejected);
  add('failed', faults(tally));
  add('unsent', 0);
  add('unknown', enrollments.doubt + enrollments.pending);
  add('unsent', read - [...sums.values()].reduce((sum, count) => sum + count, 0));
  return { read, ...Object.fromEntries(sums) } as EnrollCounts;
}

/** Rows whose outcome is a word that the service document doesn't have: no success (rule O6). */
export function unrecognizedOutcomes({ outcomes }: Tally): number {
  const known: readonly string[] = [...ENROLLMENT_OUTCOMES, EXPECTED_FAILURE];
  return sumOf(Object.fromEntries(Object.entries(outcomes).filter(([word]) => !known.includes(word))));
}

/** Rows that are not sent, by reason: everybody who isn't subscribed, and people whom another run enrolled (rule M1). */
export function skippedPeople({ survey, before }: EnrollDraft): Readonly<Record<string, number>> {
  const unsubscribed = survey.unsubscribed + (survey.suppressions.unsubscribed ?? 0);
  return {
    ...survey.rows.skipped,
    ...survey.suppressions,
    ...(unsubscribed > 0 ? { unsubscribed } : {}),
    ...(before > 0 ? { enrolled_before: before } : {}),
  };
}

/** The refusal of a suppressed address is no outcome of the document. */
function countName(outcome: string): string {
  return outcome === EXPECTED_FAILURE ? 'suppressed' : distinctName(outcome);
}

/** An outcome, or another name for it where its word is that of a fate of ours. */
export function distinctName(outcome: string): string {
  return OWN_NAMES.includes(outcome) ? `outcome_${outcome}` : outcome;
}

const OWN_NAMES: readonly string[] = ['read', 'merged', 'skipped', 'rejected', 'failed', 'unsent', 'unknown'];

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

import { setImmediate } from 'node:timers/promises';
import { type BitSet, createBitSet } from '../base/lib/bit-set.ts';
import { rowKey } from '../base/lib/rows.ts';
import { type ListedRow, rereadListedRows } from '../import/batch/reread-list.ts';
import type { RereadableSurvey } from '../import/survey/survey-types.ts';
import type { MergedPeople } from '../runs/people/people.ts';
import type { AudienceStore } from './audience-store.ts';
import { comparePerson, type ExpectedPerson } from './compare-person.ts';
import { contactsOfPerson, contactToCompare, optsOut } from './contact-of-person.ts';
import type { CheckResult, CheckResults } from './results.ts';

export interface ListComparisonContext {
  readonly survey: RereadableSurvey;
  readonly people: MergedPeople;
  readonly store: AudienceStore;
  readonly results: CheckResults;
  readonly signal: AbortSignal;
  /** What the verified run wrote. Given for `runs verify`, which ignores contacts that are not in the list. */
  readonly runWrites: RunWrites | undefined;
}

/** What a finished run wrote to the service. */
export interface RunWrites {
  /** The row keys of rows that the service refused. Their people may be missing in the audience. */
  readonly refusedRowKeys: ReadonlySet<string>;
  /** True if the run also wrote suppressions. */
  readonly wroteSuppressions: boolean;
}

/** People whose rows svc skips, although they are subscribed in the audience. `first` has the first five of them. */
export interface SkippedSubscribers {
  total: number;
  readonly first: string[];
}

const SLICE_SIZE = 1_000;
const MAX_SKIPPED_SHOWN = 5;

/**
 * Compares each person of the list with the stored contacts. Returns the people whose rows are skipped although they
 * are subscribed in the audience, because the results lack them. For `contacts check`, also finds contacts that are not
 * in the list. Reads the list row by row and writes the results to disk, so that memory does not grow with the list.
 */
export async function compareList(comparison: ListComparisonContext): Promise<SkippedSubscribers> {
  const { survey, people, results, store, signal } = comparison;
  results.clear();
  const namedIds = createBitSet();
  const buffer = createResultBuffer(results);
  const shownFields = new Set(store.state?.shownFields);
  const skipped: SkippedSubscribers = { total: 0, first: [] };
  for await (const row of rereadListedRows({ survey, people }, { signal })) {
    const expected = expectedOf(row, comparison);
    const stored = contactsOfPerson(store, row.email);
    const found = contactToCompare(
      row.email,
      expected,
      stored.map(({ contact }) => contact),
    );
    // A second contact of a subscribed person would be mailed too, so it counts as extra.
    stored.filter(({ contact }) => contact === found || optsOut(expected)).forEach(({ id }) => namedIds.add(id));
    if (row.isSkipped && stored.some(({ contact }) => contact.status === 'subscribed')) {
      skipped.total++;
      skipped.first.length < MAX_SKIPPED_SHOWN && skipped.first.push(row.email);
    }
    if (expected) {
      const compared = comparePerson(expected, found, { shownFields });
      // A suppressed person who gets no mail from the audience is left out, because there is nothing to compare. If the
      // verified run wrote the suppression, the person counts.
      if ('contact' in expected || expected.written || compared.outcome !== 'same') {
        buffer.add({ email: row.email, expected, ...compared });
      }
    }
  }
  if (!comparison.runWrites) {
    await addExtras(comparison, namedIds, buffer);
  }
  buffer.flush();
  return skipped;
}

/**
 * What an import of the row should have written for its person. Undefined if the service refused the row, or if an
 * import writes nothing for it.
 */
function expectedOf(
  { contact, reason, source, line }: ListedRow,
  { runWrites }: ListComparisonContext,
): ExpectedPerson | undefined {
  if (runWrites?.refusedRowKeys.has(rowKey({ source, line }))) {
    return undefined;
  }
  if (contact) {
    return { contact };
  }
  return reason && { reason, written: runWrites?.wroteSuppressions === true };
}

/** Adds the contacts that are not in the list. */
async function addExtras(
  { store, signal }: ListComparisonContext,
  namedIds: BitSet,
  buffer: ResultBuffer,
): Promise<void> {
  for (
    let slice = store.contactsAfter(0, SLICE_SIZE);
    slice.length > 0;
    slice = store.contactsAfter(slice.at(-1)!.id, SLICE_SIZE)
  ) {
    // Lets other events run first, so that signals such as Ctrl-C are handled.
    await setImmediate();
    signal.throwIfAborted();
    for (const { id, contact } of slice) {
      if (!namedIds.has(id)) {
        buffer.add({ email: contact.email, outcome: 'extra', differences: [], expected: undefined });
      }
    }
  }
}

interface ResultBuffer {
  add(result: CheckResult): void;
  /** Stores the results that are still in the buffer. */
  flush(): void;
}

/** Makes a buffer that stores a thousand results at once. */
function createResultBuffer(results: CheckResults): ResultBuffer {
  let waiting: CheckResult[] = [];
  const flush = () => {
    results.add(waiting);
    waiting = [];
  };
  return {
    add: (result) => {
      waiting.push(result);
      if (waiting.length === SLICE_SIZE) {
        flush();
      }
    },
    flush,
  };
}

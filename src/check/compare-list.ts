import { setImmediate } from 'node:timers/promises';
import { type BitSet, createBitSet } from '../base/lib/bit-set.ts';
import { rowKey } from '../base/lib/rows.ts';
import { type ListedRow, listedRows } from '../import/batch/reread-list.ts';
import type { Reading } from '../import/survey/survey-types.ts';
import type { MergedPeople } from '../runs/store/people.ts';
import type { AudienceStore } from './audience-store.ts';
import { comparePerson, type ExpectedPerson } from './compare-person.ts';
import type { CheckResult, Results } from './results.ts';

/** A surveyed list and an audience that was read. */
export interface ListComparison {
  readonly survey: Reading;
  readonly people: MergedPeople;
  readonly store: AudienceStore;
  readonly results: Results;
  readonly signal: AbortSignal;
  /** What a run wrote, if a run is verified. Then people who are not in its list are ignored. */
  readonly wrote?: RunWrites | undefined;
}

export interface RunWrites {
  /** Rows that the service refused. They are rightly missing. */
  readonly refused: ReadonlySet<string>;
  readonly suppressions: boolean;
}

const AT_ONCE = 1_000;

/**
 * Compares every person of the list with the contacts that were read, then finds the contacts that the list does not
 * name. The list is read row by row and the results go to disk, so memory stays flat.
 */
export async function compareList(comparison: ListComparison): Promise<void> {
  const { results, store, signal } = comparison;
  results.clear();
  const named = createBitSet();
  const add = createAdder(results);
  const shown = new Set(store.state?.shown);
  for await (const row of listedRows(comparison.survey, comparison.people, { signal })) {
    const found = store.find(row.email);
    if (found) {
      named.add(found.id);
    }
    const expected = expectedOf(row, comparison);
    if (expected) {
      const compared = comparePerson(expected, found?.contact, { shown });
      // The row suppresses its person, and the audience has no subscribed contact. Then there is nothing to report.
      if ('contact' in expected || expected.written || compared.outcome !== 'same') {
        add.one({ email: row.email, expected, ...compared });
      }
    }
  }
  if (!comparison.wrote) {
    await addExtras(comparison, named, add);
  }
  add.rest();
}

function expectedOf(
  { contact, reason, source, line }: ListedRow,
  { wrote }: ListComparison,
): ExpectedPerson | undefined {
  if (wrote?.refused.has(rowKey({ source, line }))) {
    return undefined;
  }
  if (contact) {
    return { contact };
  }
  return reason && { reason, written: wrote?.suppressions === true };
}

async function addExtras({ store, signal }: ListComparison, named: BitSet, add: Adder): Promise<void> {
  for (let some = store.following(0, AT_ONCE); some.length > 0; some = store.following(some.at(-1)!.id, AT_ONCE)) {
    // Yields to the event loop, so that signals are handled.
    await setImmediate();
    signal.throwIfAborted();
    for (const { id, contact } of some) {
      if (!named.has(id)) {
        add.one({ email: contact.email, outcome: 'extra', differences: [], expected: undefined });
      }
    }
  }
}

interface Adder {
  one(result: CheckResult): void;
  rest(): void;
}

/** Adds results a thousand at a time. */
function createAdder(results: Results): Adder {
  let waiting: CheckResult[] = [];
  const rest = () => {
    results.add(waiting);
    waiting = [];
  };
  return {
    one: (result) => {
      waiting.push(result);
      if (waiting.length === AT_ONCE) {
        rest();
      }
    },
    rest,
  };
}

import { setImmediate } from 'node:timers/promises';
import { addToCount } from '../../base/lib/rows.ts';
import { isState, type State } from '../../platforms/lib/states.ts';
import type { MergedRow, People, Person } from '../../runs/people/people.ts';
import type { PersonCollision } from '../mapping/collisions.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import { type FoundMention, mergeRows, type OutweighedSkip } from './merge-rows.ts';
import { readPayload } from './staging.ts';

/** The counts of a merge: people by state, skipped people by reason, and rejected rows by reason. */
export interface MergeCounts {
  /** The number of people by state, including suppressed ones. */
  readonly states: Map<State, number>;
  readonly skipped: Map<string, number>;
  readonly rejected: Map<string, number>;
  /** How many people have a value for each attribute key. */
  readonly used: Map<string, number>;
  /** The people whom a row skips and another row subscribes. `first` has the first of them. */
  readonly outweighed: { total: number; readonly first: OutweighedSkip[] };
  /** The number of people whom one row subscribes, although another row has a blank status about which svc asks. */
  subscribedBesideBlank: number;
  /** How many people have a row that chooses a topic and another that refuses it. */
  differInTopics: number;
  merged: number;
}

const SLICE_SIZE = 1_000;
const MAX_OUTWEIGHED = 5;

interface MergeOptions {
  readonly duplicates: ReadingOptions['duplicates'];
  readonly signal: AbortSignal;
  onCollision(collision: PersonCollision): void;
  onMention(mention: FoundMention): void;
}

/** Merges the staged rows of each address, and stores the results, about a thousand at a time. */
export async function mergeDuplicates(people: People, options: MergeOptions): Promise<MergeCounts> {
  const counts: MergeCounts = {
    states: new Map(),
    skipped: new Map(),
    rejected: new Map(),
    used: new Map(),
    outweighed: { total: 0, first: [] },
    subscribedBesideBlank: 0,
    differInTopics: 0,
    merged: 0,
  };
  let persons: Person[] = [];
  let merged: MergedRow[] = [];
  const storeSlice = async () => {
    people.storeMerged(persons, merged);
    persons = [];
    merged = [];
    // Lets the event loop run, so that a signal is handled between two slices.
    await setImmediate();
    options.signal.throwIfAborted();
  };
  for (const group of people.rowsByPerson()) {
    const mergedRows = mergeRows(group, options.duplicates);
    mergedRows.collisions.forEach(options.onCollision);
    if (mergedRows.mention) {
      options.onMention(mergedRows.mention);
    }
    if (mergedRows.outweighed) {
      counts.outweighed.total += 1;
      counts.outweighed.first.length < MAX_OUTWEIGHED && counts.outweighed.first.push(mergedRows.outweighed);
    }
    counts.subscribedBesideBlank += mergedRows.subscribedBesideBlank ? 1 : 0;
    counts.differInTopics += mergedRows.differInTopics ? 1 : 0;
    persons.push(mergedRows.person);
    if (mergedRows.written) {
      countPerson(counts, mergedRows.person);
    }
    counts.merged += mergedRows.merged;
    mergedRows.rejected.forEach((rows, reason) => addToCount(counts.rejected, reason, rows));
    mergedRows.firstMerged.forEach((row) => merged.push(row));
    if (persons.length + merged.length >= SLICE_SIZE) {
      await storeSlice();
    }
  }
  people.storeMerged(persons, merged);
  people.indexMergedPeople();
  return counts;
}

function countPerson(counts: MergeCounts, person: Person): void {
  const state = isState(person.state) ? person.state : 'none';
  const skipped = skipReason(state, person.why);
  addToCount(counts.states, state, 1);
  if (skipped !== undefined) {
    addToCount(counts.skipped, skipped, 1);
  } else if (person.reason === undefined) {
    for (const [key, value] of Object.entries(readPayload(person.payload).fields.attributes ?? {})) {
      addToCount(counts.used, key, value === '' ? 0 : 1);
    }
  }
}

/** Why a person in this state is skipped. Undefined if the state is written to the service. */
export function skipReason(state: State, why: string | undefined): string | undefined {
  if (state === 'pending') {
    return why ?? 'pending';
  }
  if (state === 'skip') {
    return why ?? 'skip';
  }
  return state === 'none' ? (why ?? 'no_status') : undefined;
}

import { ApiError } from '../api/api-error.ts';
import type { Client } from '../api/client.ts';
import { getAudience } from '../api/resources/audiences.ts';
import { listContactPages } from '../api/resources/contacts.ts';
import type { Emit } from '../base/events.ts';
import type { Clock } from '../base/lib/clock.ts';
import type { Contact } from '../wire/shapes.ts';
import { type AudienceStore, COMPARED, type ReadingState } from './audience-store.ts';

/** The audience to read, and where to store it. */
export interface AudienceReading {
  readonly client: Client;
  readonly audienceId: string;
  readonly store: AudienceStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** False if only people of the list matter: they are looked up if they are missing. */
  readonly needsAll: boolean;
}

/** How long pages of an audience stay good. Older ones are read again, because the audience may have changed (V2). */
export const KEEP_MS = 60 * 60_000;
const MOST_PASSES = 3;

/** True if an interrupted reading is recent enough to continue. */
export function continuesReading({ store, clock }: Pick<AudienceReading, 'store' | 'clock'>): boolean {
  const { state } = store;
  return state !== undefined && clock.now() - state.at < KEEP_MS;
}

/**
 * Reads all contacts of an audience into the store, and continues a recent reading. Pages may shift meanwhile. A
 * contact that appears twice is stored once. If fewer contacts appear than the audience counts, it is read again (V2).
 */
export async function readContacts(reading: AudienceReading): Promise<void> {
  const { store, emit } = reading;
  if (!continuesReading(reading)) {
    store.clear();
    store.save(startPass(reading, { pass: 1, counted: await countContacts(reading), shown: [] }));
  }
  while (stateOf(store).complete === undefined) {
    emit({ type: 'phase', phase: 'check', total: stateOf(store).counted, unit: 'rows' });
    await readPages(reading);
    const state = stateOf(store);
    // People who sign up meanwhile come before the first page, so they are not expected.
    const complete = store.size() >= state.counted;
    const isLast = complete || state.pass === MOST_PASSES || !reading.needsAll;
    store.save(isLast ? { ...state, complete } : await nextPass(reading, state));
  }
  store.index();
}

async function nextPass(reading: AudienceReading, state: ReadingState): Promise<ReadingState> {
  return startPass(reading, { ...state, pass: state.pass + 1, counted: await countContacts(reading) });
}

async function readPages(reading: AudienceReading): Promise<void> {
  const { after, ended } = stateOf(reading.store);
  if (ended) {
    return;
  }
  try {
    await readFrom(reading, after);
  } catch (error) {
    const isOldCursor = error instanceof ApiError && error.status === 400;
    if (after === undefined || !isOldCursor || stateOf(reading.store).after !== after) {
      throw error;
    }
    await readFrom(reading, undefined);
  }
}

async function readFrom(reading: AudienceReading, after: string | undefined): Promise<void> {
  const { client, audienceId, store, clock, signal, emit } = reading;
  const shown = new Set(stateOf(store).shown);
  // Counting the rows of the store takes longer with each page.
  let done = after === undefined ? 0 : store.size();
  for await (const { items, next } of listContactPages(client, audienceId, { after, signal })) {
    addShown(shown, items);
    const ended = next === undefined;
    store.addPage(items, { ...stateOf(store), after: next, ended, at: clock.now(), shown: [...shown] });
    done += items.length;
    emit({ type: 'progress', phase: 'check', done });
  }
}

function addShown(shown: Set<string>, contacts: readonly Contact[]): void {
  for (const contact of contacts) {
    COMPARED.filter((field) => field in contact).forEach((field) => shown.add(field));
  }
}

function startPass({ clock }: AudienceReading, state: Pick<ReadingState, 'pass' | 'counted' | 'shown'>): ReadingState {
  return { ...state, after: undefined, ended: false, at: clock.now() };
}

/** A reading always has a state, because `readContacts` saves one first. */
function stateOf({ state }: AudienceStore): ReadingState {
  return state as ReadingState;
}

async function countContacts({ client, audienceId, signal }: AudienceReading): Promise<number> {
  return (await getAudience(client, audienceId, { signal })).contact_counts.total;
}

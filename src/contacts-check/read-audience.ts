import type { Client } from '../api/client.ts';
import { ApiError } from '../api/http/api-error.ts';
import { getAudience } from '../api/resources/audiences.ts';
import { listContactPages } from '../api/resources/contacts.ts';
import type { Emit } from '../base/events.ts';
import type { Clock } from '../base/lib/clock.ts';
import type { Contact } from '../wire/shapes.ts';
import { type AudienceStore, COMPARED_FIELDS, type ReadingState } from './audience-store.ts';

/** The audience to read, and where to store it. */
export interface AudienceReadContext {
  readonly client: Client;
  readonly audienceId: string;
  readonly store: AudienceStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** False for `runs verify`, which needs only people of the list, and looks up missing people one by one anyway. */
  readonly needsAll: boolean;
}

/**
 * How old the newest page of an interrupted reading may be, in milliseconds, so that svc continues it. If it is older,
 * svc starts again at the first page, because the audience may have changed (V2).
 */
const CONTINUE_READING_MS = 60 * 60_000;
const TOLERANCE_MS = 60_000;
/** How often svc reads an audience whose list is shorter than its count (V2). */
export const MAX_PASSES = 3;

/**
 * True if a page that was read at `time` is recent. False if that time is more than a minute in the future: then the
 * clock was set back, and the page may be old (V2, P7).
 */
export function isPageRecent(time: number, now: number): boolean {
  return now - time < CONTINUE_READING_MS && time - now < TOLERANCE_MS;
}

/** True if the interrupted reading is recent enough to be continued. */
export function canContinueReading({ store, clock }: Pick<AudienceReadContext, 'store' | 'clock'>): boolean {
  const { state } = store;
  return state !== undefined && isPageRecent(state.at, clock.now());
}

/**
 * Reads all contacts of an audience into the store. Continues an interrupted reading if it is recent. If pages shift
 * meanwhile, the service lists a contact twice, or not at all. A contact that is listed twice is stored once. If svc
 * needs all contacts and finds fewer than the service counts, it reads the audience again, up to three times in all
 * (V2).
 */
export async function readAudienceContacts(reading: AudienceReadContext): Promise<void> {
  const { store, emit } = reading;
  if (!canContinueReading(reading)) {
    store.clear();
    store.save(startPass(reading, { pass: 1, expectedCount: await countContacts(reading), shownFields: [] }));
  }
  while (stateOf(store).complete === undefined) {
    const { expectedCount: total, after } = stateOf(store);
    emit({ type: 'phase', phase: 'check', total, done: after === undefined ? 0 : store.size(), unit: 'rows' });
    await readPages(reading);
    const state = stateOf(store);
    // The contacts were counted before the reading. People who sign up later are listed before the first page, so svc
    // does not see them.
    const isComplete = store.size() >= state.expectedCount;
    const isLast = isComplete || state.pass === MAX_PASSES || !reading.needsAll;
    store.save(isLast ? { ...state, complete: isComplete } : await nextPass(reading, state));
  }
  store.createIndex();
}

async function nextPass(reading: AudienceReadContext, state: ReadingState): Promise<ReadingState> {
  return startPass(reading, { ...state, pass: state.pass + 1, expectedCount: await countContacts(reading) });
}

/**
 * Reads pages, starting at the stored cursor. If the service refuses the cursor of an earlier process (400), starts at
 * the first page.
 */
async function readPages(reading: AudienceReadContext): Promise<void> {
  const { after, lastPageStored } = stateOf(reading.store);
  if (lastPageStored) {
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

async function readFrom(reading: AudienceReadContext, after: string | undefined): Promise<void> {
  const { client, audienceId, store, clock, signal, emit } = reading;
  const shownFields = new Set(stateOf(store).shownFields);
  // Counted here, because `store.size()` takes longer with each page.
  let readCount = after === undefined ? 0 : store.size();
  for await (const { items, nextCursor: next } of listContactPages(client, audienceId, { after, signal })) {
    addShownFields(shownFields, items);
    const isLastPage = next === undefined;
    store.addPage(items, {
      ...stateOf(store),
      after: next,
      lastPageStored: isLastPage,
      at: clock.now(),
      shownFields: [...shownFields],
    });
    readCount += items.length;
    emit({ type: 'progress', phase: 'check', done: readCount });
  }
}

function addShownFields(shownFields: Set<string>, contacts: readonly Contact[]): void {
  for (const contact of contacts) {
    COMPARED_FIELDS.filter((field) => field in contact).forEach((field) => shownFields.add(field));
  }
}

function startPass(
  { clock }: AudienceReadContext,
  state: Pick<ReadingState, 'pass' | 'expectedCount' | 'shownFields'>,
): ReadingState {
  return { ...state, after: undefined, lastPageStored: false, at: clock.now() };
}

/** The state of the reading. It is never undefined here, because `readAudienceContacts` saves a state first. */
function stateOf({ state }: AudienceStore): ReadingState {
  return state as ReadingState;
}

async function countContacts({ client, audienceId, signal }: AudienceReadContext): Promise<number> {
  return (await getAudience(client, audienceId, { signal })).contact_counts.total;
}

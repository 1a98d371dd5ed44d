import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../api/http/api-error.ts';
import { getAudience } from '../api/resources/audiences.ts';
import { listSuppressionPages } from '../api/resources/suppressions.ts';
import { SvcError } from '../base/lib/errors.ts';
import { lookUpAllContacts } from '../migrate/compare/look-up.ts';
import type { Contact, ContactCounts } from '../wire/shapes.ts';
import { comparePerson, type ServiceView } from './compare-person.ts';
import { contactsOfPerson, contactToCompare } from './contact-of-person.ts';
import type { AudienceReadContext } from './read-audience.ts';
import type { CheckResults, StoredResult, UnconfirmedOutcome } from './results.ts';

/** What the confirmation needs: the audience that svc read, and the results of the comparison. */
export interface ConfirmContext extends Omit<AudienceReadContext, 'clock' | 'needsAll'> {
  readonly results: CheckResults;
}

/** What the confirmation did. The report shows it. */
export interface LookUpSummary {
  /** How many people svc looked up again. */
  readonly lookedUp: number;
  /** For each outcome: how many people svc did not look up, because they were more than MAX_LOOK_UPS. */
  readonly unconfirmed: Readonly<Partial<Record<UnconfirmedOutcome, number>>>;
  /** Why svc could not read the whole suppression list. Undefined if it could, or if no result depends on the list. */
  readonly suppressionsUnknown: string | undefined;
  /** True if svc saw as many contacts in the pages and the look-ups together as the service counts. */
  readonly hasSeenAll: boolean;
}

/**
 * The maximum number of people to look up for one outcome. A look-up corrects a result if the person changed after
 * their page was read. Usually that concerns few people.
 */
const MAX_LOOK_UPS = 400;

/**
 * The maximum number of pages of the suppression list to read: 100,000 addresses. The service does not say how long the
 * list is.
 */
const MAX_SUPPRESSION_PAGES = 1_000;

const SLICE_SIZE = 1_000;

/**
 * Confirms the results `missing`, `different` and `extra` (V3), because people may have changed after their page was
 * read. First corrects the results of people on the suppression list. Then looks up the other people one by one, at
 * most 400 for each outcome.
 */
export async function confirmResults(context: ConfirmContext): Promise<LookUpSummary> {
  const { results, emit } = context;
  const suppressionsUnknown = await applySuppressionList(context);
  const unconfirmed: Partial<Record<UnconfirmedOutcome, number>> = {};
  const toLookUp = (['missing', 'different', 'extra'] as const).flatMap((outcome) => {
    const listed = results.list(outcome, MAX_LOOK_UPS);
    const restCount = results.counts()[outcome] - listed.length;
    if (restCount > 0) {
      unconfirmed[outcome] = restCount;
    }
    return listed;
  });
  if (toLookUp.length > 0) {
    emit({ type: 'phase', phase: 'verify', total: toLookUp.length, unit: 'rows' });
  }
  const found: FoundContacts = { addressesOfRows: new Set(), unlisted: new Set() };
  for (const [index, result] of toLookUp.entries()) {
    await lookUpAgain({ ...context, ...found }, result, suppressionsUnknown !== undefined);
    emit({ type: 'progress', phase: 'verify', done: index + 1 });
  }
  // Throws if the audience was deleted meanwhile. In that case each look-up got a 404, although no contact was missing.
  const after = toLookUp.length > 0 ? await getAudience(context.client, context.audienceId, context) : undefined;
  const hasSeenAll = after !== undefined && isEachContactSeen(context, found, after.contact_counts);
  return { lookedUp: toLookUp.length, unconfirmed, suppressionsUnknown, hasSeenAll };
}

interface FoundContacts {
  /** Addresses of the contacts that the service showed for people of the list. */
  readonly addressesOfRows: Set<string>;
  /** The ids of the contacts that a look-up found but no page showed. */
  readonly unlisted: Set<string>;
}

/**
 * True if svc has seen every contact: the pages showed all subscribed people, and the look-ups found all others. Then
 * the service counted exactly these contacts before and after the check (V2, L5). A service may leave opted-out,
 * pending and bounced people out of its pages. If a subscribed person is missing there, others may be missing too.
 */
function isEachContactSeen({ store }: ConfirmContext, { unlisted }: FoundContacts, after: ContactCounts): boolean {
  const listed = store.size();
  const all = listed + unlisted.size;
  return (
    all === store.state?.expectedCount && all === after.total && listed === after.subscribed && store.isAllSubscribed()
  );
}

async function lookUpAgain(
  context: ConfirmContext & FoundContacts,
  { id, email, expected }: StoredResult,
  areSuppressionsUnknown: boolean,
): Promise<void> {
  const { results, store, addressesOfRows, unlisted } = context;
  const contacts = await lookUpAllContacts(context, context.audienceId, { email });
  contacts.filter((contact) => !store.has(contact)).forEach(({ id: unlistedId }) => unlisted.add(unlistedId));
  if (expected) {
    const got = contactToCompare(email, expected, contacts);
    if (got) {
      addressesOfRows.add(got.email);
    }
    compareAgain(context, { id, email, expected }, { got, areSuppressionsUnknown });
  } else if (contacts.length === 0 || addressesOfRows.has(email)) {
    results.remove(id);
  }
}

function compareAgain(
  { results, store }: ConfirmContext,
  { id, email, expected }: Pick<StoredResult, 'id' | 'email' | 'expected'>,
  { got, areSuppressionsUnknown }: { readonly got: Contact | undefined; readonly areSuppressionsUnknown: boolean },
): void {
  const shownFields = new Set(store.state?.shownFields);
  const view: ServiceView = { shownFields, suppressionReason: results.suppressed(email), areSuppressionsUnknown };
  if (expected) {
    results.change(id, comparePerson(expected, got, view));
  }
}

/**
 * Reads the suppression list if a result depends on it, and compares those people again. Returns why svc could not read
 * the whole list. Undefined if it could.
 */
async function applySuppressionList(context: ConfirmContext): Promise<string | undefined> {
  const { results, store, signal } = context;
  const { missing, different } = results.counts();
  if (missing + different === 0) {
    return undefined;
  }
  context.emit({ type: 'doing', what: 'reading the suppression list' });
  const whyUnknown = await readSuppressed(context);
  for (const outcome of ['missing', 'different'] as const) {
    let lastId = 0;
    for (
      let slice = results.list(outcome, SLICE_SIZE);
      slice.length > 0;
      slice = results.list(outcome, SLICE_SIZE, lastId)
    ) {
      // Lets other events run first, so that signals such as Ctrl-C are handled.
      await setImmediate();
      signal.throwIfAborted();
      lastId = slice.at(-1)?.id ?? lastId;
      results.inTransaction(() =>
        slice.forEach((result) => {
          const { email, expected } = result;
          const stored = contactsOfPerson(store, email).map(({ contact }) => contact);
          const got = contactToCompare(email, expected, stored);
          compareAgain(context, result, { got, areSuppressionsUnknown: whyUnknown !== undefined });
        }),
      );
    }
  }
  return whyUnknown;
}

/** Reads and stores the suppression list. Returns why svc could not read the whole list. Undefined if it could. */
async function readSuppressed({ client, results, signal }: ConfirmContext): Promise<string | undefined> {
  let pages = 0;
  try {
    for await (const { items, nextCursor: next, mayHaveMore } of listSuppressionPages(client, { signal })) {
      const withAddress = items.flatMap(({ email, reason }) => (typeof email === 'string' ? [{ email, reason }] : []));
      // The document does not show the type of the reason, so svc turns it into text.
      results.addSuppressed(withAddress.map(({ email, reason = 'suppressed' }) => ({ email, reason: String(reason) })));
      pages += 1;
      if (withAddress.length < items.length) {
        return 'the service lists suppressions without their addresses';
      }
      if (mayHaveMore || (pages === MAX_SUPPRESSION_PAGES && next !== undefined)) {
        return 'only a part of the suppression list could be read';
      }
    }
    return undefined;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status !== 401;
    if (!(error instanceof SvcError) || !(isRefused || error.code === 'unexpected_answer') || signal.aborted) {
      throw error;
    }
    return `the suppression list cannot be read: ${error.message}`;
  }
}

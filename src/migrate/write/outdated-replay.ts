import { listContacts } from '../../api/resources/contacts.ts';
import { isSharedKey } from '../../api/retry/write-request.ts';
import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { looseKey } from '../../import/record/address.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { readListedRun } from '../../runs/store/open-journal.ts';
import type { RecordedReplay } from '../../runs/store/replay-journal.ts';
import { writtenAudienceId } from '../../runs/store/run-header.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Contact } from '../../wire/shapes.ts';
import { recordedHex, type WriteContext } from '../run-context.ts';
import { compareContact } from '../verify/compare-contact.ts';
import { lookUp, refusedRows } from '../verify/look-up.ts';
import type { Batch, SendBatch } from './send-batch.ts';

/**
 * The name of a note in run.db: true once contacts are sent under keys of this run. Enrollments keep their keys,
 * because a new key would mail a person again (M5).
 */
export const OWN_CONTACT_KEYS = 'own_contact_keys';

/** The write context, with a key suffix if the run got keys of its own for contacts. */
function withContactKeys<T extends WriteContext>(context: T): T {
  const isOwn = context.keySuffix === undefined && context.journal.read(OWN_CONTACT_KEYS) === true;
  return isOwn ? { ...context, keySuffix: recordedHex(context, 'contact_keys', 8) } : context;
}

/**
 * Returns a function that sends a batch, and sends it again under a key of this run if the response is an outdated
 * replay (I7). From then on the whole run has its own keys, and all its earlier replays count as not sent.
 */
export function withoutOutdatedReplays(send: SendBatch): SendBatch {
  const isOutdated = createReplayCheck();
  return async (context, audienceId, batch) => {
    const sent = await send(withContactKeys(context), audienceId, batch);
    const mayBeOutdated = sent.replayed && context.keySuffix === undefined;
    const replays = mayBeOutdated ? sharedReplays(context, batch.name) : [];
    if (replays.length === 0) {
      return sent;
    }
    const isDecided = context.journal.read(OWN_CONTACT_KEYS) === true;
    if (!isDecided && !(await isOutdated(context, audienceId, batch, replays))) {
      return sent;
    }
    useOwnContactKeys(context);
    return send(withContactKeys(context), audienceId, batch);
  };
}

function sharedReplays({ journal }: WriteContext, batch?: string): RecordedReplay[] {
  return journal.requests.replays(batch).filter(({ key }) => isSharedKey(key));
}

function useOwnContactKeys(context: WriteContext): void {
  const { journal, emit } = context;
  journal.requests.reopen(sharedReplays(context));
  if (journal.read(OWN_CONTACT_KEYS) !== true) {
    journal.note(OWN_CONTACT_KEYS, true);
    const message =
      'The service repeated a response of an earlier import, but contacts may have changed since then. So svc writes the list again.';
    emit({ type: 'note', message });
  }
}

type IsOutdated = (
  context: WriteContext,
  audienceId: string,
  batch: Batch,
  replays: readonly RecordedReplay[],
) => Promise<boolean>;

/**
 * Returns a function that is true if a replay may describe data that was replaced since: a person of the batch reads
 * otherwise than sent. If a run of this machine sent the key, also if a person was changed after the last write of this
 * machine. Only times of the service are compared. If another machine sent the key, no time shows what came after it.
 * The run is not written anew only for that: it would bring back people who were deleted since (I7).
 */
function createReplayCheck(): IsOutdated {
  let earlier: EarlierWrites | undefined;
  let findReplaced: FindReplaced | undefined;
  return async (context, audienceId, batch, replays) => {
    earlier ??= readEarlierWrites(context, audienceId);
    const { keys, until } = earlier;
    const known = replays.filter(({ key }) => keys.has(key));
    // After a lost response, a replay of a key that only this run sent describes a write of this run.
    const fromOthers = replays.some(({ key, afterLostResponse }) => !keys.has(key) && !afterLostResponse);
    if (known.length === 0 && !fromOthers) {
      return false;
    }
    findReplaced ??= createSearch(context, audienceId);
    if (known.length === 0) {
      return findReplaced(batch, undefined);
    }
    if (until === undefined) {
      return true;
    }
    // Later changes may be writes of this run whose response was lost.
    const lost = known.filter(({ afterLostResponse }) => afterLostResponse);
    const before = lost.reduce(
      (earliest, { firstSentAt }) => Math.min(earliest, firstSentAt),
      Number.POSITIVE_INFINITY,
    );
    return findReplaced(batch, { after: until + TOLERANCE_MS, before });
  };
}

// `Date` headers have whole seconds, and the servers of a service may differ by a little.
const TOLERANCE_MS = 2_000;

/** A span of time, in milliseconds of the service's clock. */
interface Span {
  readonly after: number;
  readonly before: number;
}

/** True if the contact was changed in this span, or shows no `updated_at`: the document does not promise one. */
function mayHaveChanged({ updated_at }: Contact, { after, before }: Span): boolean {
  const at = Date.parse(updated_at ?? '');
  return Number.isNaN(at) || (at > after && at < before);
}

// Reading more pages would take longer than writing the list again.
const PAGES = 50;
// In a larger audience, the most people to look up for the first replays, spread over each batch. Each further replay
// gets one look-up.
const LOOK_UPS = 20;

type FindReplaced = (batch: Batch, span: Span | undefined) => Promise<boolean>;

/** Returns a function that is true if a person of a batch reads otherwise, or was changed in a span of time. */
function createSearch(context: WriteContext, audienceId: string): FindReplaced {
  let audience: Promise<ReadPages> | undefined;
  let lookUpsLeft = LOOK_UPS;
  return async ({ items, isCounted = () => true }, span) => {
    // A service may show a date of a change that a batch does not move. So the fields are compared too.
    const isReplaced = ({ contact: sent }: ContactItem, there: Contact | undefined) =>
      there !== undefined &&
      ((span !== undefined && mayHaveChanged(there, span)) || compareContact(sent, there).length > 0);
    audience ??= readNewestPages(context, audienceId);
    const { contacts, isComplete } = await audience;
    const refused = refusedRows(context.journal);
    const written = items.filter((item) => isCounted(item) && !refused.has(rowKey(item)));
    const isListedReplaced = written.some((item) => isReplaced(item, contacts.get(looseKey(item.contact.email))));
    if (isComplete || isListedReplaced) {
      return isListedReplaced;
    }
    const some = spread(written, Math.max(1, lookUpsLeft));
    lookUpsLeft -= some.length;
    const found = await Array.fromAsync(some, async (item) =>
      isReplaced(item, await lookUp(context, audienceId, item.contact)),
    );
    return found.includes(true);
  };
}

/** What the newest pages of an audience show. */
interface ReadPages {
  /** The contacts by `looseKey`. */
  readonly contacts: ReadonlyMap<string, Contact>;
  /** False if the audience has more pages. */
  readonly isComplete: boolean;
}

async function readNewestPages(context: WriteContext, audienceId: string): Promise<ReadPages> {
  const contacts = new Map<string, Contact>();
  let pages = 0;
  for await (const page of listContacts(context.client, audienceId, context)) {
    for (const contact of page) {
      contacts.set(looseKey(contact.email), contact);
    }
    pages += 1;
    if (pages === PAGES) {
      return { contacts, isComplete: page.length < LIMITS.pageSizeMax };
    }
  }
  return { contacts, isComplete: true };
}

function spread(items: readonly ContactItem[], most: number): ContactItem[] {
  const count = Math.min(most, items.length);
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as ContactItem);
}

/** What the other runs of this machine wrote to the audience: their keys, and the latest time of a write. */
interface EarlierWrites {
  readonly keys: ReadonlySet<string>;
  readonly until: number | undefined;
}

function readEarlierWrites({ stateFolder, journal, origin }: WriteContext, audienceId: string): EarlierWrites {
  const keys = new Set<string>();
  let until: number | undefined;
  for (const { run, header, ...other } of listReadableRuns(stateFolder)) {
    const isSame = header && run !== journal.run && other.origin === origin && writtenAudienceId(header) === audienceId;
    const writes = isSame ? readListedRun(stateFolder, run, ({ requests }) => requests.contactWrites()) : undefined;
    for (const key of writes?.keys ?? []) {
      keys.add(key);
    }
    until = Math.max(until ?? 0, writes?.until ?? 0) || undefined;
  }
  return { keys, until };
}

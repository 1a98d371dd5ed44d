import { contactTexts } from '../../import/batch/contact-text.ts';
import { createJsonBytes } from '../../import/batch/json-bytes.ts';
import { addPosition, noPositions, type Positions } from '../../import/batch/positions.ts';
import type { Surveyed } from '../../import/batch/row-outcome.ts';
import type { AddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import { looseKey } from '../../import/record/address.ts';
import type { Reading } from '../../import/survey/survey-types.ts';
import {
  type ContactLedger,
  findContactLedger,
  type LedgerPerson,
  openContactLedger,
} from '../../runs/contact-ledger.ts';
import { hasSentRequests } from '../../runs/find/run-status.ts';
import { EMPTY_INDEX, type LedgerIndex, readIndex } from '../../runs/ledger-index.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OpenRun } from '../context.ts';
import type { Target } from '../prepare/target.ts';
import { contentPrefix } from './ledger-writes.ts';
import { knownLists, otherShape, ownList, shapeOf } from './list-shape.ts';
import { openMissing } from './missing-people.ts';
import { createNamedAddresses, type NamedAddresses } from './named-addresses.ts';

/** What the ledger says about a list at the start of a run. */
export interface Changes {
  /** The people who are not sent, by their position among the contacts of the list. */
  readonly unchanged: Positions;
  readonly counts: ChangeCounts;
}

/** The numbers of the changes: plain data, for checks and reports. */
export interface ChangeCounts {
  /** People in the ledger. */
  readonly known: number;
  /** People of the ledger who are missing if this list does not hold them. */
  readonly listed: number;
  /**
   * The lists of the ledger that these people belong to: the list's own, and under a new name those that it replaces.
   */
  readonly lists: readonly number[];
  readonly unchanged: number;
  /** Those of `unchanged` who are sent as unsubscribed. */
  readonly unchangedOptOuts: number;
  /** People of the ledger whom the list misses. */
  readonly missing: number;
  /** Those of `missing` who were in the last list. */
  readonly newlyMissing: number;
  /** People whom earlier lists missed already. */
  readonly missedBefore: number;
  /** Rows without any address: one of them may be a missing person. */
  readonly unnamedRows: number;
  /** How the list differs in shape from the last one. Undefined if it has the same shape. */
  readonly otherShape?: string | undefined;
}

interface ChangeSearch extends OpenRun {
  readonly target: Target | undefined;
  /** The key of the address hashes. */
  readonly seed: string;
}

const NOTE = 'changes';

/**
 * Compares a list with the ledger. The result is stored with the run: a resume sends the same batches, whatever other
 * runs wrote into the ledger meanwhile (G4). Undefined without --only-changed.
 */
export async function findChanges(
  run: ChangeSearch,
  surveyed: Surveyed & { reading: Reading },
): Promise<Changes | undefined> {
  const { options, journal } = run;
  if (!options.changes) {
    return undefined;
  }
  const recorded = journal.read(NOTE) as RecordedChanges | undefined;
  if (recorded && hasSentRequests(journal)) {
    return { counts: recorded.counts, unchanged: Buffer.from(recorded.unchanged, 'base64') };
  }
  const ledger = ledgerOf(run);
  try {
    const changes = await compare(run, surveyed, ledger);
    const unchanged = Buffer.from(changes.unchanged).toString('base64');
    journal.note(NOTE, { counts: changes.counts, unchanged } satisfies RecordedChanges);
    return changes;
  } finally {
    ledger?.close();
  }
}

interface RecordedChanges {
  readonly counts: ChangeCounts;
  readonly unchanged: string;
}

/** The survey of the people who are sent. */
export function narrowed(reading: Reading, changes: Changes | undefined): Reading {
  if (!changes) {
    return reading;
  }
  const { unchanged, unchangedOptOuts } = changes.counts;
  const contacts = reading.contacts - unchanged;
  return {
    ...reading,
    contacts,
    unsubscribed: reading.unsubscribed - unchangedOptOuts,
    batches: Math.ceil(contacts / LIMITS.batchItems),
    unchanged,
  };
}

/** A dry run makes no ledger. An audience that must still be created has none. */
function ledgerOf({ options, account, state, randomHex, target }: ChangeSearch): ContactLedger | undefined {
  if (!account || target?.kind !== 'found') {
    return undefined;
  }
  const place = { state, origin: account.origin, audienceId: target.audience.id };
  return options.dryRun ? findContactLedger(place) : openContactLedger(place, randomHex);
}

async function compare(
  run: ChangeSearch,
  surveyed: Surveyed & { reading: Reading },
  ledger: ContactLedger | undefined,
): Promise<Changes> {
  const { journal, seed } = run;
  const { reading } = surveyed;
  const index = ledger ? readIndex(ledger.db) : EMPTY_INDEX;
  const unchanged = noPositions(reading.contacts);
  const named = createNamedAddresses(seed);
  const found =
    index.size > 0 ? await markUnchanged(run, surveyed, { ledger: ledger!, index, unchanged, named }) : NONE;
  const missing = openMissing(journal.db);
  const shape = shapeOf(reading);
  const own = ledger && ownList(ledger, shape);
  const last = own ?? (ledger && knownLists(ledger).at(-1));
  const sizes = ledger?.counts() ?? NO_LISTS;
  const missed = () => (ledger ? Iterator.from(missingPeople(ledger, index, named.all)) : Iterator.from([]));
  const replaced = own?.ended === true ? [] : replacedLists(sizes, missed());
  const lists = [...new Set(own ? [own.id, ...replaced] : replaced)];
  const isOwn = ({ list }: LedgerPerson) => lists.includes(list);
  missing.replace(missed().filter(isOwn).map(missedPerson));
  return {
    unchanged,
    counts: {
      ...found,
      known: index.size,
      listed: lists.reduce((sum, list) => sum + (sizes.get(list) ?? 0), 0),
      lists,
      missing: Object.values(missing.counts()).reduce((sum, count) => sum + count, 0),
      newlyMissing: missing.newly,
      missedBefore: ledger ? countOf(ledger.missing().filter(isOwn)) : 0,
      unnamedRows: Math.min(named.unnamedRows, reading.rows.rejected),
      otherShape: last && otherShape(last.shape, shape),
    },
  };
}

const NONE = { unchanged: 0, unchangedOptOuts: 0 };
const NO_LISTS: ReadonlyMap<number, number> = new Map();

/**
 * The lists that a list with a new name replaces: it holds most of the people whom they had last. Another list for the
 * same audience has other people, and keeps them (G7).
 */
function replacedLists(sizes: ReadonlyMap<number, number>, missed: Iterable<LedgerPerson>): number[] {
  const present = new Map(sizes);
  const newlyMissing = new Map<number, number>();
  for (const { list, missingSince } of missed) {
    add(present, list, -1);
    add(newlyMissing, list, missingSince === undefined ? 1 : 0);
  }
  return [...present].filter(([list, count]) => count > (newlyMissing.get(list) ?? 0)).map(([list]) => list);
}

function add(counts: Map<number, number>, list: number, difference: number): void {
  counts.set(list, (counts.get(list) ?? 0) + difference);
}

interface LedgerMarks {
  readonly ledger: ContactLedger;
  readonly index: LedgerIndex;
  readonly unchanged: Positions;
  readonly named: NamedAddresses;
}

/**
 * Reads the list once more. Marks in the index the people who are in the list, so all others are missing. Also marks
 * the people whose content is as the service last accepted it; none with --full.
 */
async function markUnchanged(
  { options, signal }: ChangeSearch,
  { reading, people }: Surveyed,
  { ledger, index, unchanged, named }: LedgerMarks,
): Promise<typeof NONE> {
  const prefix = Buffer.from(contentPrefix(options));
  const body = createJsonBytes();
  let position = 0;
  const counts = { ...NONE };
  for await (const texts of contactTexts(reading, people, { signal, onRows: named.addRows })) {
    for (const text of texts) {
      body.constant(prefix);
      text.write(body);
      const isSame = index.isUnchanged(ledger.person(text.email), ledger.content(body.borrow()));
      if (isSame && options.changes?.full !== true) {
        addPosition(unchanged, position);
        counts.unchanged += 1;
        counts.unchangedOptOuts += text.optsOut ? 1 : 0;
      }
      position += 1;
    }
  }
  return counts;
}

function* missingPeople(ledger: ContactLedger, index: LedgerIndex, named: AddressHashSet) {
  for (const prefix of index.unseen()) {
    const person = ledger.find(prefix);
    if (person && !named.has(looseKey(person.email))) {
      yield person;
    }
  }
}

function missedPerson({ email, missingSince }: LedgerPerson) {
  return { email, since: missingSince };
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) {
    count += 1;
  }
  return count;
}

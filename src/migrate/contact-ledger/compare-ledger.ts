import { emptyBits, hasBit, type PositionSet } from '../../base/lib/bit-set.ts';
import { sumOf } from '../../base/lib/rows.ts';
import type { SurveyedList } from '../../import/batch/row-decision.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { ContactLedger, LedgerPerson } from '../../ledgers/contact-ledger.ts';
import { type LedgerIndex, readLedgerIndex } from '../../ledgers/ledger-index.ts';
import { type MissingPeople, openMissingPeople } from '../../runs/people/missing-people.ts';
import { looseKey } from '../../wire/person-key.ts';
import { type ChangeCounts, NO_LEDGER } from './change-counts.ts';
import { lastPlaceOf } from './last-place.ts';
import { earlierListsOf, isInOneOf, knownLists, listOfSameName, listShapeOf } from './list-shape.ts';
import { hasDamagedPeople, type LostLedger } from './lost-ledger.ts';
import { type LedgerContext, type LedgerMatches, markUnchanged } from './mark-unchanged.ts';
import { newerListOf } from './newer-list.ts';
import type { LookedUpPerson } from './people/deleted-people.ts';
import { findMovedPeople } from './people/moved-people.ts';
import { findSharedPeople, type SharedPeopleHashes } from './people/shared-people.ts';

/** How a list differs from the contact ledger, which records what the audience last accepted. */
export interface LedgerComparison {
  /** The positions of the unchanged people among the contacts of the list. They are not sent. */
  readonly unchanged: PositionSet;
  readonly counts: ChangeCounts;
  /**
   * Hashes of people whom svc last sent with another list. Empty in a resume of a run that sent requests: before the
   * first request, the run recorded these people in the ledger for this list.
   */
  readonly joined: SharedPeopleHashes;
  /** People to send whom svc looked up, and who had not left. */
  readonly lookedUp: readonly LookedUpPerson[];
  /** When this process looked them up. Undefined in a resume of a run that sent requests. */
  readonly lookedUpAt: number | undefined;
}

/**
 * Finds out who is unchanged, missing, or also in another list. Stores the missing people in run.db. If entries of
 * the ledger are damaged, the ledger counts as lost.
 */
export async function compareWithLedger(
  run: LedgerContext,
  surveyed: SurveyedList & { survey: RereadableSurvey },
  { ledger, lost }: { readonly ledger: ContactLedger | undefined; readonly lost: LostLedger | undefined },
): Promise<LedgerComparison> {
  const missing = openMissingPeople(run.journal.db);
  const withoutLedger = (why: LostLedger | undefined) => {
    missing.replace([]);
    const counts = { ...NO_LEDGER, ...(why && { lost: why }) };
    const unchanged = emptyBits(surveyed.survey.contacts);
    return { unchanged, counts, joined: new Uint8Array(), lookedUp: [], lookedUpAt: undefined };
  };
  if (!ledger) {
    return withoutLedger(lost);
  }
  const { survey } = surveyed;
  const index = readLedgerIndex(ledger.db);
  const read = await markUnchanged(run, surveyed, { ledger, index, sendsAll: lost !== undefined });
  if (hasDamagedPeople(ledger, index, read.present)) {
    return withoutLedger({ problem: 'damaged', run: lost?.run, damaged: { id: ledger.id } });
  }
  const isNamed = ({ email }: LedgerPerson) => read.named.all.has(looseKey(email));
  const findUnsent = () => Iterator.from(unsentPeople(ledger, index, read));
  // A person is missing only if no cell of the list has the address (G6).
  const findAbsent = () => findUnsent().filter((person) => !isNamed(person));
  const list = earlierListsOf(ledger, survey, findAbsent());
  const lastList = listOfSameName(ledger, listShapeOf(survey));
  const findNamed = () => findUnsent().filter(isNamed);
  const isPresent = ({ email }: LedgerPerson) => hasBit(read.present, index.find(ledger.hashAddress(email)) as number);
  const moved = findMovedPeople(findNamed().filter(isInOneOf(list.lists)), read.named);
  return {
    unchanged: read.unchanged,
    lookedUp: read.lookedUp,
    lookedUpAt: run.clock.now(),
    joined: findSharedPeople(ledger, index, {
      own: lastList?.id,
      present: read.present,
      named: findNamed(),
    }),
    counts: {
      ...read.counts,
      known: index.size,
      ...list,
      ...storeMissing(missing, { ledger, lists: list.lists, absent: findAbsent() }),
      newOptOuts: read.newOptOuts.countIn(ledger, list.lists),
      back: countOf(ledger.missingPeople().filter(isInOneOf(list.lists)).filter(isPresent)),
      moved,
      heldBack: countOf(findNamed().filter(isInOneOf(list.lists))) - moved.people,
      unnamedRows: Math.min(read.named.unnamedRows, survey.rows.rejected) + read.named.mistypedRows,
      ...lastPlaceOf(run, lastList?.placeRun ?? lastList?.run),
      ...newerListOf(run, run.locks.start, lastList?.run),
      ...(lost && { lost }),
    },
  };
}

/** The people of the ledger whom svc does not send as contacts of the list. */
function* unsentPeople(ledger: ContactLedger, index: LedgerIndex, { present }: LedgerMatches): Generator<LedgerPerson> {
  for (let entry = 0; entry < index.size; entry += 1) {
    const person = hasBit(present, entry) ? undefined : ledger.find(index.hashPrefixOf(entry));
    if (person) {
      yield person;
    }
  }
}

/** Stores in run.db the people of `lists` who are not in the new list, and counts them. */
function storeMissing(
  missing: MissingPeople,
  { ledger, lists, absent }: MissingSearch,
): Pick<ChangeCounts, 'missing' | 'newlyMissing' | 'missedBefore' | 'held' | 'notFound'> {
  const others = knownLists(ledger).filter(({ id }) => !lists.includes(id));
  const isInOtherList = isInOneOf(others.map(({ id }) => id));
  const people = Iterator.from(absent).filter(isInOneOf(lists));
  const isNotFound = ({ email, notFoundSince }: LedgerPerson) => notFoundSince !== undefined && missing.has(email);
  missing.replace(
    people.map((person) => ({ email: person.email, since: person.missingSince, isInOtherList: isInOtherList(person) })),
  );
  const notFound = countOf(ledger.missingPeople().filter(isNotFound));
  return {
    missing: sumOf(Object.values(missing.counts())),
    newlyMissing: missing.newlyMissing,
    missedBefore: countOf(ledger.missingPeople().filter(isInOneOf(lists))),
    held: missing.inOtherListsCount,
    ...(notFound > 0 && { notFound }),
  };
}

interface MissingSearch {
  readonly ledger: ContactLedger;
  readonly lists: readonly number[];
  readonly absent: Iterable<LedgerPerson>;
}

function countOf(people: IteratorObject<LedgerPerson>): number {
  return people.reduce((count) => count + 1, 0);
}

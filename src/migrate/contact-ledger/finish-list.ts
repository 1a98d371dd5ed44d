import { sumOf } from '../../base/lib/rows.ts';
import { spreadsheetSafeCell } from '../../base/lib/text.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { ContactLedger, LedgerPerson } from '../../ledgers/contact-ledger.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { OnlyChangedOptions } from '../../run-lifecycle/data/run-options.ts';
import type { MissingCounts } from '../../run-lifecycle/data/run-report.ts';
import { type MissingPeople, type MissingPerson, openMissingPeople } from '../../runs/people/missing-people.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { LedgerComparison } from './compare-ledger.ts';
import {
  hasRejectsFile,
  isInOneOf,
  knownLists,
  listNameOf,
  listOfSameName,
  listShapeOf,
  storeList,
  UNFINISHED_SHAPE,
} from './list-shape.ts';
import { isComparedLedger, noteListBegin, noteListEnd } from './lost-ledger.ts';
import { countMissingOptOuts } from './people/named-addresses.ts';
import { hashPrefixesOf } from './people/shared-people.ts';
import { unsubscribeMissing } from './unsubscribe-missing.ts';

/** A list to record in the ledger, and how it differs from the ledger. */
interface FinishedList {
  readonly audienceId: string;
  readonly ledgerComparison: LedgerComparison;
  readonly survey: RereadableSurvey;
}

/**
 * Records the list in the ledger before the first contact is sent. From then on no other list can opt out the people of
 * this list (G7). If a known list has new columns, they are recorded only when the import ends. Returns the id of the
 * list. Undefined without a ledger, and for the rejects file of an unknown list, which is not recorded.
 */
export function recordListBegin(
  { ledger, journal }: Pick<WriteContext, 'ledger' | 'journal'>,
  { ledgerComparison, survey }: Omit<FinishedList, 'audienceId'>,
): number | undefined {
  if (!ledger) {
    return undefined;
  }
  const shape = listShapeOf(survey);
  const known = listOfSameName(ledger, shape);
  if (!known && hasRejectsFile(survey)) {
    noteListBegin(journal, undefined);
    return undefined;
  }
  const id = known?.id ?? 1 + knownLists(ledger).reduce((last, list) => Math.max(last, list.id), 0);
  const hasOtherShape = ledgerComparison.counts.otherShape !== undefined;
  if (hasOtherShape || !known) {
    const hasEnded = known?.ended === true;
    storeList(ledger, {
      id,
      name: listNameOf(shape),
      shape: hasOtherShape ? UNFINISHED_SHAPE : shape,
      ended: hasEnded,
      run: known?.run,
      placeRun: known?.placeRun,
    });
  }
  noteListBegin(journal, listNameOf(shape));
  ledger.addToList(id, hashPrefixesOf(ledgerComparison.joined));
  return id;
}

/**
 * Ends the import of a list, after all people were sent. Unsubscribes the missing people if --gone asks for it. Records
 * who is missing, and the columns of the list. A run that stops earlier records none of this (G6). With `--gone
 * report`, a list with a new name takes over the people of the lists that it replaces (G7).
 */
export async function finishListImport(
  context: WriteContext,
  { audienceId, ledgerComparison, survey }: FinishedList,
): Promise<void> {
  const { ledger, journal, options } = context;
  const shape = listShapeOf(survey);
  const list = ledger && listOfSameName(ledger, shape);
  if (!ledger || !list || hasRejectsFile(survey)) {
    return;
  }
  const missing = openMissingPeople(journal.db);
  if (countMissingOptOuts(options.changes, ledgerComparison.counts) > 0) {
    await unsubscribeMissing(context, audienceId, missing);
  }
  const { lists } = ledgerComparison.counts;
  recordMissing(ledger, missing, context.clock.now(), isInOneOf(lists));
  // Of the people whom svc unsubscribed and who are back, the report of this run names those who are still opted out.
  // svc removes all of them from the opt-outs that the ledger remembers, so that no later report names them again.
  ledger.removeOptedOut(ledgerComparison.counts.optedOutBefore?.hashes ?? []);
  const replacesLists = options.changes?.gone === 'report';
  ledger.removeFromLists(replacesLists ? lists : [list.id], missing.inOtherLists());
  if (replacesLists) {
    lists.filter((id) => id !== list.id).forEach((replaced) => ledger.moveMembers(replaced, list.id));
  }
  if (isComparedLedger(journal, ledger)) {
    const { otherFolder } = ledgerComparison.counts;
    const placeRun = otherFolder === undefined || options.changes?.gone ? undefined : (list.placeRun ?? list.run);
    storeList(ledger, { id: list.id, name: listNameOf(shape), shape, ended: true, run: journal.run, placeRun });
  }
  noteListEnd(journal, listNameOf(shape));
}

/**
 * Records in the ledger who is missing now, and who is back. Removes people whom svc unsubscribed, and those who had
 * left the audience before (`left_before`). The ledger keeps only the hashes of their addresses, so that no later list
 * signs them up under a new address (G13). A person whom only one look-up did not find stays in the ledger, so that the
 * next run looks again. `isOwn` is true for a person of this list or of a list that it replaces.
 */
function recordMissing(
  ledger: ContactLedger,
  missing: MissingPeople,
  now: number,
  isOwn: (person: LedgerPerson) => boolean,
): void {
  const earlier = [...ledger.missingPeople()].filter(isOwn).map(({ email }) => email);
  const back = earlier.filter((email) => !missing.has(email));
  ledger.setNotMissing(back);
  const people = [...missing.all()];
  const isKept = ({ outcome }: MissingPerson) => outcome === 'reported' || outcome === 'not_found';
  ledger.addLeftBefore(people.filter(({ outcome }) => outcome === 'left_before').map(emailOf));
  ledger.removePeople(people.filter((person) => !isKept(person)).map(emailOf));
  ledger.setMissing(people.filter((person) => isKept(person) && person.since === undefined).map(emailOf), now);
  ledger.setNotFound(people.filter(({ outcome }) => outcome === 'not_found').map(emailOf), now);
}

function emailOf({ email }: MissingPerson): string {
  return email;
}

/** Writes the missing people to gone.csv and returns its path. Undefined without --gone, or if no person is missing. */
export async function writeMissingCsv(
  { db, files }: Pick<Journal, 'db' | 'files'>,
  changes: OnlyChangedOptions | undefined,
): Promise<string | undefined> {
  const isWritten = changes?.gone && (await replaceFileByText(files.missingCsv, csvLines(openMissingPeople(db))));
  return isWritten ? files.missingCsv : undefined;
}

function* csvLines(missing: MissingPeople): Generator<string> {
  let head = 'email,missing_since,outcome\n';
  for (const { email, since, outcome } of missing.all()) {
    yield `${head}${spreadsheetSafeCell(email)},${since === undefined ? '' : new Date(since).toISOString()},${outcome}\n`;
    head = '';
  }
}

/** The counts of missing people for the report. Undefined without --gone. */
export function missingCounts({ db }: Journal, changes: OnlyChangedOptions | undefined): MissingCounts | undefined {
  if (!changes?.gone) {
    return undefined;
  }
  const missing = openMissingPeople(db);
  const counts = missing.counts();
  const { unsubscribed = 0, left_before = 0, reported = 0, not_found } = counts;
  return {
    missing: sumOf(Object.values(counts)),
    since_last_list: missing.newlyMissing,
    ...{ unsubscribed, left_before, reported },
    ...(not_found !== undefined && { not_found }),
  };
}

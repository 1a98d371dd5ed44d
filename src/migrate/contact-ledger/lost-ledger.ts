import { hasBit, type PositionSet } from '../../base/lib/bit-set.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { ContactLedger } from '../../ledgers/contact-ledger.ts';
import type { LedgerProblem } from '../../ledgers/ledger-file.ts';
import type { LedgerIndex } from '../../ledgers/ledger-index.ts';
import type { FoundLedger } from '../../ledgers/open-contact-ledger.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { readListedRun } from '../../runs/store/open-journal.ts';
import { writtenAudienceId } from '../../runs/store/run-header.ts';
import { knownLists, listNameOf, listShapeOf } from './list-shape.ts';

/** The ledger does not have the people of earlier lists, although it should. So missing people can't be found (G3). */
export interface LostLedger {
  /** `lacks_list`: the ledger can be used, but it lacks what a run recorded, for example after a restore. */
  readonly problem: LedgerProblem | 'lacks_list';
  /** The newest run that recorded a list in the ledger. Undefined if no such run is left. */
  readonly run?: string | undefined;
  /** The id of a ledger with damaged entries. svc can open this ledger, but must set it aside. */
  readonly damaged?: { readonly id?: string | undefined } | undefined;
}

/** The name of a note in run.db: the list that the run recorded in the contact ledger, and whether its import ended. */
const LEDGER_LIST_NOTE = 'ledger_list';

interface RecordedList {
  /** Undefined for a rejects file of an unknown list, which the ledger does not record. */
  readonly name?: string | undefined;
  readonly ended: boolean;
}

type Notes = Pick<Journal, 'readNote' | 'writeNote'>;

/** Records in run.db that the ledger has this list now. So a later run sees if the ledger is lost. */
export function noteListBegin({ readNote, writeNote }: Notes, name: string | undefined): void {
  if (readNote(LEDGER_LIST_NOTE) === undefined) {
    writeNote(LEDGER_LIST_NOTE, { name, ended: false } satisfies RecordedList);
  }
}

/** Records in run.db that the ledger has all people of this list. Called after the ledger itself has recorded that. */
export function noteListEnd({ writeNote }: Notes, name: string): void {
  writeNote(LEDGER_LIST_NOTE, { name, ended: true } satisfies RecordedList);
}

/**
 * The name of a note in run.db: the id of the ledger with which the run compared its list. If the ledger is replaced
 * before the run ends, the new one lacks the unchanged people, who are not sent.
 */
const LEDGER_ID_NOTE = 'ledger_id';

/** Records with which ledger a run compares its list. Undefined if there is none. */
export function noteComparedLedger({ writeNote }: Notes, ledger: Pick<ContactLedger, 'id'> | undefined): void {
  writeNote(LEDGER_ID_NOTE, ledger?.id);
}

/** Records the ledger that a run opens to write to it, if the run compared its list with no ledger. */
export function noteOpenedLedger({ readNote, writeNote }: Notes, ledger: Pick<ContactLedger, 'id'>): void {
  if (readNote(LEDGER_ID_NOTE) === undefined) {
    writeNote(LEDGER_ID_NOTE, ledger.id);
  }
}

/** True if the ledger is still the one with which the run compared its list. */
export function isComparedLedger({ readNote }: Notes, ledger: Pick<ContactLedger, 'id'>): boolean {
  return readNote(LEDGER_ID_NOTE) === ledger.id;
}

/**
 * Finds out whether the ledger lacks people of earlier lists: by its file, and by the runs that recorded their lists.
 * Undefined if it has them all, and for the first list of an audience.
 */
export function findLostLedger(
  { stateFolder, journal }: Pick<OpenRun, 'stateFolder' | 'journal'>,
  survey: Pick<RereadableSurvey, 'inputs'>,
  found: FoundLedger,
): LostLedger | undefined {
  const recorded = recordedLists(stateFolder, journal);
  if ('problem' in found) {
    const run = recorded.find(({ list }) => list === undefined || list.name !== undefined)?.run;
    return found.problem === 'none' && run === undefined ? undefined : { problem: found.problem, run };
  }
  const { ledger } = found;
  const lists = knownLists(ledger);
  const name = listNameOf(listShapeOf(survey));
  const hasEnded = lists.some(({ ended }) => ended);
  const isLacking = ({ run, list }: RecordedRun) => {
    if (list?.name === undefined || (hasEnded && list.name !== name)) {
      // A run of an older svc did not record its list. The ledger counts as lacking this list until it has any list
      // whose import ended.
      return list === undefined && !hasEnded;
    }
    return isListLacking(lists, list, run);
  };
  const run = recorded.find(isLacking)?.run;
  const isUnfinished = ledger.replacesLost && !hasEnded;
  return run === undefined && !isUnfinished ? undefined : { problem: 'lacks_list', run };
}

/** True if the lists of a ledger lack this list, or the import of it that this run ended. */
function isListLacking(lists: ReturnType<typeof knownLists>, { name, ended }: RecordedList, run: string): boolean {
  const known = lists.find((one) => one.name === name);
  return known === undefined || (ended && (known.run ?? '') < run);
}

/** True if the ledger has all people of the list that a run imported. False if the run recorded no list in a ledger. */
export function hasListOf(ledger: Pick<ContactLedger, 'lists'>, stateFolder: string, run: string): boolean {
  const list = recordedListOf(stateFolder, run);
  return list?.ended === true && !isListLacking(knownLists(ledger), list, run);
}

function recordedListOf(stateFolder: string, run: string): RecordedList | undefined {
  return readListedRun(stateFolder, run, ({ readNote }) => readNote(LEDGER_LIST_NOTE)) as RecordedList | undefined;
}

/** A run, and the list that it recorded. The list is undefined for a finished run of an older svc. */
interface RecordedRun {
  readonly run: string;
  readonly list: RecordedList | undefined;
}

/** The runs that recorded a list in the ledger of this audience, newest first. */
function recordedLists(stateFolder: string, { header }: Pick<Journal, 'header'>): readonly RecordedRun[] {
  const audienceId = writtenAudienceId(header);
  const isMeant = ({ run, origin, header: other }: RunSummary) =>
    other !== undefined &&
    run !== header.run &&
    origin === header.origin &&
    other.options.changes !== undefined &&
    other.options.dryRun !== true &&
    writtenAudienceId(other) === audienceId;
  return listReadableRuns(stateFolder)
    .filter(isMeant)
    .flatMap(({ run, status }): RecordedRun[] => {
      const list = recordedListOf(stateFolder, run);
      return list !== undefined || status === 'completed' || status === 'partial' ? [{ run, list }] : [];
    });
}

/** True if svc can't read the entry of a person who is not sent with the list. That person may be missing. */
export function hasDamagedPeople(ledger: ContactLedger, index: LedgerIndex, present: PositionSet): boolean {
  for (let entry = 0; entry < index.size; entry += 1) {
    if (!hasBit(present, entry) && ledger.find(index.hashPrefixOf(entry)) === undefined) {
      return true;
    }
  }
  return false;
}

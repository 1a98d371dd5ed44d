import { addBit, emptyBits, hasBit, type PositionSet } from '../../base/lib/bit-set.ts';
import { contactTexts } from '../../import/batch/contact-text.ts';
import type { SurveyedList } from '../../import/batch/row-decision.ts';
import type { AnyRow } from '../../import/csv/row-types.ts';
import type { Table } from '../../import/mapping/table.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { ContactLedger } from '../../ledgers/contact-ledger.ts';
import type { LedgerIndex } from '../../ledgers/ledger-index.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import type { AudienceTarget } from '../../run-lifecycle/data/run-options.ts';
import type { CommandStart } from '../../run-lifecycle/open/locks.ts';
import { createContentReader } from '../write/ledger-writes.ts';
import { type ChangeCounts, countHeldBack } from './change-counts.ts';
import { collectResent, holdBackDeleted, type LookedUpPerson, type ResentCounts } from './people/deleted-people.ts';
import { collectMovedRows, holdBackMoved } from './people/moved-people.ts';
import { createNamedAddresses, type NamedAddresses } from './people/named-addresses.ts';
import { collectNewOptOuts } from './people/new-opt-outs.ts';
import { collectOptedOut, holdBackOptedOut, optedOutOfFullList } from './people/opted-out-before.ts';

/** A run with --only-changed, --full or --gone, and what the comparison needs. */
export interface LedgerContext extends OpenRun {
  readonly target: AudienceTarget | undefined;
  /** The key of the address hashes, random for each run. */
  readonly seed: string;
  readonly locks: { readonly start: CommandStart };
}

/** Which people of the ledger the list names, and which of them are unchanged. */
export interface LedgerMatches {
  readonly unchanged: PositionSet;
  readonly counts: Pick<ChangeCounts, 'unchanged' | 'unchangedOptOuts' | 'optedOutBefore' | 'heldMoved'> & ResentCounts;
  /** The entries of people whom svc sends as contacts of the list, or leaves out as unchanged. */
  readonly present: PositionSet;
  /** Every address in any cell of the list, even if the row is skipped or rejected. */
  readonly named: NamedAddresses;
  /** People of the ledger whom the list opts out, and whom the ledger holds as subscribed. */
  readonly newOptOuts: ReturnType<typeof collectNewOptOuts>;
  /** People to send whom svc looked up, and who had not left. */
  readonly lookedUp: readonly LookedUpPerson[];
}

/**
 * Reads the list again, and marks people whose content the audience last accepted. Marks no person if --full is given
 * or `sendsAll` is true.
 */
export async function markUnchanged(
  run: LedgerContext,
  { survey, people }: SurveyedList & { survey: RereadableSurvey },
  {
    ledger,
    index,
    sendsAll,
  }: { readonly ledger: ContactLedger; readonly index: LedgerIndex; readonly sendsAll: boolean },
): Promise<LedgerMatches> {
  const { options, signal, seed } = run;
  const unchanged = emptyBits(survey.contacts);
  const present = emptyBits(index.size);
  const named = createNamedAddresses(seed);
  const resent = collectResent(index);
  const counts = { unchanged: 0, unchangedOptOuts: 0 };
  const lookedUp: LookedUpPerson[] = [];
  const optedOut = collectOptedOut(ledger);
  const newOptOuts = collectNewOptOuts(index);
  const moved = collectMovedRows(ledger, index, survey);
  const onRows = (rows: readonly AnyRow[], table: Table) => {
    named.addRows(rows, table);
    moved.addRows(rows, table);
  };
  if (moved.known === 0) {
    return { unchanged, counts, present, named, newOptOuts, lookedUp };
  }
  const contentOf = createContentReader(ledger, options);
  const looksUp = options.changes?.full !== true;
  const isFull = sendsAll || !looksUp;
  let position = 0;
  for await (const texts of contactTexts({ survey, people }, { signal, onRows })) {
    for (const text of texts) {
      const person = ledger.hashAddress(text.email);
      const entry = index.find(person);
      const isSame = entry !== undefined && (!isFull || text.optsOut) && index.hasContent(entry, contentOf(text));
      const isBack = optedOut.has(person, text);
      const isLookedUp = isBack && looksUp;
      if (isBack) {
        optedOut.add(person, { email: text.email, position, isSent: !isSame || isFull });
      }
      // A person of the ledger without a recorded acceptance, for example after a lost request, is new too.
      const isNew = entry === undefined || ['none', 'unproven'].includes(index.acceptanceOf(entry));
      if (isNew && !isLookedUp) {
        moved.addNew(position, text);
      }
      if (entry !== undefined) {
        addBit(present, entry);
      }
      if (entry !== undefined && text.optsOut) {
        newOptOuts.add(entry, isSame);
      }
      if (isSame && !isFull) {
        addBit(unchanged, position);
        counts.unchanged += 1;
        counts.unchangedOptOuts += text.optsOut ? 1 : 0;
      } else if (entry !== undefined && !isFull && !isLookedUp) {
        resent.add(entry, position, text);
      }
      position += 1;
    }
  }
  const { optedOutBefore, ...optedOutCounts } = looksUp
    ? await holdBackOptedOut(run, optedOut.people, { unchanged, lookedUp })
    : optedOutOfFullList(optedOut.people);
  const resentCounts = { ...(await holdBackDeleted(run, resent, { unchanged, lookedUp })), ...optedOutCounts };
  const back = new Set(optedOut.people.map(({ hash }) => hash));
  const isAbsent = ({ entry, earlier }: { readonly entry: number | undefined; readonly earlier: string }) =>
    entry === undefined ? !back.has(ledger.hashAddress(earlier).toString('hex')) : !hasBit(present, entry);
  const movedRows = moved.found().filter(isAbsent);
  const heldMoved = await holdBackMoved(run, movedRows, { index, unchanged, lookedUp });
  counts.unchanged += countHeldBack({ ...resentCounts, optedOutBefore, heldMoved });
  return {
    unchanged,
    counts: { ...counts, ...(optedOutBefore && { optedOutBefore }), ...resentCounts, ...(heldMoved && { heldMoved }) },
    present,
    named,
    newOptOuts,
    lookedUp,
  };
}

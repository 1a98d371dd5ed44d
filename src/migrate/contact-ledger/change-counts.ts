import { sumOf } from '../../base/lib/rows.ts';
import type { LedgerLists } from './list-shape.ts';
import type { LostLedger } from './lost-ledger.ts';
import type { ResentCounts } from './people/deleted-people.ts';
import type { HeldMovedPeople, MovedPeople } from './people/moved-people.ts';
import type { NewOptOuts } from './people/new-opt-outs.ts';
import type { OptedOutBefore } from './people/opted-out-before.ts';

/** How many people of a list are new, changed or missing, compared with the contact ledger. */
export interface ChangeCounts extends LedgerLists, ResentCounts {
  /** The number of people in the ledger. */
  readonly known: number;
  readonly unchanged: number;
  /** How many of the unchanged people are opted out in the list. */
  readonly unchangedOptOuts: number;
  readonly missing: number;
  /** How many of the missing people were still in the last list. */
  readonly newlyMissing: number;
  /** The number of people who were missing in the last list. Some may be back in this list. */
  readonly missedBefore: number;
  /** How many of `missedBefore` are in this list again. Undefined in runs of an older svc. */
  readonly back?: number;
  /** How many of the missing people the audience did not have at an earlier look-up. Undefined if there are none. */
  readonly notFound?: number | undefined;
  /** How many people only another list still has. They don't count as missing. Undefined in runs of an older svc. */
  readonly held?: number;
  /** How many people of earlier lists have only skipped or rejected rows in this list. Those in `moved` don't count. */
  readonly heldBack: number;
  /** People of earlier lists whose address is only in another column now. Undefined in runs of an older svc. */
  readonly moved?: MovedPeople | undefined;
  /**
   * People with a new address who are not sent, because they left under their earlier one. Undefined if no row has a
   * new and an earlier address.
   */
  readonly heldMoved?: HeldMovedPeople | undefined;
  /** The highest possible number of rows without a whole address. Such a row may belong to a missing person. */
  readonly unnamedRows: number;
  /** The path of the last list of this name, if it was another file. Undefined if svc does not know that path. */
  readonly lastPath?: string | undefined;
  /** The path of the last list of this name, if that file still exists, in a folder with another name than this one. */
  readonly otherFolder?: string | undefined;
  /** The run that sent a newer list of this name while this run waited for other runs. */
  readonly newerRun?: string | undefined;
  /** The path of the last list of this name, if that file was changed later than this one. */
  readonly newerPath?: string | undefined;
  /** True if the list comes from standard input, so that it has no name of its own. */
  readonly isPipe?: boolean | undefined;
  /** People of this list whom svc unsubscribed, because an earlier list lacked them. Undefined if there are none. */
  readonly optedOutBefore?: OptedOutBefore | undefined;
  /** How many people this list opts out whom the ledger holds as subscribed. Undefined in runs of an older svc. */
  readonly newOptOuts?: NewOptOuts | undefined;
  /** Set if the ledger lacks people of earlier lists. Then all people are sent. */
  readonly lost?: LostLedger | undefined;
}

/** The counts without a ledger: all people are new. */
export const NO_LEDGER: ChangeCounts = {
  known: 0,
  listed: 0,
  lists: [],
  unchanged: 0,
  unchangedOptOuts: 0,
  missing: 0,
  newlyMissing: 0,
  missedBefore: 0,
  heldBack: 0,
  unnamedRows: 0,
};

/** The number of people who count as unchanged although their row is new or changed: svc does not send them (C1). */
export function countHeldBack({
  changed,
  withoutContent,
  optedOut,
  optedOutBefore,
  heldMoved,
}: Partial<ChangeCounts>): number {
  const deleted = sumOf([changed, withoutContent, optedOut].map((people) => people?.deleted ?? 0));
  return deleted + (optedOutBefore?.notLookedUp ?? 0) + (heldMoved?.held ?? 0);
}

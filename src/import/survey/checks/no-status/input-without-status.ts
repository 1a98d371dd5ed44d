import type { State } from '../../../../platforms/lib/states.ts';
import { hasDoubtfulName, hasUnclearName, stateByName } from '../../../mapping/state/default-status.ts';
import { namesFormerPeople } from '../../../mapping/state/opt-out-file-names.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { countRowsWithoutStatus, type TableWithStatistics } from '../check-context.ts';
import { type Candidate, candidatesOf } from '../status-candidates.ts';
import { ignoredConsentColumns } from './listed-opt-outs.ts';

/** An input without a state, among the other inputs of the list. */
export interface AskedInput {
  readonly surveyed: TableWithStatistics;
  /** The number of people without a state in the whole list. */
  readonly people: number;
  readonly isOnlyInput: boolean;
  /** True if only other inputs have a state, and this one is not the main list. */
  readonly isMixed: boolean;
  /** The name by which an answer refers to the input. */
  readonly answeredAs: string;
}

/** An input without a state, and what it says itself about its people. */
export interface InputWithoutStatus extends AskedInput {
  /** The number of rows without a state. */
  readonly rows: number;
  readonly candidates: readonly Candidate[];
  /**
   * The quoted headers of columns about consent that do not count for the status, because `--map` gives them another
   * use.
   */
  readonly ignoredByMap: readonly string[];
  /** The state that the name of the input says. */
  readonly stateOfName: State | undefined;
  /** What says that its people opted out: its name, a title above its header, or that it looks like an opt-out list. */
  readonly optedOutBy: 'name' | 'title' | 'look' | undefined;
  /** What mentions opted-out people, but may not mean the people of this input: `all-except-bounced.csv`. */
  readonly unclearBy: 'name' | 'title' | undefined;
  /** True if the name says that these people may have opted out. */
  readonly isDoubtful: boolean;
  /** True if cells say `soft`: mail to these people failed once, which is no hard bounce (C6). */
  readonly holdsSoftBounces: boolean;
}

/** Returns an input with what it says about its people. */
export function describeInput(asked: AskedInput): InputWithoutStatus {
  const { table, statistics } = asked.surveyed;
  const { status } = statistics;
  const isNameUnclear = hasUnclearName(table.source);
  const stateOfName = isNameUnclear ? undefined : stateByName(table.source);
  // True if a title above the header made svc distrust rows that say subscribed. The title is the reason if the name of
  // the input says no state.
  const isTitled =
    status.distrustedRows > 0 && stateByName(table.source) === undefined && !namesFormerPeople(table.source);
  const looksOptedOut = table.reading.suggestedState !== undefined && !table.hasUnclearTitle;
  const optedOutBy = stateOfName ? 'name' : isTitled ? 'title' : looksOptedOut ? 'look' : undefined;
  const unclearBy = isNameUnclear ? 'name' : table.hasUnclearTitle ? 'title' : undefined;
  return {
    ...asked,
    rows: countRowsWithoutStatus(status),
    candidates: candidatesOf(asked.surveyed),
    ignoredByMap: ignoredConsentColumns(table),
    stateOfName,
    optedOutBy,
    unclearBy: optedOutBy === undefined ? unclearBy : undefined,
    isDoubtful: optedOutBy === undefined && hasDoubtfulName(table.source),
    holdsSoftBounces: holdsSoftBounces(status),
  };
}

// Matches `soft` and `Transient`, and the code of a temporary failure such as `4.2.2`.
const SOFT_BOUNCE = /(?<!\p{L})(?:soft|transient|temporar\p{L}{0,5})(?!\p{L})|(?<![\d.])4\.\d{1,2}\.\d{1,3}(?![\d.])/iu;

function holdsSoftBounces({ values, candidates }: StatusStatistics): boolean {
  const texts = [...[...values.values()], ...[...candidates.values()].map((column) => column.values)];
  return texts.some((column) => [...column.keys()].some((text) => SOFT_BOUNCE.test(text)));
}

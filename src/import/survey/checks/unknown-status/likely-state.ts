import type { State } from '../../../../platforms/lib/states.ts';
import { isDeniedBySymbol } from '../../../../platforms/lib/status-words.ts';
import type { Meaning } from '../../../consent-columns/headers/header-reading.ts';
import { keepsMailAway } from '../../../consent-columns/several-columns/combine-readings.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { asksToStop } from '../../../consent-columns/words/phrases.ts';
import { CLEAR_WORDS, readYesNo, wordLookupKey } from '../../../consent-columns/words/value-words.ts';
import type { Table } from '../../../mapping/table.ts';
import type { UnknownWord } from '../../statistics/status-statistics.ts';
import type { ValueCounts } from '../../statistics/value-counts.ts';

/** A column with unknown words. `index` is undefined for words that are in no single column. */
export interface UnknownColumn {
  readonly table: Table;
  /** The values of all status columns. */
  readonly values: ValueCounts;
  readonly index: number | undefined;
}

/** The state of a word in the first answer for its column. */
export function likelyState({ word }: UnknownWord, { table, values, index }: UnknownColumn): State {
  const clear = CLEAR_WORDS.get(wordLookupKey(word));
  if (word === LISTS_DISAGREE) {
    return 'skip';
  }
  if (clear) {
    return keepsMailAway(clear) ? clear.state : 'skip';
  }
  if (asksToStop(word)) {
    return 'unsubscribed';
  }
  const column = table.consentColumns.find((other) => other.index === index);
  const valuesOfColumn = index === undefined ? [] : [...(values.get(index)?.keys() ?? [])];
  if (
    column?.meaning === 'optedOut' &&
    valuesOfColumn.some((other) => wordLookupKey(word) === `donot${wordLookupKey(other)}`)
  ) {
    return 'unsubscribed';
  }
  return !column?.isDirectionUnknown && isYesBesideNo(word, column?.meaning, valuesOfColumn) ? 'subscribed' : 'skip';
}

// True for a yes in a status column that also has a no. In an opt-out column, `Allow` beside `Do Not Allow` is such a
// yes.
function isYesBesideNo(word: string, meaning: Meaning | undefined, values: readonly string[]): boolean {
  if (readYesNo(word) !== true || isDeniedBySymbol(word)) {
    return false;
  }
  return meaning === 'status'
    ? values.some((value) => readYesNo(value) === false)
    : meaning === 'optedOut' && values.some((value) => wordLookupKey(value) === `donot${wordLookupKey(word)}`);
}

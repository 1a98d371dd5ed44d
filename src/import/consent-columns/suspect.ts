import { keepsMailAway } from './combine.ts';
import { ADDRESS_PART, ORDINARY, STATUS } from './header-words.ts';
import { asksToStop } from './phrases.ts';
import { readHeader } from './read-header.ts';
import { wordsOf } from './text.ts';
import { answerIn, isPipelineWord, isStateWord, keyOf, STATE_WORDS } from './value-words.ts';

/** A column as far as it matters here: its header, the others beside it, its values and whether some cells are blank. */
export interface SuspectColumn {
  readonly header: string;
  readonly beside: readonly string[];
  readonly values: readonly string[];
  readonly hasBlanks: boolean;
}

/**
 * How likely a column says who may be mailed: 3 its values or its header speak of it, 2 it holds short codes, 1 it holds a
 * few words of unknown meaning, 0 its header or its values are those of something else.
 */
export function suspicionOf({ header, beside, values, hasBlanks }: SuspectColumn): 0 | 1 | 2 | 3 {
  if (values.some(keepsAway)) {
    return 3;
  }
  const isVaried = values.length > 1 || hasBlanks;
  if (!isVaried || values.every(isPipelineWord) || isOrdinary(header, beside)) {
    return 0;
  }
  const speaks = readHeader(header) !== undefined || values.every((value) => answerIn(value) !== undefined);
  if (speaks || (values.length === 1 && !values.every(isMeasure))) {
    return 3;
  }
  if (values.every(isMeasure)) {
    return values.length <= MOST_CODES && values.every((value) => /^-?\d$/.test(value)) ? 2 : 0;
  }
  return values.length <= MOST_CODES && values.every((value) => value.length <= LONGEST_CODE) ? 2 : 1;
}

const MOST_CODES = 8;
const LONGEST_CODE = 3;

function keepsAway(value: string): boolean {
  const state = STATE_WORDS.get(keyOf(value));
  return state ? keepsMailAway(state) : isStateWord(value) || asksToStop(value);
}

// Numbers, dates, addresses and links measure or name something.
function isMeasure(value: string): boolean {
  return /^[\p{Sc}\s]*[-+]?\d[\d\s.,:/%+TZ-]*\p{Sc}?$/u.test(value) || /^\S+@\S+$|^https?:/.test(value);
}

function isOrdinary(header: string, beside: readonly string[]): boolean {
  const words = wordsOf(header);
  const reading = readHeader(header);
  if (reading?.meaning === 'status') {
    return /^(?:state|estado|stato|etat)$/u.test(words) && beside.some((other) => ADDRESS_PART.test(wordsOf(other)));
  }
  return (
    reading?.meaning === 'text' ||
    reading?.detail === true ||
    (reading === undefined && ORDINARY.test(words) && !STATUS.test(words))
  );
}

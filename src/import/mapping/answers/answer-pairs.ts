import { badUsage } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { spellingKey } from './answer-keys.ts';
import { contradictionError } from './exact-answers.ts';

const PAIR_EXAMPLES = { '--status-map': 'inactive=unsubscribed', '--topic-value': 'Offers=weekly' } as const;

/**
 * Parses pairs such as `active=subscribed`. Splits at the last `=`, because a word may contain `=`. A pair without a
 * word, such as `=skip`, is about empty cells.
 */
export function parsePairs(
  flag: keyof typeof PAIR_EXAMPLES,
  form: string,
  texts: readonly string[],
): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [subject, value] = splitPair(text);
    if (subject === undefined || value === '') {
      throw badUsage(
        `${flag} takes ${form}, not "${terminalSafe(text)}"`,
        `For example: ${flag} ${PAIR_EXAMPLES[flag]}. See: svc help mapping`,
      );
    }
    return [subject, value] as const;
  });
  refuseTwoValues(flag, texts);
  return Object.fromEntries(pairs);
}

/** Parses the states of `--default-status`. A state without an input is for all inputs, and gets the name `*`. */
export function parseDefaultStatuses(texts: readonly string[]): Readonly<Record<string, string>> {
  refuseTwoValues('--default-status', texts);
  return Object.fromEntries(
    texts.map((text) => {
      const [subject = ALL_INPUTS, value] = splitPair(text);
      return [subject, value];
    }),
  );
}

/** `--default-status skip` means the same as `*=skip`. */
const ALL_INPUTS = '*';

/**
 * Throws if two pairs give one column, word or input two values: `left=unsubscribed` and `left=subscribed`. Else the
 * last one would count, and could sign up people who left (C1).
 */
export function refuseTwoValues(flag: string, texts: readonly string[]): void {
  const bySubject = Map.groupBy(new Set(texts), (text) => splitPair(text)[0] ?? ALL_INPUTS);
  for (const pairs of bySubject.values()) {
    if (new Set(pairs.map((text) => splitPair(text)[1].trim())).size > 1) {
      const ordered = pairs.toSorted((one, other) => Number(signsUp(other)) - Number(signsUp(one)));
      throw contradictionError(flag, ordered);
    }
  }
}

// True for an answer that may sign people up: it says subscribed, or makes svc ignore the status in a column. The first
// line of a hint leaves such an answer out (C11).
function signsUp(pair: string): boolean {
  return /^(?:subscribed|ignore|attributes\..*)$/i.test(splitPair(pair)[1].trim());
}

/**
 * Joins two lists of values of a flag. A later pair replaces the earlier ones about the same column, word or input, so
 * that a typed flag outranks a mapping file. If the later pair keeps mail away, it also replaces more exact pairs that
 * sign people up. `flag` is the name of the flag in camelCase.
 */
export function joinValues(flag: string, earlier: readonly string[], later: readonly string[]): readonly string[] {
  return [...valuesNotReplaced(flag, earlier, later), ...later];
}

/** The earlier values of a flag that stay beside the later ones; see `joinValues`. */
export function valuesNotReplaced(
  flag: string,
  earlier: readonly string[],
  later: readonly string[],
): readonly string[] {
  if (!PAIR_FLAGS.includes(flag)) {
    return earlier;
  }
  const keyOf = (pair: string) => {
    const [subject = ALL_INPUTS] = splitPair(pair);
    return flag === 'statusMap' ? spellingKey(subject) : subject;
  };
  const replaced = new Set(later.map(keyOf));
  // A typed `left=skip` also replaces `Status:left=subscribed` of a file. Otherwise the pair of the file would count,
  // because it is more exact.
  const strict = later.filter((pair) => !signsUp(pair)).map(keyOf);
  const isForAll = flag === 'defaultStatus' && strict.includes(ALL_INPUTS);
  const isOutranked = (pair: string) =>
    signsUp(pair) && (isForAll || strict.some((key) => keyOf(pair).endsWith(`:${key}`)));
  return earlier.filter((pair) => !(replaced.has(keyOf(pair)) || isOutranked(pair)));
}

const PAIR_FLAGS = ['map', 'statusMap', 'defaultStatus', 'topicValue'];

// Splits a pair at its last `=`. Without one, the subject is undefined.
export function splitPair(text: string): readonly [subject: string | undefined, value: string] {
  const position = text.lastIndexOf('=');
  return position < 0 ? [undefined, text] : [text.slice(0, position), text.slice(position + 1)];
}

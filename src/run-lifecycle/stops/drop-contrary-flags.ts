import { shellFlag, shellWord, splitShellText } from '../../base/lib/text.ts';

/** A flag of an answer with its value: `--map` and `Frequency=status`. */
type Pair = readonly [flag: string, value: string | undefined];

/**
 * Removes from `flags` what contradicts the answer `deciding`. For example, if `deciding` leaves the column `Frequency`
 * out, no flag may map that column or explain its words. Both parameters are shell text.
 */
export function dropContraryFlags(flags: string, deciding: string): string {
  const decided = columnMapsIn(deciding);
  const pairs = pairsOf(flags);
  const remainingPairs = pairs.filter((pair) => !decided.some((map) => contradicts(pair, map)));
  return remainingPairs.length === pairs.length ? flags : remainingPairs.map(textOf).join(' ');
}

/**
 * The flags of several answers, without those that contradict another answer. An answer that reads states from a column
 * decides about that column. If one answer makes `Code` a status, no other answer may make it an attribute (C10).
 */
export function withoutContraryFlags(answers: readonly string[]): readonly string[] {
  return answers
    .map((flags) => {
      const others = answers.filter((other) => other !== flags);
      const deciding = others
        .flatMap(pairsOf)
        .filter(([flag, value = '']) => flag === '--map' && GIVES_STATE.test(value));
      return dropContraryFlags(flags, deciding.map(textOf).join(' '));
    })
    .filter((flags) => flags !== '');
}

const GIVES_STATE = /=(?:status|reason|unsubscribed_at)$/;

interface ColumnMap {
  readonly column: string;
  readonly field: string;
}

/** Fields for which svc reads the words of the column as states. So answers about these words stay. */
const HOLDS_STATES: ReadonlySet<string> = new Set(['status', 'reason']);

function contradicts([flag, value = '']: Pair, { column, field }: ColumnMap): boolean {
  return flag === '--map'
    ? value.startsWith(`${column}=`)
    : flag === '--status-map' && value.startsWith(`${column}:`) && !HOLDS_STATES.has(field);
}

function columnMapsIn(flags: string): readonly ColumnMap[] {
  return pairsOf(flags)
    .filter(([flag]) => flag === '--map')
    .map(([, value = '']) => {
      const position = value.lastIndexOf('=');
      return { column: value.slice(0, position), field: value.slice(position + 1) };
    });
}

function textOf([flag, value]: Pair): string {
  return value === undefined ? shellWord(flag) : shellFlag(flag, value);
}

// Splits shell text into flags with their values. `--allow-joined-files` has no value, and `--status-map=-1=skip` has
// its value in the same word.
function pairsOf(flags: string): readonly Pair[] {
  const words = splitShellText(flags);
  return words.flatMap((word, index): Pair[] => {
    const next = words[index + 1];
    const [flag = '', joined] = word.split(/=(.*)/s);
    return word.startsWith('--') ? [[flag, joined ?? (next?.startsWith('--') ? undefined : next)]] : [];
  });
}

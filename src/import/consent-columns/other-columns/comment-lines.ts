import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { questionAbout } from './read-words.ts';

type StateOf = (cell: string) => StatusReading;

/**
 * The reader of the first column. A line that begins with a sign for a comment may be a removed row:
 * `#Ben,ben@example.com`. If most of the first rows begin so, the sign is a part of an identifier.
 */
export function outsideComments({ sample }: Pick<TableShape, 'sample'>, stateOf: StateOf): StateOf {
  const commented = sample.filter(([cell = '']) => COMMENT.test(cell)).length;
  return commented * 2 > sample.length
    ? stateOf
    : (cell) => {
        const sign = COMMENT.exec(cell)?.[1];
        return sign === undefined ? stateOf(cell) : questionAbout(sign);
      };
}

// Matches a sign that comments a line out. Errors of Excel begin with the same sign: `#N/A`.
const COMMENT = /^\s*(#+(?!N\/A|REF|NAME|VALUE|DIV|NUM|NULL|SPILL|CALC)|\/\/|;)/u;

import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { questionReading } from '../several-columns/combine-readings.ts';

type StateOf = (cell: string) => StatusReading;

/**
 * Makes the reader of the first column ask about a comment sign. With `#Ben,ben@example.com` a user may have removed
 * this row. If most of the first rows begin with the sign, the sign is part of the data.
 */
export function askAboutComments({ sample }: Pick<TableShape, 'sample'>, stateOf: StateOf): StateOf {
  const commented = sample.filter(([cell = '']) => COMMENT.test(cell)).length;
  return commented * 2 > sample.length
    ? stateOf
    : (cell) => {
        const sign = COMMENT.exec(cell)?.[1];
        return sign === undefined ? stateOf(cell) : questionReading(sign);
      };
}

// Matches a comment sign at the beginning of a line. Errors of Excel, such as `#N/A`, don't match.
const COMMENT = /^\s*(#+(?!N\/A|REF|NAME|VALUE|DIV|NUM|NULL|SPILL|CALC)|\/\/|;)/u;

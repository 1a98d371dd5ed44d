import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { questionAbout } from '../combine-readings.ts';

type StateOf = (cell: string) => StatusReading;

/**
 * Adds a question to the reader of the first column. An operator may have removed a row by a sign for comments:
 * `#Ben,ben@example.com`. So svc asks about this sign. If most of the first rows begin with it, it is part of the data.
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

// Matches a sign for a comment at the beginning of a line. Errors of Excel don't match: `#N/A`.
const COMMENT = /^\s*(#+(?!N\/A|REF|NAME|VALUE|DIV|NUM|NULL|SPILL|CALC)|\/\/|;)/u;

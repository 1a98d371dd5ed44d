import type { MapAnswer } from '../map-flag.ts';
import type { InputAnswers } from '../reading-answers.ts';
import { contradictionError, mostExact } from './exact-answers.ts';

/**
 * The answer of `--map` for each column. The answer that names fewer inputs and columns counts. Throws SvcError if two
 * others differ (exit 2): one of them may take the only sign of an opt-out out of the status (C1, C10).
 */
export function namedColumns(header: readonly string[], { maps }: InputAnswers): ReadonlyMap<number, MapAnswer> {
  const scoped = maps.flatMap((answer) => {
    const indexes = findNamedColumns(header, answer.column);
    return indexes.map((index) => ({ index, answer, inputs: answer.inputs, columns: indexes.length }));
  });
  return new Map(
    [...Map.groupBy(scoped, ({ index }) => index)].flatMap(([index, found]) => {
      const exact = mostExact(found).map(({ answer }) => answer);
      if (new Set(exact.map(({ target }) => JSON.stringify(target))).size > 1) {
        const takesOut = ({ target }: MapAnswer) => Number(target.kind === 'ignore' || target.kind === 'attribute');
        const ordered = exact.toSorted((one, other) => takesOut(other) - takesOut(one));
        throw contradictionError(
          '--map',
          ordered.map(({ pair }) => pair),
        );
      }
      return exact.slice(0, 1).map((answer) => [index, answer] as const);
    }),
  );
}

/**
 * The indexes of the columns that an answer names. The exact header counts first, then the header without case and
 * outer blanks, then a number from 1.
 */
export function findNamedColumns(header: readonly string[], column: string): number[] {
  const exact = indexesWhere(header, (name) => name === column);
  if (exact.length > 0) {
    return exact;
  }
  const wanted = column.trim().toLowerCase();
  const alike = wanted === '' ? [] : indexesWhere(header, (name) => name.trim().toLowerCase() === wanted);
  const number = /^[1-9]\d*$/.test(column) ? Number(column) : 0;
  return alike.length > 0 ? alike : number >= 1 && number <= header.length ? [number - 1] : [];
}

function indexesWhere(header: readonly string[], matches: (name: string) => boolean): number[] {
  return header.flatMap((name, index) => (matches(name) ? [index] : []));
}

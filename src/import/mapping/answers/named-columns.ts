import type { MapAnswer } from '../map-flag.ts';
import type { InputAnswers } from '../reading-answers.ts';
import { type AnswerKind, decidingAnswers, type Scope } from './exact-answers.ts';

interface ScopedMap extends Scope {
  readonly answer: MapAnswer;
}

/**
 * How `decidingAnswers` reads `--map`. An answer `ignore` or `attributes.…` counts as one that may sign people up,
 * because its column may be the only sign of an opt-out (C1, C10).
 */
export const MAPS: AnswerKind<ScopedMap> = {
  flag: '--map',
  pairOf: ({ answer }) => answer.pair,
  meaningOf: ({ answer }) => JSON.stringify(answer.target),
  signsUp: ({ answer }) => answer.target.kind === 'ignore' || answer.target.kind === 'attribute',
  mayCountTogether: false,
};

/**
 * The answer of `--map` for each column. The answer for the fewest inputs and columns counts. Throws SvcError (exit 2)
 * if two such answers differ.
 */
export function namedColumns(header: readonly string[], answers: InputAnswers): ReadonlyMap<number, MapAnswer> {
  return new Map(
    [...mapsByColumn(header, answers)].flatMap(([index, found]) =>
      decidingAnswers(found, MAPS)
        .slice(0, 1)
        .map(({ answer }) => [index, answer] as const),
    ),
  );
}

/** All answers of `--map` about each column. */
export function mapsByColumn(
  header: readonly string[],
  { maps }: Pick<InputAnswers, 'maps'>,
): ReadonlyMap<number, readonly ScopedMap[]> {
  const scoped = maps.flatMap((answer) => {
    const indexes = findNamedColumns(header, answer.column);
    return indexes.map((index) => ({ index, answer, inputs: answer.inputs, columns: indexes.length }));
  });
  return Map.groupBy(scoped, ({ index }) => index);
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

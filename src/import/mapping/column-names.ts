import { bareName, headerOrNumber } from '../../platforms/lib/headers.ts';
import type { TableShape } from '../../platforms/lib/platform.ts';

/**
 * The names by which an answer can mean a column, the most exact first: its header, and its number from 1. The number
 * comes first if other columns have the same header, or if the header has only signs. A number that is the header of a
 * column means only that column.
 */
export function answerNames(header: readonly string[], index: number): readonly string[] {
  const [name, number] = [headerOrNumber(header, index), String(index + 1)];
  const bare = bareName(header[index] ?? '');
  const isAmbiguous =
    bare === '' || header.some((other, otherIndex) => otherIndex !== index && bareName(other) === bare);
  const numbers = header.some((other) => bareName(other) === number) ? [] : [number];
  return [...new Set(isAmbiguous ? [...numbers, name] : [name, ...numbers])];
}

/**
 * The name of a column in an answer: the most exact one. If no name means this column alone, the name means other
 * columns too.
 */
export function answerName(header: readonly string[], index: number): string {
  return answerNames(header, index)[0] ?? '';
}

/** The name of a column in messages: `"Status"`, or `"Status" (column 3)` if other columns have the same header. */
export function columnLabel(header: readonly string[], index: number): string {
  const [name, answer] = [headerOrNumber(header, index), answerName(header, index)];
  return name === answer ? JSON.stringify(name) : `${JSON.stringify(name)} (column ${answer})`;
}

/** The name of a column for `--map`: its header, or its number if several columns have the header. */
export function columnName({ header }: Pick<TableShape, 'header'>, index: number): string {
  const name = header[index] ?? '';
  const isUnique = header.filter((other) => other === name).length === 1;
  return name.trim() !== '' && isUnique ? name : String(index + 1);
}

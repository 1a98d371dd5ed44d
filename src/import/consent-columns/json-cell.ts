import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/words.ts';
import { strictest } from './combine.ts';
import { type CellReading, readHeader } from './read-header.ts';

type Read = (cell: string, column: CellReading) => StatusReading;

const DEEPEST = 6;

/**
 * The state in a JSON cell, from its values. A key about consent gives its value a meaning, as a header does. Values
 * under other keys are read like cells of the column. Undefined if the text isn't JSON.
 */
export function readJsonCell(text: string, column: CellReading, read: Read): StatusReading | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return readValue(value, column, read, 0);
}

function readValue(value: unknown, column: CellReading, read: Read, depth: number): StatusReading {
  if (depth > DEEPEST || value === null) {
    return NONE;
  }
  if (Array.isArray(value)) {
    return value.map((item) => readValue(item, column, read, depth + 1)).reduce(strictest, NONE);
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, item]) => readValue(item, columnOf(key, column), read, depth + 1))
      .reduce(strictest, NONE);
  }
  const status = read(String(value), column);
  return status.unknown === '' ? NONE : status;
}

// The value under a key without a meaning need not be a status, so it counts only if it is understood.
function columnOf(key: string, column: CellReading): CellReading {
  const reading = readHeader(key);
  return reading ? { ...column, ...reading } : { ...column, sure: false };
}

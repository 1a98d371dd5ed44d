import iconv from 'iconv-lite';
import { detectDialect } from '../../../src/import/dialect/detect-dialect.ts';
import { readRows } from '../../../src/import/rows/read-rows.ts';
import type { TableSource } from '../../../src/import/source/source.ts';
import type { EncodedList } from './lists.ts';

/** How a list was read: right or wrong, without or with a warning, or only after a question. */
export type Outcome = 'right' | 'right with a warning' | 'wrong' | 'wrong with a warning' | 'asked';

/** A list and how it was read. */
export interface MeasuredList {
  readonly list: EncodedList;
  readonly outcome: Outcome;
  /** The encoding that svc used, or offered first. */
  readonly encoding: string;
}

/** Reads a list as svc does, with nothing but its bytes. */
export async function measure(list: EncodedList): Promise<MeasuredList> {
  try {
    const source = sourceOf(list.bytes);
    const { dialect, findings } = await detectDialect(source, {});
    await Array.fromAsync(readRows(source, dialect));
    const levels = findings.filter(({ check }) => check === 'encoding').map(({ level }) => level);
    const right = iconv.decode(list.bytes, dialect.encoding) === list.text;
    return { list, outcome: outcomeOf(right, levels), encoding: dialect.encoding };
  } catch {
    return { list, outcome: 'asked', encoding: '' };
  }
}

function outcomeOf(right: boolean, levels: readonly string[]): Outcome {
  if (levels.includes('stop')) {
    return 'asked';
  }
  const warned = levels.includes('warn');
  return right ? (warned ? 'right with a warning' : 'right') : warned ? 'wrong with a warning' : 'wrong';
}

function sourceOf(bytes: Buffer): TableSource {
  return {
    ...{ index: 0, path: 'list.csv', entry: undefined, name: 'list.csv', size: bytes.length },
    async *bytes() {
      yield bytes;
    },
  };
}

import { memoize } from '../../../../base/lib/memoize.ts';
import { answerName } from '../../../mapping/column-names.ts';
import type { Table } from '../../../mapping/table.ts';
import { readTables } from '../../../tables/open-tables.ts';
import { MAX_ANSWERS } from '../check-context.ts';
import type { AnswerMeaning } from './answer-meanings.ts';
import { isSameWord, mayBePart, type Use, useOf } from './answer-use.ts';

/** A cell that has the word of an answer and says more. */
export interface CellWithPart {
  readonly table: Table;
  readonly index: number;
  readonly cell: string;
}

/** An answer, and what the rows show about it. */
export interface OpenAnswer {
  readonly pair: string;
  /** True if the user typed the answer. False for one of a mapping file. */
  readonly isTyped: boolean;
  readonly meanings: readonly AnswerMeaning[];
  /** The first cell that has the word, but in a column for which the answer does not count. */
  elsewhere: { readonly table: Table; readonly index: number; readonly word: string } | undefined;
  /** Cells that have the word and say more, in a column for which the answer counts: `Pro (old)`. */
  readonly parts: CellWithPart[];
  /** The columns that hold the word of an answer whose column is gone: `Tariff` for `Plan:Pro`. */
  readonly holders: Set<string>;
  /** True if a more exact answer counts in its place. */
  isOutranked: boolean;
  /** True if the answer counts for a row. */
  isUsed: boolean;
}

/** An answer before its rows are read. */
export function openAnswer(pair: string, isTyped: boolean, meanings: readonly AnswerMeaning[]): OpenAnswer {
  const found = { elsewhere: undefined, parts: [], holders: new Set<string>(), isOutranked: false, isUsed: false };
  return { pair, isTyped, meanings, ...found };
}

/**
 * Reads the rows until each answer has counted for one row, and records in each answer what it found. For a typed
 * answer that keeps mail away it reads on, because further cells may have the word and say more.
 */
export async function searchRows(
  answers: readonly OpenAnswer[],
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  let open = answers.map((answer) => ({ answer, record: createRecorder(answer) }));
  if (open.length === 0) {
    return;
  }
  for await (const { table, rows } of readTables(tables, { signal })) {
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      open.forEach(({ record }) => record(table, own));
    }
    open = open.filter(({ answer }) => !answer.isUsed || mayHaveFurtherParts(answer));
    if (open.length === 0) {
      return;
    }
  }
}

// True if svc must look for cells that have the word and say more. The user wants no mail for people with the word, but
// svc may mail people with such cells.
function mayHaveFurtherParts({ isTyped, meanings, parts }: OpenAnswer): boolean {
  const mayHaveParts = meanings.some(({ word, state }) => state !== 'subscribed' && mayBePart(word));
  return isTyped && mayHaveParts && parts.length < MAX_ANSWERS;
}

// Makes the function that records what an answer does for the cells of a row.
function createRecorder(answer: OpenAnswer): (table: Table, cells: readonly string[]) => void {
  // Most columns have few different cells, so the result for each cell is cached.
  const readings = answer.meanings.map((meaning) => ({
    meaning,
    uses: meaning.table.header.map((_, index) => memoize((cell) => useOf(meaning, index, cell))),
  }));
  return (table, cells) => {
    for (const { meaning, uses } of readings) {
      const indexes = meaning.table === table ? (meaning.columns ?? cells.keys()) : [];
      for (const index of indexes) {
        const cell = cells[index] ?? '';
        const useOfCell = uses[index] ?? ((text) => useOf(meaning, index, text));
        const use = useOfCell(cell);
        use && recordUse(answer, use, { table, index, cell }, meaning.word);
      }
    }
  };
}

function recordUse(answer: OpenAnswer, use: NonNullable<Use>, place: CellWithPart, word: string): void {
  const { table, index } = place;
  answer.isUsed ||= use === 'counts';
  answer.isOutranked ||= use === 'outranked';
  answer.elsewhere ??= use === 'elsewhere' ? { table, index, word } : undefined;
  use === 'part' && addPart(answer, place);
  use === 'lost' && answer.holders.add(answerName(table.header, index));
}

function addPart({ parts }: OpenAnswer, { table, index, cell }: CellWithPart): void {
  const isKnown = parts.some((one) => one.table === table && one.index === index && isSameWord(one.cell, cell));
  isKnown || parts.length === MAX_ANSWERS || parts.push({ table, index, cell: cell.trim() });
}

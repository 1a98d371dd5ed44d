import type { State } from '../../../../platforms/lib/states.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { readTables } from '../../../csv/read-tables.ts';
import { answerColumns, textKey } from '../../../mapping/answers/answer-keys.ts';
import { readingsOfColons } from '../../../mapping/answers/exact-answers.ts';
import { unknownColumn } from '../../../mapping/answers/unknown-names.ts';
import { answerName, columnLabel } from '../../../mapping/column-names.ts';
import { type ReadingOptions, readState } from '../../../mapping/reading-answers.ts';
import { ADDRESS_COLUMN_KINDS, NAME_COLUMN_KINDS, STATE_COLUMN_KINDS, type Table } from '../../../mapping/table.ts';
import { wholeDomain } from '../../../record/domains.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Finding } from '../../finding.ts';
import { valuesInColumn } from '../../statistics/value-counts.ts';
import { isAnswered, mapFlag, statusMapFlag, type TableWithStatistics } from '../list-check.ts';

/** What a typed answer may mean in one table: a word, in the columns with these indexes or in any column. */
interface Meaning {
  readonly table: Table;
  readonly columns: readonly number[] | undefined;
  readonly word: string;
}

/** An answer for which no row was found so far. */
interface OpenAnswer {
  readonly pair: string;
  readonly meanings: readonly Meaning[];
  /** The first cell that has the word, but in a column for which the answer does not count. */
  elsewhere: { readonly table: Table; readonly index: number; readonly word: string } | undefined;
}

const ALL_OTHER_WORDS = '*';

/**
 * Warns about typed answers of `--status-map` that count for no row. Stops if such an answer keeps mail away, but its
 * word stands in a column that it does not name. Throws SvcError (exit 2) for an answer that names a column which no
 * input has, unless it is the word of a cell. Otherwise people whom the user calls opted out could be signed up without
 * a word (C1). Answers of a mapping file are not checked, because they are for the lists of each day.
 */
export async function findUnusedAnswers(
  read: readonly TableWithStatistics[],
  { statusMap }: Pick<ReadingOptions, 'statusMap'>,
  typedAnswers: readonly string[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const tables = read.map(({ table }) => table);
  // A rejects file is read with the answers of its original run, which may be about other inputs of that run.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return [];
  }
  // An answer at the terminal can replace a typed one.
  const pairs = new Set(Object.entries(statusMap).map(([subject, state]) => `${subject}=${state}`));
  const open = [...new Set(typedAnswers)]
    .filter((pair) => pairs.has(pair))
    .map(
      (pair): OpenAnswer => ({
        pair,
        meanings: tables.flatMap((table) => meaningsIn(table, pair)),
        elsewhere: undefined,
      }),
    );
  const uncounted = open.filter(({ meanings }) => !meanings.some(mayMeanMore) && !isCounted(meanings, read));
  const unread = uncounted.length === 0 ? [] : await searchRows(uncounted, tables, signal);
  return unread.map((answer) => findingOf(answer, tables));
}

function meaningsIn(table: Table, pair: string): readonly Meaning[] {
  const columnsOf = answerColumns(table.header);
  const answers = table.answers.words.filter((answer) => answer.pair === pair);
  return answers.flatMap(({ subject, mayBeWord }): Meaning[] => [
    ...(mayBeWord ? [{ table, columns: undefined, word: subject }] : []),
    ...readingsOfColons(subject).flatMap(({ name, word }) => {
      const columns = columnsOf(name);
      return columns.length > 0 ? [{ table, columns, word }] : [];
    }),
  ]);
}

// True for an answer that is not about the text of a cell: for blanks, for all other words, for a domain, or for
// columns that contradict each other. In a column that svc does not read, an answer for all words counts for no row.
function mayMeanMore({ table, columns, word }: Meaning): boolean {
  if (word.trim() === ALL_OTHER_WORDS) {
    return columns === undefined || columns.some((index) => isStatusColumn(table, index));
  }
  return word.trim() === '' || word === LISTS_DISAGREE || (word.startsWith('@') && wholeDomain(word) !== undefined);
}

// True for a column in which answers for all words count: one about the status, or one with addresses of other people.
function isStatusColumn({ columns, consentColumns, addressColumns }: Table, index: number): boolean {
  return (
    [...STATE_COLUMN_KINDS, ...ADDRESS_COLUMN_KINDS].includes(columns[index]?.kind ?? 'ignore') ||
    [...consentColumns, ...addressColumns.found].some((column) => column.index === index)
  );
}

// True if the counted values of a status column have the word. Then the rows need not be read again.
function isCounted(meanings: readonly Meaning[], read: readonly TableWithStatistics[]): boolean {
  return meanings.some(({ table, columns, word }) => {
    const { values } = read.find((one) => one.table === table)?.statistics.status ?? { values: new Map() };
    return [...values.keys()].some(
      (index) =>
        (columns?.includes(index) ?? true) &&
        valuesInColumn(values, index).some(
          ({ value }) => textKey(value) === textKey(word) && (columns !== undefined || table.readsAnswer(index, value)),
        ),
    );
  });
}

// Reads the rows until each answer has counted for one. Returns the answers that counted for none.
async function searchRows(
  answers: readonly OpenAnswer[],
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<readonly OpenAnswer[]> {
  let open = answers;
  for await (const { table, rows } of readTables(tables, { signal })) {
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      open = open.filter((answer) => !countsInRow(answer, table, own));
    }
    if (open.length === 0) {
      return [];
    }
  }
  return open;
}

function countsInRow(answer: OpenAnswer, table: Table, cells: readonly string[]): boolean {
  return answer.meanings.some(({ table: named, columns, word }) => {
    const indexes = named === table ? (columns ?? cells.keys()) : [];
    return [...indexes].some((index) => {
      const cell = cells[index] ?? '';
      if (word === ALL_OTHER_WORDS) {
        return table.readsAnswer(index, cell);
      }
      const isWord = cell !== '' && textKey(cell) === textKey(word);
      const isPart = cell.toLowerCase().includes(word.trim().toLowerCase());
      const isNamed = columns !== undefined || isAnswered(table, index, [cell]);
      if ((isWord && isNamed) || ((isWord || isPart) && table.readsAnswer(index, cell))) {
        return true;
      }
      answer.elsewhere ??= isWord ? { table, index, word } : undefined;
      return false;
    });
  });
}

function findingOf({ pair, meanings, elsewhere }: OpenAnswer, tables: readonly Table[]): Finding {
  const [subject, text] = [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)];
  const { state } = readState(text, '--status-map', `${subject}=`);
  const [named] = meanings.filter(({ columns }) => columns !== undefined);
  if (named === undefined && elsewhere === undefined && subject.includes(':')) {
    const column = subject.slice(0, subject.indexOf(':'));
    const maySubscribe = state === 'subscribed';
    throw unknownColumn(tables, { flag: '--status-map', column, pair, mayLeaveOut: false, maySubscribe });
  }
  const finding = (why: string, answers: Partial<Finding> = {}): Finding => ({
    check: 'unknown_status',
    level: 'warn',
    message: `--status-map ${JSON.stringify(pair)} counts for no row: ${why}`,
    ...answers,
  });
  const keepsMailAway = state !== 'subscribed';
  if (named?.word === ALL_OTHER_WORDS) {
    const { table, columns: [index = 0] = [] } = named;
    const label = columnLabel(table.header, index);
    return finding(`svc reads no status in ${label}`, {
      level: keepsMailAway ? 'stop' : 'warn',
      hint: mapFlag(table, answerName(table.header, index), 'status'),
      when: `If ${label} says who is subscribed`,
    });
  }
  if (elsewhere === undefined) {
    return finding('no cell says this');
  }
  const { table, index, word } = elsewhere;
  const label = columnLabel(table.header, index);
  const place = `the word stands only in ${label} of ${sourceLabel(table.source)}`;
  if (!keepsMailAway) {
    return finding(`${place}, where svc reads no status`);
  }
  // An answer that names an input outranks one for all inputs, so the offered answer names it too.
  const input = subject.slice(0, subject.length - word.length);
  const flagFor = (answer: State) =>
    statusMapFlag(input === '' ? table : {}, `${input}${answerName(table.header, index)}:${word}`, answer);
  const kind = table.columns[index]?.kind;
  const isOfPerson = NAME_COLUMN_KINDS.has(kind) || ADDRESS_COLUMN_KINDS.has(kind);
  return finding(`${place}, and the answer must name this column`, {
    level: isOfPerson ? 'warn' : 'stop',
    hint: flagFor(state),
    when: `If ${JSON.stringify(word)} means the same in ${label}`,
    otherwise: [{ when: `If ${JSON.stringify(word)} keeps no mail away there`, flags: flagFor('subscribed') }],
  });
}

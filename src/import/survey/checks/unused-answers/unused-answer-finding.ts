import type { Finding } from '../../../../base/finding.ts';
import { ADDRESS_COLUMN_KINDS, NAME_COLUMN_KINDS } from '../../../../platforms/lib/platform.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isForAllWords, plainWord } from '../../../mapping/answers/answer-keys.ts';
import { prefixLength, unknownColumn } from '../../../mapping/answers/unknown-names.ts';
import {
  allWordsOf,
  columnLabel,
  columnName,
  mapFlag,
  statusMapFlag,
  wordInColumn,
} from '../../../mapping/column-names.ts';
import { readState } from '../../../mapping/reading-answers.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import { wholeDomain } from '../../../values/domains.ts';
import { MAX_ANSWERS } from '../check-context.ts';
import { isShortWord } from '../unknown-status/unknown-status-answers.ts';
import { subjectOf, subjectWithoutInput } from './answer-meanings.ts';
import { isStatusColumn, stateOfCell } from './answer-use.ts';
import type { CellWithPart, OpenAnswer } from './search-rows.ts';

/**
 * True for an answer whose column no input has. False if svc found the whole text of the answer in a cell: then the
 * text is a word, and names no column.
 */
export function mayThrow({ pair, meanings, elsewhere, parts }: OpenAnswer, tables: readonly Table[]): boolean {
  const isNamed = meanings.some(({ columns }) => columns !== undefined);
  return !isNamed && elsewhere === undefined && parts.length === 0 && subjectWithoutInput(pair, tables).includes(':');
}

/**
 * The finding about a typed answer that counts for no row. Throws SvcError (exit 2) if it names a column that no input
 * has.
 */
export function unusedAnswerFinding(answer: OpenAnswer, tables: readonly Table[]): Finding {
  const { pair, meanings, elsewhere, parts } = answer;
  const subject = subjectOf(pair);
  const state = stateOf(pair);
  const [named] = meanings.filter(({ columns }) => columns !== undefined);
  if (mayThrow(answer, tables)) {
    const start = prefixLength(tables, subject);
    const column = subject.slice(0, subject.indexOf(':', start));
    const isForAll = isForAllWords(subject.slice(column.length + 1));
    const holders = isForAll ? undefined : [...answer.holders];
    const maySubscribe = state === 'subscribed';
    throw unknownColumn(tables, { flag: '--status-map', column, pair, mayLeaveOut: false, maySubscribe, holders });
  }
  const finding = (why: string, answers: Partial<Finding> = {}): Finding => ({
    check: 'unknown_status',
    level: 'warn',
    message: `--status-map ${JSON.stringify(pair)} counts for no row: ${why}`,
    ...answers,
  });
  const keepsMailAway = state !== 'subscribed';
  if (named?.isForAll) {
    const { table, columns: [index = 0] = [] } = named;
    const label = columnLabel(table.header, index);
    return finding(`svc reads no status in ${label}`, {
      level: 'stop',
      hint: mapFlag(table, columnName(table, index), 'status'),
      when: `If ${label} says who is subscribed`,
    });
  }
  if (elsewhere === undefined) {
    const answers = keepsMailAway ? answersForParts(parts, state) : {};
    const [{ table, index, cell } = NO_CELL] = parts;
    const domain = named?.word.startsWith('@') ? wholeDomain(named.word) : undefined;
    if (domain !== undefined && keepsMailAway) {
      return finding('an answer for all people of a domain names no column', {
        level: 'stop',
        hint: statusMapFlag({}, `@${domain}`, state),
        when: `If all people of ${domain} are meant`,
      });
    }
    return table === undefined
      ? finding(whyUnused(named?.word ?? subjectWithoutInput(pair, tables)))
      : finding(`a cell of ${columnLabel(table.header, index)} says more: ${JSON.stringify(cell)}`, answers);
  }
  const { table, index, word } = elsewhere;
  const label = columnLabel(table.header, index);
  const place = `the word stands only in ${label} of ${sourceLabel(table.source)}`;
  if (!keepsMailAway) {
    const isRead = isStatusColumn(table, index) && stateOfCell(table, index, word) !== 'none';
    return finding(`${place}, ${isRead ? 'and the answer must name this column' : 'where svc reads no status'}`);
  }
  // An answer that names an input outranks one for all inputs, so the offered answer names it too.
  const marked = plainWord(word, false);
  const typedWord = subject.endsWith(marked) ? marked : word;
  const input = subject.slice(0, subject.length - typedWord.length);
  const flagFor = (answer: State) =>
    statusMapFlag(input === '' ? table : {}, input + wordInColumn(table.header, index, word), answer);
  const kind = table.columns[index]?.kind;
  const isOfPerson = NAME_COLUMN_KINDS.has(kind) || ADDRESS_COLUMN_KINDS.has(kind);
  return finding(`${place}, and the answer must name this column`, {
    level: isOfPerson ? 'warn' : 'stop',
    hint: flagFor(state),
    when: `If ${JSON.stringify(word)} means the same in ${label}`,
    otherwise: [{ when: `If ${JSON.stringify(word)} keeps no mail away there`, flags: flagFor('subscribed') }],
  });
}

function whyUnused(word: string): string {
  if (word.trim() === '') {
    return 'no such cell is blank';
  }
  return word.startsWith('@') ? 'no address is of this domain' : 'no cell says this';
}

/** The warning about a typed answer that counts, but not for these cells: `Plan:Pro=skip` and the cell `Pro/VIP`. */
export function partlyUsedFinding({ pair, parts }: OpenAnswer): Finding {
  const [{ table, index, cell } = NO_CELL] = parts;
  const place = table === undefined ? '' : ` of ${columnLabel(table.header, index)}`;
  const message = `--status-map ${JSON.stringify(pair)} does not count for a cell${place} that says more: ${JSON.stringify(cell)}`;
  return { check: 'unknown_status', message, ...answersForParts(parts, stateOf(pair)), level: 'warn' };
}

const NO_CELL = { table: undefined, index: 0, cell: '' } as const;

// The answers to offer for cells that have the word of an answer and say more: `Pro/VIP` for the answer
// `Plan:Pro=skip`. No answer is offered if each of these cells is too long to type.
function answersForParts(parts: readonly CellWithPart[], state: State): Partial<Finding> {
  const typeable = parts.filter(({ cell }) => isShortWord(cell));
  const flagsFor = (answer: State) =>
    typeable
      .map(({ table, index, cell }) => statusMapFlag(table, wordInColumn(table.header, index, cell), answer))
      .join(' ');
  const [what, those] = typeable.length === 1 ? ['this cell means', 'it keeps'] : ['these cells mean', 'they keep'];
  return typeable.length === 0
    ? {}
    : {
        level: 'stop',
        hint: flagsFor(state),
        when: `If ${what} the same`,
        otherwise: [
          { when: `If ${those} no mail away`, flags: flagsFor('subscribed') },
          ...(parts.length < MAX_ANSWERS ? [] : answersForAll(parts)),
        ],
      };
}

function stateOf(pair: string): State {
  const subject = subjectOf(pair);
  return readState(pair.slice(subject.length + 1), '--status-map', `${subject}=`).state;
}

// One answer for each column, for all its cells without an answer of their own. It is offered if there are too many
// cells to name them one by one.
function answersForAll(parts: readonly CellWithPart[]) {
  const flags = parts.map(({ table, index }) => statusMapFlag(table, allWordsOf(table.header, index), 'subscribed'));
  return [{ when: 'If no other cell there keeps mail away', flags: [...new Set(flags)].join(' ') }];
}

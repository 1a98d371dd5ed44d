import { memoize } from '../../../base/lib/memoize.ts';
import { ADDRESS_COLUMN_KINDS, type ColumnTarget, NAME_COLUMN_KINDS } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { cellReadingAt, type RecognizedTable } from '../column-meaning.ts';
import { type ConsentColumn, isExcludedByMap, platformColumns } from '../find-consent-columns.ts';
import { mayBeAboutEmail } from '../headers/header-predicates.ts';
import { readHeader } from '../headers/read-header.ts';
import { asksForPost, namesCallResult, namesPost } from '../sentences/contact-headers.ts';
import { askAboutRefusals, callReaderUnder } from '../sentences/refusals.ts';
import { asQuestion, questionReading } from '../several-columns/combine-readings.ts';
import { filledCells, namesOneList } from '../several-columns/named-lists.ts';
import { topicCellState } from '../topics/topic-state.ts';
import { wordsOf } from '../words/plain-words.ts';
import { readYesNo, wordLookupKey } from '../words/value-words.ts';
import { addressCellState, readAnswerOrAddress } from './address-marks.ts';
import { isChannel, kindOfHeader, namesThings } from './header-kinds.ts';
import {
  areCapitalsRare,
  COMPANY_HEADER,
  hasInitial,
  hasOptOutMark,
  isInCapitals,
  isInOtherCapitals,
  isRefusingSymbol,
  PERSON_NAME_HEADER,
} from './name-marks.ts';
import { NONMEMBER_ROLE } from './opt-out-words.ts';
import { optOutReader } from './read-words.ts';
import { askAboutEndedAccounts, askAboutOriginsAndTitles, namesOrigin } from './words-below-headers.ts';

/** A column about something else, such as a name or a city. A cell in it can still be an opt-out word. */
export interface OtherColumn {
  readonly index: number;
  /** True for names of people and companies. Any word of such a cell can be an opt-out word: `Miller DECEASED`. */
  readonly namesPeople: boolean;
  /** True if the header decides which cells are opt-outs. Then no quick test of their words can rule cells out. */
  readonly readsEachCell: boolean;
  stateOf(cell: string): StatusReading;
}

/**
 * Finds the columns about something else, in which svc asks about opt-out words (C10). They are all columns except
 * consent columns, columns whose meaning `--map` decides, and columns about consent to another channel. Columns of
 * names are included, because the file may go on with a second table that has other columns.
 */
export function findOtherColumns(
  table: RecognizedTable,
  consentColumns: readonly ConsentColumn[],
): readonly OtherColumn[] {
  const readByPlatform = platformColumns(table);
  const meaningByIndex = new Map(consentColumns.map(({ index, meaning }) => [index, meaning]));
  return table.columns.flatMap(({ kind }, index) => {
    const header = table.shape.header[index] ?? '';
    const words = wordsOf(header);
    if (kind === 'topic') {
      const isRead = meaningByIndex.has(index);
      return isRead ? [] : [{ index, namesPeople: false, readsEachCell: true, stateOf: topicCellState }];
    }
    const isName = NAME_COLUMN_KINDS.has(kind) || PERSON_NAME_HEADER.test(words) || COMPANY_HEADER.test(words);
    // If a cell of a column of names asks for no mail, svc reads the column as notes. It reads the column as names too,
    // because other cells can have marks such as `ZZ`.
    const isConsent = meaningByIndex.has(index) && !(isName && meaningByIndex.get(index) === 'text');
    const isState = table.named.has(index) && MAPPED_STATE_KINDS.has(kind);
    const isMapped = isState || isExcludedByMap(table, index, headerOrList(table, index));
    if (isConsent || isMapped || !OTHER_KINDS.has(kind)) {
      return [];
    }
    const namesPeople = !readByPlatform.has(index) && isName;
    if (readByPlatform.has(index)) {
      return [{ index, namesPeople, readsEachCell: false, stateOf: platformColumnReader(table, index) }];
    }
    const ofWords = readerOf(table, index, namesPeople ? 'name' : kind);
    const mayAsk = !isName && FREE_KINDS.has(kind) && (ofWords !== undefined || namesPost(words) || asksForPost(words));
    const surroundings = { beside: table.shape.header, cells: filledCells(table.shape, index) };
    const ofHeader = mayAsk ? askAboutRefusals(header, ofWords ?? (() => NONE), surroundings) : undefined;
    const stateOf = ofHeader ?? ofWords;
    const readsEachCell =
      ofHeader !== undefined || namesOrigin(words) || ofWords === readAnswerOrAddress || namesCallResult(words);
    return stateOf
      ? [{ index, namesPeople, readsEachCell, stateOf: index === 0 ? askAboutComments(table.shape, stateOf) : stateOf }]
      : [];
  });
}

/**
 * Makes a reader of the first column that also asks about a comment symbol: with `#Ben,ben@example.com` a user may have
 * removed this row. If most of the first rows begin with the symbol, it is part of the data.
 */
function askAboutComments(
  { sample }: RecognizedTable['shape'],
  stateOf: OtherColumn['stateOf'],
): OtherColumn['stateOf'] {
  const commented = sample.filter(([cell = '']) => COMMENT.test(cell)).length;
  return commented * 2 > sample.length
    ? stateOf
    : (cell) => {
        const symbol = COMMENT.exec(cell)?.[1];
        return symbol === undefined ? stateOf(cell) : questionReading(symbol);
      };
}

// Matches a comment symbol at the beginning of a line. Errors of Excel, such as `#N/A`, don't match.
const COMMENT = /^\s*(#+(?!N\/A|REF|NAME|VALUE|DIV|NUM|NULL|SPILL|CALC)|\/\/|;)/u;

// The reading of the header. If `--map` names a column such as `List: News`, its cells count too, because the header
// alone says nothing about consent.
function headerOrList(table: RecognizedTable, index: number) {
  const header = table.shape.header[index] ?? '';
  return table.named.has(index) && namesOneList(header) ? cellReadingAt(table, index) : readHeader(header);
}

type Kind = ColumnTarget['kind'];

/**
 * The kinds of columns about the state. If `--map` gives a column one of them, svc reads its cells as a part of the
 * state. So the column does not count as one about something else.
 */
const MAPPED_STATE_KINDS: ReadonlySet<Kind> = new Set(['state_part', 'status', 'unsubscribed_at']);
const READ_KINDS: readonly (Kind | undefined)[] = [
  ...NAME_COLUMN_KINDS,
  ...ADDRESS_COLUMN_KINDS,
  ...MAPPED_STATE_KINDS,
  'attribute',
  'ignore',
];
const OTHER_KINDS: ReadonlySet<Kind | undefined> = new Set(READ_KINDS);
const FREE_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>(['attribute', 'ignore']);

// Makes the reader of a column that the platform reads too. It finds only opt-out words, in cells that the platform
// does not understand.
function platformColumnReader({ shape, reading }: RecognizedTable, index: number): OtherColumn['stateOf'] {
  const stateOf = optOutReader('foreign');
  const blank = shape.header.map(() => '');
  const isKnown = (cell: string): boolean => {
    const { state, unknown } = reading.stateOf(blank.with(index, cell));
    return state !== 'none' && unknown === undefined;
  };
  return (cell) => {
    const reading = stateOf(cell);
    return reading === NONE || isKnown(cell) ? NONE : reading;
  };
}

function readerOf(
  { shape, isGeneric }: RecognizedTable,
  index: number,
  kind: Kind,
): OtherColumn['stateOf'] | undefined {
  if (ADDRESS_COLUMN_KINDS.has(kind)) {
    const mayAnswer = isGeneric && !shape.sample.some((row) => row[index]?.includes('@'));
    return mayAnswer ? readAnswerOrAddress : addressCellState;
  }
  const header = shape.header[index] ?? '';
  const words = wordsOf(header);
  const cells = shape.sample.map((row) => row[index] ?? '').filter((cell) => /\p{L}|\d/u.test(cell));
  if (NAME_COLUMN_KINDS.has(kind)) {
    return nameReader(cells, COMPANY_HEADER.test(words));
  }
  if (!mayBeAboutEmail(header) && isChannel(header, cells)) {
    return callReaderUnder(words);
  }
  const ofKind = namesThings(header) ? capitalsReader(areCapitalsRare(cells)) : optOutReader(kindOfHeader(header));
  const stateOf = ROLE.test(words) ? roleReader : askAboutOriginsAndTitles(words, askAboutEndedAccounts(words, ofKind));
  const reader = shape.sample.some((row) => readYesNo(row[index] ?? '') === true)
    ? stateOf
    : withRefusingSymbol(stateOf);
  return mayBeAboutEmail(header) ? reader : (cell) => asQuestion(reader(cell), cell);
}

// Makes a reader that also asks about a cell with only a refusing symbol, such as ⛔. It is not used for a column with
// ticks, where such a symbol is a plain no.
function withRefusingSymbol(stateOf: OtherColumn['stateOf']): OtherColumn['stateOf'] {
  return (cell) => (isRefusingSymbol(cell) ? questionReading(cell) : stateOf(cell));
}

const readOtherColumn = optOutReader('other');

// Reads a role. Mailman exports not only members, but also people who only wrote to the list. They have the role
// `nonmember`, so svc asks about it.
function roleReader(cell: string): StatusReading {
  return wordLookupKey(cell) === NONMEMBER_ROLE ? questionReading(cell) : readOtherColumn(cell);
}

const ROLE = /^(?:list |member )?roles?$/u;

// Makes the reader of a column of names. Users write opt-out marks in capitals. So if few names are in capitals,
// further words in capitals count as marks.
function nameReader(cells: readonly string[], isCompany: boolean): OtherColumn['stateOf'] {
  const areRare = areCapitalsRare(cells);
  const stateOf = capitalsReader(areRare);
  const names = {
    countsCapitals: areRare && cells.filter(isInOtherCapitals).length <= cells.length / 3,
    countsLetters: !isCompany && !cells.some(hasInitial),
    areSingleWords: !isCompany && cells.every((cell) => !/\S\s+\S/u.test(cell) || /^\s*[XZ]\s/u.test(cell)),
    isCompany,
  };
  const isMarked = memoize((cell: string) => hasOptOutMark(cell, names));
  return (cell) => {
    const reading = stateOf(cell);
    return reading === NONE && isMarked(cell) ? questionReading(cell) : reading;
  };
}

/** Makes the reader of names of any kind. If few names are in capitals, a cell in capitals may be a mark: `REMOVED`. */
function capitalsReader(areRare: boolean): OtherColumn['stateOf'] {
  const [stateOf, anyWord] = [optOutReader('name'), optOutReader('other')];
  return (cell) => {
    const status = stateOf(cell);
    return areRare && status === NONE && isInCapitals(cell) ? anyWord(cell) : status;
  };
}

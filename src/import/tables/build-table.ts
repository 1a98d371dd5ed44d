import { ADDRESS_COLUMN_KINDS, type TableShape } from '../../platforms/lib/platform.ts';
import { columnsReadBy, NONE } from '../../platforms/lib/status-words.ts';
import { explainsOptOutMark } from '../consent-columns/cells/headings.ts';
import type { RecognizedTable } from '../consent-columns/column-meaning.ts';
import { statusCandidates } from '../consent-columns/consent-likelihood.ts';
import { type ConsentColumn, findConsentColumns, platformColumns } from '../consent-columns/find-consent-columns.ts';
import { endOfConsent } from '../consent-columns/headers/date-headers.ts';
import { findOtherColumns, type OtherColumn } from '../consent-columns/other-columns/find-other-columns.ts';
import { hasUnclearState, stateByTitle } from '../consent-columns/other-columns/list-names.ts';
import { findListColumns } from '../consent-columns/several-columns/list-columns.ts';
import { findSubscribedColumns } from '../consent-columns/several-columns/named-lists.ts';
import { mayMeanFormerPeople } from '../consent-columns/words/former-people.ts';
import {
  addressColumns,
  findOwnedColumns,
  foundAddressColumns,
  isLinesOfText,
  likelyAddressColumns,
} from '../mapping/address-columns.ts';
import { answersForHeader, type CheckedAnswers, hasAnswers } from '../mapping/answers/answer-lookup.ts';
import { topicColumns } from '../mapping/answers/topic-columns.ts';
import { refuseChangedSvcColumns } from '../mapping/changed-svc-columns.ts';
import { collisionsOf } from '../mapping/collisions.ts';
import {
  addressesAsAttributes,
  chooseAttributes,
  columnIndexesOf,
  dateStyle,
  keyedColumns,
  type MappedTable,
  mapColumns,
} from '../mapping/map-columns.ts';
import { isReservedKey } from '../mapping/map-flag.ts';
import { withMeantHeaders } from '../mapping/meant-headers.ts';
import type { InputAnswers, ReadingOptions } from '../mapping/reading-answers.ts';
import {
  answeredName,
  defaultStatus,
  distrustsSubscribed,
  stateByName,
  stateTargets,
} from '../mapping/state/default-status.ts';
import { createStateRule } from '../mapping/state/state-rule.ts';
import {
  BELOW_OTHER_HEADER,
  countSvcColumns,
  type KeyedColumn,
  SVC_REASON_INDEX,
  type Table,
} from '../mapping/table.ts';
import {
  blankColumnsOf,
  columnsWithAnswers,
  findFullNameColumn,
  findLabelColumns,
  type SampledTable,
  tableShapeOf,
} from '../mapping/table-shape.ts';

/** Decides how svc reads a table. Throws SvcError for a wrong answer of the user. */
export function buildTable(start: SampledTable, options: ReadingOptions, inputAnswers: InputAnswers): Table {
  const found = findColumns(start, options, inputAnswers);
  const answers = answersForHeader(inputAnswers, found.shape.header);
  const fields = assignFields(start, found, options, answers);
  const { shape, mapped, recognized, consentColumns, otherColumns } = found;
  return {
    source: start.source,
    platform: mapped.platform,
    dialect: start.dialect,
    name: shape.name,
    svcColumns: found.svcColumns,
    header: shape.header,
    secondLines: shape.sample.length - recognized.shape.sample.length,
    labelColumns: findLabelColumns(recognized, consentColumns, fields.columnIndexes.email),
    width: shape.header.length,
    blankColumns: blankColumnsOf(shape),
    laterRows: start.laterRows ?? [],
    consentColumns,
    listColumns: found.listColumns,
    namedByMap: [...recognized.named],
    endsOfConsent: [...shape.header.keys()].filter(
      (index) => endOfConsent(shape.header[index] ?? '', shape.header) !== undefined && !recognized.named.has(index),
    ),
    otherColumns: new Set(otherColumns.map(({ index }) => index)),
    fullyReadColumns: new Set(otherColumns.flatMap(({ index, readsEachCell }) => (readsEachCell ? [index] : []))),
    nameColumns: new Set(otherColumns.filter(({ namesPeople }) => namesPeople).map(({ index }) => index)),
    quotedLists: mapped.reading.quotedLists ?? [],
    dateStyle: dateStyle(mapped.reading, options),
    domains: answers.domains,
    answers,
    answerColumns: columnsWithAnswers(shape),
    ...fields,
    ...decideStates(start, found, { fields, options, answers }),
  };
}

/** The columns of a table, before each gets its field. */
interface FoundColumns {
  readonly svcColumns: number;
  /** The first rows, without the columns that svc wrote. */
  readonly shape: TableShape;
  readonly mapped: MappedTable;
  /** The table with the headers as they were meant: joined from two lines, decoded once more, or completed. */
  readonly recognized: RecognizedTable;
  readonly consentColumns: readonly ConsentColumn[];
  readonly listColumns: ReadonlySet<number>;
  readonly otherColumns: readonly OtherColumn[];
}

/** The first step: recognizes the platform, and finds the columns that can say something about consent. */
function findColumns(start: SampledTable, options: ReadingOptions, answers: InputAnswers): FoundColumns {
  const svcColumns = countSvcColumns(start.dialect.header);
  const shape = tableShapeOf(start, svcColumns);
  const mapped = mapColumns(shape, options, answers);
  refuseChangedSvcColumns(start.source, shape.header, mapped.named);
  const emailAt = mapped.columns.findIndex(({ kind }) => kind === 'email');
  const recognized = {
    shape: withMeantHeaders(shape, start.dialect.above ?? [], emailAt, maxQuestions(start, svcColumns)),
    reading: mapped.reading,
    columns: mapped.columns,
    named: new Set(mapped.named.keys()),
    isGeneric: mapped.platform === 'generic',
  };
  const found = findConsentColumns(recognized);
  // `Opt-in Berlin` and `Opt-in Hamburg` are topics of two lists. A no there refuses only the topic, not all mail.
  const topics = found.filter(({ isTopic }) => isTopic);
  const topicsOfLists = findListColumns(topics, shape.header);
  const consentColumns = found.filter(({ index }) => !topicsOfLists.has(index));
  const otherColumns = findOtherColumns(recognized, consentColumns);
  const open = consentColumns.filter(({ index }) => !mapped.named.has(index));
  const lists = findListColumns(open, shape.header);
  return { svcColumns, shape, mapped, recognized, consentColumns, listColumns: lists, otherColumns };
}

// The maximum number of rows below the header that can belong to it. In a rejects file, a second header stands directly
// above the first row that was rejected below it. So only the rows before that header count.
function maxQuestions({ sample }: SampledTable, svcColumns: number): number {
  const firstBelow = sample.findIndex((cells) => cells[SVC_REASON_INDEX] === BELOW_OTHER_HEADER);
  return svcColumns > 0 && firstBelow >= 0 ? Math.max(firstBelow - 1, 0) : sample.length;
}

/** The second step: gives each column its field, such as the address, a name, an attribute or a topic. */
function assignFields(
  { source, dialect }: SampledTable,
  { shape, shape: { header }, mapped, recognized, consentColumns }: FoundColumns,
  options: ReadingOptions,
  answers: CheckedAnswers,
) {
  const targets = stateTargets(recognized, consentColumns);
  const columns = chooseAttributes({ columns: targets, header, named: mapped.named }, options);
  const sentAsAttributes = [...new Set([...mapped.addressesAsAttributes, ...addressesAsAttributes(targets, columns)])];
  const isKnown = (index: number) => ADDRESS_COLUMN_KINDS.has(columns[index]?.kind) || sentAsAttributes.includes(index);
  const assigned = addressColumns(columns, mapped.named);
  const found = foundAddressColumns(shape, answers, { isKnown, ownHeader: header[assigned.usable[0] ?? -1] ?? '' });
  const addresses = { ...assigned, sentAsAttributes, found };
  const columnIndexes = { ...columnIndexesOf(columns, header), email: addresses.usable[0] ?? -1 };
  const isOptOutList = stateByName({ ...source, name: shape.name }) !== undefined;
  const { first_name, last_name, name } = columnIndexes;
  const withKeys = keyedColumns(columns, header, dialect.headerLine > 0);
  const isKeyless = ({ key }: KeyedColumn) => key === '' || isReservedKey(key);
  const attributes = withKeys.filter((column) => !isKeyless(column));
  return {
    columns,
    columnIndexes,
    addressColumns: addresses,
    addressCandidates: columnIndexes.email < 0 ? likelyAddressColumns(shape, isOptOutList) : [],
    isText: columnIndexes.email < 0 && dialect.headerLine === 0 && isLinesOfText(shape),
    fullName: findFullNameColumn(shape, columns),
    attributes,
    collisions: collisionsOf(attributes),
    keylessColumns: withKeys.filter(isKeyless),
    topics: topicColumns(mapped, header, answers),
    sentColumns: [first_name, last_name, name, ...withKeys.map(({ index }) => index)].filter((index) => index >= 0),
  };
}

interface StateBasis {
  readonly fields: ReturnType<typeof assignFields>;
  readonly options: ReadingOptions;
  readonly answers: CheckedAnswers;
}

/** The third step: decides which columns give a row its state, and the state of rows that say nothing. */
function decideStates(
  { source, dialect }: SampledTable,
  { shape, mapped, recognized, consentColumns, listColumns: lists, otherColumns }: FoundColumns,
  { fields: { columns, columnIndexes, addressColumns: addresses }, options, answers }: StateBasis,
) {
  const above = (dialect.titles ?? []).map(({ text }) => text).filter((text) => !explainsOptOutMark([text]));
  const titles = [...above, shape.header[columnIndexes.email] ?? ''];
  const formerPeople = above.some(mayMeanFormerPeople) ? 'unsubscribed' : undefined;
  const suggestedState = mapped.reading.suggestedState ?? stateByTitle(titles) ?? formerPeople;
  const namedSource = { ...source, name: shape.name };
  const withoutStatus = defaultStatus(namedSource, options, suggestedState !== undefined) ?? NONE;
  const subscribedColumns = findSubscribedColumns(
    recognized.shape,
    new Set([...consentColumns.map(({ index }) => index), ...platformColumns(recognized), ...mapped.named.keys()]),
  );
  const { sources, answeredColumns, ...rule } = createStateRule({
    reading: mapped.reading,
    header: shape.header,
    platformColumns: platformColumns(recognized),
    consentColumns,
    listColumns: lists,
    otherColumns,
    ownedColumns: findOwnedColumns(shape.header, addresses),
    subscribedColumns,
    isStatusNamed: [...mapped.named.values()].some(
      ({ target }) => target.kind === 'status' || target.kind === 'reason',
    ),
    answers,
    reason: options.reason,
    withoutStatus,
    distrustsSubscribed: distrustsSubscribed(namedSource, above, options),
  });
  return {
    reading: { ...mapped.reading, ...sources, columns, suggestedState },
    answeredColumns: new Set(answeredColumns),
    stateColumns: hasAnswers(answers) ? undefined : columnsReadBy(mapped.reading.stateOf),
    subscribedColumns,
    statusCandidates: options.reason === undefined ? statusCandidates(recognized, consentColumns, withoutStatus) : [],
    withoutStatus,
    isDefaultNamed: answeredName(namedSource, options) !== undefined,
    hasUnclearTitle: mapped.reading.suggestedState === undefined && hasUnclearState(titles),
    blankStatus: answers.states.anywhere.get('') ?? { state: 'none', unknown: '' },
    ...rule,
  };
}

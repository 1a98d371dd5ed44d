import type { ColumnTarget } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { ADDRESS_COLUMN_KINDS } from '../../mapping/table.ts';
import { cellReadingAt, type RecognizedTable } from '../column-meaning.ts';
import { type ConsentColumn, isExcludedByMap, platformColumns } from '../find-consent-columns.ts';
import { mayBeAboutEmail } from '../headers/header-predicates.ts';
import { ADDRESS_PART_WORDS, namesChannelConsent, OTHER_STATUS_WORDS } from '../headers/header-words.ts';
import { readHeader } from '../headers/read-header.ts';
import { keepsMailAway, questionReading } from '../several-columns/combine-readings.ts';
import { namesOneList } from '../several-columns/named-lists.ts';
import { isPlainYesNo, readYesNo, wordLookupKey } from '../value-words.ts';
import { wordPattern, wordsOf } from '../words-and-stems.ts';
import { addressCellState } from './address-marks.ts';
import { askAboutComments } from './comment-lines.ts';
import {
  COMPANY_HEADER,
  hasOptOutMark,
  isInCapitals,
  isInOtherCapitals,
  isRefusingSign,
  PERSON_NAME_HEADER,
} from './name-marks.ts';
import { NONMEMBER_ROLE, OPT_OUT_WORDS, type OtherColumnKind } from './opt-out-words.ts';
import { optOutReader } from './read-words.ts';

/** A column about something else, in which a cell can be an opt-out word all the same. */
export interface OtherColumn {
  readonly index: number;
  /** True for names of people and companies. One of several words can be an opt-out word: `Miller DECEASED`. */
  readonly namesPeople: boolean;
  stateOf(cell: string): StatusReading;
}

/**
 * Finds the columns about something else. svc asks about opt-out words in them (C10). They are all columns but these:
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
    const words = wordsOf(table.shape.header[index] ?? '');
    const isName = NAMES.includes(kind) || PERSON_NAME_HEADER.test(words) || COMPANY_HEADER.test(words);
    // If one cell asks for no mail, svc reads a column of names as notes. It is read here too, because other cells can
    // have marks.
    const isConsent = meaningByIndex.has(index) && !(isName && meaningByIndex.get(index) === 'text');
    const isState = table.named.has(index) && MAPPED_STATE_KINDS.has(kind);
    const isMapped = isState || isExcludedByMap(table, index, headerOrList(table, index));
    if (isConsent || isMapped || !OTHER_KINDS.has(kind)) {
      return [];
    }
    const namesPeople = !readByPlatform.has(index) && isName;
    const stateOf = readByPlatform.has(index)
      ? platformColumnReader(table, index)
      : readerOf(table, index, namesPeople ? 'name' : kind);
    return stateOf
      ? [{ index, namesPeople, stateOf: index === 0 ? askAboutComments(table.shape, stateOf) : stateOf }]
      : [];
  });
}

// The reading of the header. For a column such as `List: News` the cells count too, because the header alone says
// nothing about consent.
function headerOrList(table: RecognizedTable, index: number) {
  const header = table.shape.header[index] ?? '';
  return table.named.has(index) && namesOneList(header) ? cellReadingAt(table, index) : readHeader(header);
}

type Kind = ColumnTarget['kind'];

const NAMES: readonly Kind[] = ['first_name', 'last_name', 'name'];
/** The kinds of columns about the state. If `--map` gives a column one of them, svc does not ask about it. */
const MAPPED_STATE_KINDS: ReadonlySet<Kind> = new Set(['state_part', 'status', 'unsubscribed_at']);
const READ_KINDS: readonly (Kind | undefined)[] = [
  ...NAMES,
  ...ADDRESS_COLUMN_KINDS,
  ...MAPPED_STATE_KINDS,
  'attribute',
  'ignore',
];
const OTHER_KINDS: ReadonlySet<Kind | undefined> = new Set(READ_KINDS);

// The reader of a column that the platform reads too. It reads only cells that the platform does not understand, and
// only opt-out words in them.
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
  const cells = shape.sample.map((row) => row[index] ?? '').filter((cell) => /\p{L}|\d/u.test(cell));
  if (NAMES.includes(kind)) {
    return nameReader(cells, COMPANY_HEADER.test(wordsOf(header)));
  }
  if (!mayBeAboutEmail(header) && isChannel(header, cells)) {
    return undefined;
  }
  const stateOf = ROLE.test(wordsOf(header))
    ? roleReader
    : namesThings(header)
      ? capitalsReader(areCapitalsRare(cells))
      : optOutReader(kindOfHeader(header));
  const reader = shape.sample.some((row) => readYesNo(row[index] ?? '') === true) ? stateOf : withRefusingSign(stateOf);
  return mayBeAboutEmail(header) ? reader : (cell) => asQuestion(reader(cell), cell);
}

// Makes a reader that also asks about a cell with only a refusing sign, such as ⛔. In a column with ticks it is a plain
// no.
function withRefusingSign(stateOf: OtherColumn['stateOf']): OtherColumn['stateOf'] {
  return (cell) => (isRefusingSign(cell) ? questionReading(cell) : stateOf(cell));
}

// The reader of a column with an address header but no address in the first rows. Later cells may be answers, so svc
// asks about a "no". In a column with addresses a "no" means that the person has no address.
function readAnswerOrAddress(cell: string): StatusReading {
  const isNo = isPlainYesNo(cell) && readYesNo(cell) === false && /\p{L}/u.test(cell);
  return isNo || NEVER.test(cell) ? questionReading(cell) : addressCellState(cell);
}

// Matches answers that mean never, under a header such as `Emails`.
const NEVER = /^\s*(?:never|off|nie|jamais|nunca|nooit)\s*$/iu;

const readOtherColumn = optOutReader('other');

// The reader of roles. Mailman exports members together with people who only wrote to the list, so svc asks about the
// latter.
function roleReader(cell: string): StatusReading {
  return wordLookupKey(cell) === NONMEMBER_ROLE ? questionReading(cell) : readOtherColumn(cell);
}

const ROLE = /^(?:list |member )?roles?$/u;

// Turns an opt-out under the header of another channel into a question: `DNC` under `Phone` may be about calls only.
function asQuestion(status: StatusReading, cell: string): StatusReading {
  return keepsMailAway(status) ? questionReading(cell) : status;
}

// True for a header about consent to another channel, such as `SMS status`. False for `Mobile` and `Postal address`,
// which contain a number or an address.
function isChannel(header: string, cells: readonly string[]): boolean {
  const words = wordsOf(header);
  const isNumber = TELEPHONE_NUMBER.test(words) || ADDRESS_PART_WORDS.test(words) || POSTAL_ADDRESS.test(words);
  const numberCount = cells.filter((cell) => /\d.*\d.*\d/.test(cell)).length;
  return namesChannelConsent(words) || (!isNumber && (cells.length === 0 || numberCount < cells.length / 2));
}

// Words for a telephone number, and for a postal address.
const TELEPHONE_NUMBER = /\b(?:phones?|mobile|cell|cellphone|telephone|telefon\w*|tel|handy|fax|rufnummer)\b/u;
const POSTAL_ADDRESS = /\b(?:address|adresse|anschrift|direccion|indirizzo|endereco|adres|code|codes|box)\b/u;

// The reader of a column of names. Users write opt-out marks in capitals. If few names are in capitals, more words in
// capitals count as marks.
function nameReader(cells: readonly string[], isCompany: boolean): OtherColumn['stateOf'] {
  const areRare = areCapitalsRare(cells);
  const stateOf = capitalsReader(areRare);
  const areMarks = areRare && cells.filter(isInOtherCapitals).length <= cells.length / 3;
  return (cell) => {
    const reading = stateOf(cell);
    return reading === NONE && hasOptOutMark(cell, areMarks, isCompany) ? questionReading(cell) : reading;
  };
}

/** The reader of names of any kind. If few are in capitals, a whole cell in capitals may be a mark: `REMOVED`. */
function capitalsReader(areRare: boolean): OtherColumn['stateOf'] {
  const [stateOf, anyWord] = [optOutReader('name'), optOutReader('other')];
  return (cell) => {
    const status = stateOf(cell);
    return areRare && status === NONE && isInCapitals(cell) ? anyWord(cell) : status;
  };
}

function areCapitalsRare(cells: readonly string[]): boolean {
  const names = cells.filter((cell) => isInCapitals(cell) && !OPT_OUT_WORDS.other.has(wordLookupKey(cell)));
  return names.length <= cells.length / 3;
}

/** Headers of names of companies, towns, lists and other things. */
const NAME_HEADERS = wordPattern(
  'names? nickname username alias company companies organi[sz]ations? org firma firmen unternehmen entreprise societe raison_sociale empresa compania azienda ditta ragione_sociale bedrijf bedrijfsnaam organisatie spolka foretag virksomhed bedrift yritys sirket spolecnost ceg компания организация 会社名? 公司 회사명? employer account client customer user owner contact partner spouse assistant manager referrer referred_by',
  'city stadt ort ville ciudad citta cidade plaats miasto town country land pays pais paese kraj county region state province provincia provincie provinz bundesland region departement district municipality hometown birthplace place location locality miejscowosc by postort paikkakunta sehir mesto varos oras город 市区町村 城市 도시 venue hotel school university college course team club band artist song album film movie book game product products item items brand model make campaign project department abteilung branch store shop channel source utm_[a-z]+ keyword keywords interests? hobby hobbies topics? subject headline domain website url',
);

/** Headers of columns in which `left` and `baja` are ordinary values, such as `Side` and `Prioridad`. */
const SCALE_HEADERS = wordPattern(
  'side gate direction hand handedness orientation alignment wing season temporada saison stagione prioridad priority prioridade priorite priorita planta piso andar floor talla gear transmission fuel colou?r size shirt diet answer answers quiz',
);

/** Headers of things that can end without an opt-out: an order, a contract, an event. */
const THING_HEADERS = wordPattern(
  'status stage phase result results outcome event events activity action webinar class trial card policy loan claim returns? refunds? shipping versand lieferung livraison envio rechnung facture factura fattura subscription_type reservation buchung last_event',
);
/** Matches headers of a decision about a row: `Action` with `add` and `remove`, `Verdict` with `keep` and `drop`. */
const LIST_CHANGE =
  /^(?:(?:list|sync|import|record|row|suggested|recommended) )?(?:actions?|aktion(?:en)?|acciones|accion|azione|acao|actie|handling|results?|verdict)$/u;
// Matches headers of facts about a person, such as a number, a date or a position. All opt-out words count below them.
const OF_PEOPLE =
  /\b(?:ids?|nr|no|num|number|\w*nummer|\w*nr|numero|code|key|ref|hash|date|datum|fecha|since|seit|phone|tel\w*|address|adresse|anrede|salutation|language|birth\w*|^job$|job title|position|role|funktion|beruf|poste|cargo)\b/u;

function namesThings(header: string): boolean {
  return kindOfHeader(header) === 'name' && !SCALE_HEADERS.test(wordsOf(header));
}

function kindOfHeader(header: string): OtherColumnKind {
  const words = wordsOf(header);
  if (OF_PEOPLE.test(words) || LIST_CHANGE.test(words)) {
    return 'other';
  }
  if (NAME_HEADERS.test(words) || SCALE_HEADERS.test(words)) {
    return 'name';
  }
  return OTHER_STATUS_WORDS.test(words) || THING_HEADERS.test(words) ? 'foreign' : 'other';
}

import { headerOrNumber } from '../../platforms/lib/headers.ts';
import type { ColumnTarget, TableShape } from '../../platforms/lib/platform.ts';
import type { StateOf } from '../../platforms/lib/status-words.ts';
import { areOfManyPeople } from '../consent-columns/meaning-of-values.ts';
import { wordsOf } from '../consent-columns/words/plain-words.ts';
import { stemPattern, wordPattern } from '../consent-columns/words/word-patterns.ts';
import { mentionsAddress } from '../dialect/mentioned-addresses.ts';
import { readAddress } from '../values/address.ts';
import { wholeDomain } from '../values/domains.ts';
import { answerForColumn, type CheckedAnswers } from './answers/answer-lookup.ts';
import type { MapAnswer } from './map-flag.ts';

/** The indexes of the columns with addresses, by their use. */
export interface AddressColumns {
  /** The columns that can give the address of a row, in the order in which svc tries them. */
  readonly usable: readonly number[];
  /** Columns that never give the address of a row. An opt-out in a row also counts for the addresses in them. */
  readonly other: readonly number[];
  /** Columns with addresses that are sent as attributes. An opt-out in a row also counts for the addresses in them. */
  readonly sentAsAttributes: readonly number[];
  /** Columns that contain addresses, although neither their header nor the platform says so. */
  readonly found: readonly FoundAddressColumn[];
}

/** A column that contains addresses, although neither its header, the platform nor the user says so. */
export interface FoundAddressColumn {
  readonly index: number;
  /** True if the addresses belong to other people, such as sellers. An opt-out of the row does not count for them. */
  readonly isOfOtherPeople: boolean;
}

/**
 * The address columns of a table. `usable`: the columns that can give the address of a row, best first. They are those
 * that `--map` names; without `--map`, the platform's column, then the others from the left. `other`: columns that svc
 * reads only because an opt-out of the row holds for their addresses too.
 */
export function addressColumns(
  columns: readonly ColumnTarget[],
  named: ReadonlyMap<number, MapAnswer>,
): Pick<AddressColumns, 'usable' | 'other'> {
  const mappedIndexes = [...named].flatMap(([index, { target }]) => (target.kind === 'email' ? [index] : []));
  const platformIndexes = positions(columns, 'email');
  const other = positions(columns, 'other_email');
  return mappedIndexes.length > 0
    ? { usable: mappedIndexes, other }
    : { usable: [...platformIndexes, ...other], other: [] };
}

function positions(columns: readonly ColumnTarget[], kind: ColumnTarget['kind']): number[] {
  return columns.flatMap((target, index) => (target.kind === kind ? [index] : []));
}

/**
 * Finds columns with addresses beside the address columns that are known. They may contain a second address of the same
 * person (C9). In such a column most cells are addresses, and few occur twice: an address in many rows is that of an
 * employee, such as a seller. The answer `<column>:*=subscribed` says that the column has addresses of other people.
 */
export function foundAddressColumns(
  { header, sample }: Pick<TableShape, 'header' | 'sample'>,
  answers: Pick<CheckedAnswers, 'states'>,
  { isKnown, ownHeader }: { isKnown(index: number): boolean; readonly ownHeader: string },
): FoundAddressColumn[] {
  return [...header.keys()]
    .filter((index) => !isKnown(index) && hasMostlyAddresses(sample, index))
    .map((index) => {
      const name = headerOrNumber(header, index);
      const answer = answerForColumn(answers, index);
      return { index, isOfOtherPeople: answer ? answer.state === 'subscribed' : isOfOtherPeople(name, ownHeader) };
    });
}

// True if the column with the header `name` is about other people than the address column (`ownHeader`). False for a
// household, whose people share the status of their row: `Parent 1` and `Parent 2`, `Mom` and `Dad`.
function isOfOtherPeople(name: string, ownHeader: string): boolean {
  return namesAnotherPerson(name) && !namesAnotherPerson(ownHeader) && !/\d/.test(name);
}

// True if the column has valid addresses of many different people. The test is strict, because the header does not say
// that the column contains addresses.
function hasMostlyAddresses(sample: readonly (readonly string[])[], index: number): boolean {
  const filled = sample.map((cells) => (cells[index] ?? '').trim().toLowerCase()).filter((cell) => cell !== '');
  const addresses = filled.filter((cell) => cell.includes('@') && isAddress(cell));
  return areOfManyPeople(addresses, filled);
}

// Matches a name and an address, as mail programs copy them: `Ben Carr <ben@example.com>`.
const NAMED_ADDRESS = /^[^<>@]*<[^<>@\s]+@[^<>@\s]+>$/u;

function isAddress(cell: string): boolean {
  return readAddress(cell, true).problem === undefined || NAMED_ADDRESS.test(cell);
}

// Header words that always mean another person than that of the row: `Referred by`. `Owner`, `Coach` and `Partner` are
// left out, because they can mean the person of the row. So an opt-out of the row also counts for an address under such
// a header. Languages in order: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Finnish,
// Turkish, Russian.
const ANOTHER_PERSON = wordPattern(
  '(?:referred|invited|introduced|recommended|nominated|sponsored|assigned|sold|managed|handled|created|added|entered|updated|modified|approved|booked|gifted)_?by',
  'referr?er referrals? inviter assigned_?to assignee gift_from reports_?to line_?managers? managers? supervisors? boss csm reps?',
  '(?:account|sales)_?(?:managers?|executives?|reps?|representatives?|persons?|agents?) salesman (?:account|contact|lead|deal|record)_owner sponsors?',
  'parents? mothers? fathers? mum mom dad guardians? spouse husband wife child children son daughter sibling friends?',
  'emergency(?:_contact)? next_of_kin assistant secretary',
  '(?:geworben|empfohlen|eingeladen|vermittelt|angelegt|erstellt|betreut|zugewiesen)_(?:von|durch) zugewiesen(?:_an)? werber empfehler \\w*betreuer(?:in)?',
  'vorgesetzter? vertriebler(?:in)? vertriebsmitarbeiter(?:in)? eltern(?:teil)? mutter vater erziehungsberechtigter? ehepartner ehefrau ehemann notfallkontakt assistenz',
  '(?:parraine|invite|recommande|refere|suivi|cree|ajoute)_par parrain marraine (?:assigne|attribue)_a charge_de_compte responsable_commercial mere pere conjoint',
  '(?:referido|invitado|recomendado|creado|presentado)_por asignado_a (?:gestor|ejecutivo)_de_cuenta vendedor gerente patrocinador padrino padres? madre conyuge',
  '(?:invitato|segnalato|presentato|consigliato|creato|inserito)_da assegnato_a venditore genitor[ei] padre coniuge',
  '(?:indicado|convidado|recomendado|criado)_por atribuido_a pais? mae padrinho conjuge',
  '(?:doorverwezen|uitgenodigd|aanbevolen|aangebracht|aangemaakt)_door toegewezen_aan verkoper leidinggevende ouders? moeder vader voogd echtgenoot',
  '(?:polecony|polecona|zaproszony|zaproszona|dodany)_przez polecajacy przypisany_do opiekun handlowiec menedzer rodzic matka ojciec malzonek',
  '(?:inbjuden|rekommenderad|varvad|skapad)_av (?:henvist|inviteret|anbefalet|oprettet)_af (?:invitert|anbefalt|opprettet)_av saljare saelger selger foralder forelder foraelder',
  'kutsuja suosittelija myyja huoltaja davet_eden tavsiye_eden musteri_temsilcisi satis_temsilcisi yonetici ebeveyn veli',
  '(?:приглашен|рекомендован)[аы]?_\\S+ пригласил[аи]? рекомендовал[аи]? менеджер ответственный родител[ьи] мать отец куратор',
);
// Words like `ANOTHER_PERSON`, in Chinese, Japanese and Korean.
const ANOTHER_PERSON_UNSPACED = stemPattern(
  '推荐人 推薦人 邀请人 邀請人 介绍人 介紹人 客户经理 客戶經理 销售员 销售代表 家长 父母 负责人 紹介者 招待者 担当者 保護者 추천인 초대한 담당자 보호자',
);

/** True for a header that names another person than that of the row: `Referred by`, `Mother`. */
export function namesAnotherPerson(header: string): boolean {
  const words = wordsOf(header);
  return ANOTHER_PERSON.test(words) || ANOTHER_PERSON_UNSPACED.test(words);
}

/**
 * The indexes of columns that may contain the addresses, best first. In an opt-out list without addresses, the columns
 * that contain domains.
 */
export function likelyAddressColumns(shape: TableShape, isOptOutList: boolean): readonly number[] {
  const found = columnsWithAt(shape);
  const hasDomain = (index: number) => shape.sample.some((cells) => wholeDomain(cells[index] ?? '') !== undefined);
  return found.length > 0 || !isOptOutList ? found : [...shape.header.keys()].filter(hasDomain);
}

/** True for lines of text without columns, such as `ana@example.com (left)`. Called for a table without a header. */
export function isLinesOfText({ header, sample }: TableShape): boolean {
  return header.length === 1 && mentionsAddress(sample[0]?.[0] ?? '');
}

// The indexes of columns with an `@` in a cell. Columns with the same address in each row come last, because this is
// probably the address of the sender.
function columnsWithAt({ header, sample }: TableShape): readonly number[] {
  const isSender = (index: number) => sample.length > 1 && sample.every((cells) => cells[index] === sample[0]?.[index]);
  const found = [...header.keys()].filter((index) => sample.some((cells) => cells[index]?.includes('@')));
  return found.sort((first, second) => Number(isSender(first)) - Number(isSender(second)));
}

/** Status columns about only one person of a row, in a table whose rows have several people: `Parent 2 consent`. */
export interface OwnedColumns {
  /** By address column: the indexes of the columns about its person, such as `Parent 2 consent`. */
  readonly byAddress: ReadonlyMap<number, readonly number[]>;
  /** The columns that can give the address of a row, in the order in which svc tries them. */
  readonly usable: readonly number[];
}

/**
 * Finds the columns that are only about the person of one address column. Their headers share a number or a word for a
 * person: `Status 2` beside `Email 2`, `Mom's newsletter` beside `Mom`.
 */
export function findOwnedColumns(
  header: readonly string[],
  { usable, other, sentAsAttributes, found }: AddressColumns,
): OwnedColumns {
  const addresses = new Set([...usable, ...other, ...sentAsAttributes, ...found.map(({ index }) => index)]);
  const words = [...addresses].flatMap((index) =>
    ownerWords(header[index] ?? '').map((word) => [word, index] as const),
  );
  const byWord = Map.groupBy(words, ([word]) => word);
  // A word in the headers of several address columns does not count: it does not show which person is meant.
  const owners = new Map([...byWord.values()].flatMap(([first, second]) => (first && !second ? [first] : [])));
  const byAddress = new Map<number, readonly number[]>();
  for (const index of addresses.size > 1 && owners.size > 0 ? header.keys() : []) {
    const words = addresses.has(index) ? [] : ownerWords(header[index] ?? '');
    for (const owner of new Set(words.flatMap((word) => owners.get(word) ?? []))) {
      byAddress.set(owner, [...(byAddress.get(owner) ?? []), index]);
    }
  }
  return { byAddress, usable };
}

// The words of a header that show which person of a row it means: numbers, and words for people such as `mom`.
function ownerWords(header: string): readonly string[] {
  const words = wordsOf(header.replace(/['’]s(?!\p{L})/gu, '').replace(/(?<=\p{L})(?=\d)/gu, ' ')).split(' ');
  return [...new Set(words)].filter((word) => /^\d$/.test(word) || word === 'partner' || namesAnotherPerson(word));
}

/**
 * Limits a state rule: a column about one person of the row does not subscribe another person of the row (C9, C11). But
 * a column that keeps mail away counts for all people of the row.
 */
export function restrictedToOwner(stateOf: StateOf, { byAddress, usable }: OwnedColumns): StateOf {
  if (byAddress.size === 0) {
    return stateOf;
  }
  return (cells) => {
    const status = stateOf(cells);
    if (status.state !== 'subscribed') {
      return status;
    }
    const usedAddress = usable.find((index) => cells[index]?.includes('@')) ?? usable[0];
    const ofOthers = [...byAddress].flatMap(([index, columns]) => (index === usedAddress ? [] : columns));
    const filled = ofOthers.filter((index) => (cells[index] ?? '') !== '');
    return filled.length === 0 ? status : stateOf(cells.map((cell, index) => (filled.includes(index) ? '' : cell)));
  };
}

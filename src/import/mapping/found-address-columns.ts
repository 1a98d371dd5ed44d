import { headerOrNumber } from '../../platforms/lib/headers.ts';
import type { TableShape } from '../../platforms/lib/platform.ts';
import { areOfManyPeople } from '../consent-columns/meaning-of-values.ts';
import { stemPattern, wordPattern, wordsOf } from '../consent-columns/words-and-stems.ts';
import { readAddress } from '../record/address.ts';
import { wholeDomain } from '../record/domains.ts';
import { answerInColumn, type CheckedAnswers } from './answers/answer-lookup.ts';

/** A column that contains addresses, although neither its header, the platform nor the user says so. */
export interface FoundAddressColumn {
  readonly index: number;
  /**
   * True if the addresses belong to other people, such as sellers. An opt-out of the row then does not count for them.
   */
  readonly isOfOtherPeople: boolean;
}

/**
 * Finds columns with addresses beside the address columns that are known. They may contain a second address of the same
 * person (C9). In such a column most cells are addresses, and few occur twice: an address in many rows belongs to a
 * colleague. The answer `<column>:*=subscribed` says that the column has addresses of other people.
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
      const answer = answerInColumn(answers, index, '*');
      return { index, isOfOtherPeople: answer ? answer.state === 'subscribed' : isOfOtherPeople(name, ownHeader) };
    });
}

// True if the column with the header `name` has other people than the address column (`ownHeader`). False for a
// household, whose people share the status of their row: `Parent 1` and `Parent 2`, `Mom` and `Dad`.
function isOfOtherPeople(name: string, ownHeader: string): boolean {
  return namesAnotherPerson(name) && !namesAnotherPerson(ownHeader) && !/\d/.test(name);
}

// True if the column has valid addresses of many different people. The test is strict, because the header does not say
// that the column contains addresses.
function hasMostlyAddresses(sample: readonly (readonly string[])[], index: number): boolean {
  const filled = sample.map((cells) => (cells[index] ?? '').trim().toLowerCase()).filter((cell) => cell !== '');
  const addresses = filled.filter((cell) => cell.includes('@') && readAddress(cell, true).problem === undefined);
  return areOfManyPeople(addresses, filled);
}

// Header words that always mean another person than that of the row: `Referred by`. `Owner`, `Coach` and `Partner` are
// missing, because they can mean the same person, so that an opt-out of the row counts for the address below them.
// Languages in order: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Finnish, Turkish,
// Russian.
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
 * The indexes of columns that may contain the addresses, best first. In an opt-out list without addresses: of those
 * that contain domains.
 */
export function likelyAddressColumns(shape: TableShape, isOptOutList: boolean): readonly number[] {
  const found = columnsWithAt(shape);
  const hasDomain = (index: number) => shape.sample.some((cells) => wholeDomain(cells[index] ?? '') !== undefined);
  return found.length > 0 || !isOptOutList ? found : [...shape.header.keys()].filter(hasDomain);
}

// The indexes of columns with an `@` in a cell. Columns with the same address in each row come last, because this is
// probably the address of the sender.
function columnsWithAt({ header, sample }: TableShape): readonly number[] {
  const isSender = (index: number) => sample.length > 1 && sample.every((cells) => cells[index] === sample[0]?.[index]);
  const found = [...header.keys()].filter((index) => sample.some((cells) => cells[index]?.includes('@')));
  return found.sort((first, second) => Number(isSender(first)) - Number(isSender(second)));
}

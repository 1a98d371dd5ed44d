import { attributeKey } from '../../../../platforms/lib/attribute-keys.ts';
import { headerOrNumber } from '../../../../platforms/lib/headers.ts';
import { DISAGREEMENT } from '../../../consent-columns/several-columns/list-columns.ts';
import type { Table } from '../../../mapping/table.ts';
import type { OtherAnswer } from '../../finding.ts';
import type { UnknownWord } from '../../statistics/unknown-words.ts';
import { columnName, mapLine, statusFlags } from '../list-check.ts';
import { isText } from './unknown-status-answers.ts';

/** The further answers if list columns disagree: one list decides, or the person left them all. */
export function disagreementAnswers(table: Table, words: readonly UnknownWord[]): readonly OtherAnswer[] {
  if (!words.some(({ word }) => word === DISAGREEMENT)) {
    return [];
  }
  const lists = [...table.listColumns];
  const left = {
    when: 'If they must get no mail of any list',
    flags: statusFlags(table, DISAGREEMENT, 'unsubscribed'),
  };
  // `--map` takes no column of groups out, because it is read like notes.
  const canChoose = lists.length <= MAX_LISTS && !lists.some((at) => isText(table, at));
  return [left, ...(canChoose ? lists.map((chosen) => oneListAnswer(table, chosen)) : [])];
}

const MAX_LISTS = 6;

function oneListAnswer(table: Table, chosen: number): OtherAnswer {
  const others = [...table.listColumns].filter((at) => at !== chosen);
  const keyOfColumn = (at: number) => attributeKey(table.header[at] ?? '') || `column_${at + 1}`;
  return {
    when: `Only if the audience is for the list ${JSON.stringify(headerOrNumber(table.header, chosen))}`,
    flags: others.map((at) => mapLine(table, columnName(table, at), `attributes.${keyOfColumn(at)}`)).join(' '),
  };
}

/** The columns that disagree, for messages. */
export function disagreeingColumns({ header, listColumns }: Table): string {
  const columns = [...listColumns];
  const names = columns.slice(0, MAX_LISTS).map((at) => JSON.stringify(headerOrNumber(header, at)));
  const more = columns.length > names.length ? ` and ${columns.length - names.length} more` : '';
  return `the columns ${names.join(' and ')}${more}, which disagree`;
}

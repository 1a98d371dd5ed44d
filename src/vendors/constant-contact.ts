import type { TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns, consentColumns, type Roles } from './columns.ts';
import { countHeaders, findHeader } from './headers.ts';
import { byDate, byWord, fromColumn, SUBSCRIBED, skip, UNSUBSCRIBED, words } from './words.ts';

const DATES = ['Confirmed Opt-Out Date'];
const ROLES: Roles = {
  email: ['Email address'],
  unsubscribed_at: DATES,
  state: ['Email status'],
  consent: ['Email permission status', 'Email update source', 'Confirmed Opt-Out Source', 'Confirmed Opt-Out Reason'],
  leftOut: ['Source Name', 'Created At', 'Updated At'],
};

const WORDS = words([SUBSCRIBED, 'active'], [UNSUBSCRIBED, 'unsubscribed'], [skip('removed'), 'removed']);

/** Constant Contact contact export (vendors.md, "Constant Contact"). */
export const constantContact: Vendor = { id: 'constant-contact', title: 'Constant Contact', recognise, read };

function recognise({ header, name }: TableShape): number {
  const own = countHeaders(header, 'Email permission status', 'Email update source', 'Confirmed Opt-Out Date');
  return own > 0 ? 90 : /^contact_export_\d+_\d{6}_\d{6}/i.test(name) ? 70 : 0;
}

function read(shape: TableShape): TableReading {
  const at = findHeader(shape.header, 'Email status');
  const dateAt = findHeader(shape.header, ...DATES);
  return {
    ...byWord(at, WORDS),
    ...(at < 0 && byDate(dateAt)),
    columns: assignColumns(shape, ROLES),
    consentColumns: consentColumns(shape, ROLES),
    stateFrom: fromColumn(shape.header, at < 0 ? dateAt : at),
  };
}

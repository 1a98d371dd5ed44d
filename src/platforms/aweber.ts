import { assignColumns, consentRoles, type Roles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import type { StatusReading } from './lib/states.ts';
import { byDate, byWord, fromColumn, NONE, PENDING, SUBSCRIBED, UNSUBSCRIBED, words } from './lib/words.ts';

const ROLES: Roles = {
  name: ['Name 1', 'Name'],
  unsubscribed_at: ['Inactive Date'],
  state: ['Status'],
  consent: ['Add Method', 'Verified', 'IP Address'],
  leftOut: ['Date Added', 'Stop Time', 'Stop Status'],
};

const WORDS = words([SUBSCRIBED, 'subscribed'], [UNSUBSCRIBED, 'unsubscribed'], [PENDING, 'unconfirmed']);

/** AWeber export: a status column, or one file of active and one of inactive people per list. */
export const aweber: Platform = { id: 'aweber', title: 'AWeber', recognize, read };

function recognize({ header, name }: TableShape): number {
  const own = countHeaders(header, 'Name 1', 'Inactive Date', 'Add Method');
  return own >= 2 ? 90 : LEADS.test(name) ? 80 : 0;
}

const LEADS = /^(active|inactive)_leads\.csv$/i;

function read(shape: TableShape): TableReading {
  const at = findHeader(shape.header, 'Status');
  const byFile = stateOfFile(shape.name);
  const rest = { columns: assignColumns(shape, ROLES), consentColumns: consentRoles(shape, ROLES) };
  if (at >= 0) {
    return { ...byWord(at, WORDS), ...rest, stateFrom: fromColumn(shape.header, at) };
  }
  if (byFile !== NONE) {
    return { ...rest, words: WORDS, stateFrom: 'file name', stateOf: () => byFile };
  }
  const dateAt = findHeader(shape.header, 'Inactive Date');
  return { ...byDate(dateAt), ...rest, words: WORDS, stateFrom: fromColumn(shape.header, dateAt) };
}

function stateOfFile(name: string): StatusReading {
  const kind = LEADS.exec(name)?.[1]?.toLowerCase();
  return kind === 'active' ? SUBSCRIBED : kind === 'inactive' ? UNSUBSCRIBED : NONE;
}

import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor } from './lib/status-words.ts';

const ACCEPTS = 'Accepts Marketing';
const ROLES: ColumnRoles = {
  state: [ACCEPTS],
  consent: ['Date Subscribed', 'Subscriber Since', 'Subscriber Source'],
  internal: ['Created On', 'Customer Since', 'Member Since'],
};

/**
 * Squarespace export: a mailing list with address and date, or contacts with "Accepts Marketing". Squarespace's help
 * names that column but not the others.
 */
export const squarespace: Platform = { id: 'squarespace', title: 'Squarespace', certainty, read };

function certainty({ header, name }: TableShape): number {
  const isListExport = countHeaders(header, 'Email Address', 'Date Subscribed') === 2 && header.length <= 5;
  const isContactsExport =
    findHeader(header, ACCEPTS) >= 0 && countHeaders(header, 'Subscriber Since', 'Customer Since', 'Member Since') > 0;
  return isContactsExport ? 80 : isListExport ? 60 : /squarespace/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...stateByYesOrNo(shape.header, { yes: SUBSCRIBED, no: skipFor('no_consent') }, ACCEPTS),
  };
}

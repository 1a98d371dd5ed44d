import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  first_name: ['firstName'],
  last_name: ['lastName'],
  state: ['subscribed'],
  internal: ['userId'],
};

/** Loops contact export. */
export const loops: Platform = { id: 'loops', title: 'Loops', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'userGroup', 'userId', 'subscribed');
  return ownCount === 3 ? 80 : /^loops[-_ ]/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...stateByYesOrNo(shape.header, { yes: SUBSCRIBED, no: UNSUBSCRIBED, blank: SUBSCRIBED }, 'subscribed'),
  };
}

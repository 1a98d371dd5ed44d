import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

const ROLES: ColumnRoles = {
  name: ['name'],
  consent: ['added_on', 'ip', 'origin'],
  internal: ['contact_id', 'cycle_day'],
};

/** GetResponse contact export. It has no state, so svc asks the user. Custom fields are named `custom_…`. */
export const getresponse: Platform = { id: 'getresponse', title: 'GetResponse', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'added_on', 'origin', 'ip', 'cycle_day');
  const hasCustomField = header.some((text) => /^custom_./i.test(text.trim()));
  return findHeader(header, 'added_on') >= 0 && ownCount + Number(hasCustomField) >= 3
    ? 85
    : /getresponse/i.test(name)
      ? 50
      : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...NO_STATE_RULE };
}

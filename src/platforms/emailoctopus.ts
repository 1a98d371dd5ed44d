import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

const ROLES: ColumnRoles = { email: ['Email address'], internal: ['Identifier', 'Created', 'Last changed'] };

/** EmailOctopus list export. It has no state, so svc asks the user. */
export const emailoctopus: Platform = { id: 'emailoctopus', title: 'EmailOctopus', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'Identifier', 'Email address', 'Last changed');
  return ownCount === 3 ? 90 : /^emailoctopus-export-/i.test(name) ? 80 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...NO_STATE_RULE };
}

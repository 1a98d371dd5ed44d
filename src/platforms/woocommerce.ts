import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

const ROLES: ColumnRoles = {
  name: ['Name'],
  internal: ['Username', 'Last Active', 'Date Last Active', 'Sign Up', 'Date Registered', 'AOV'],
};

/** WooCommerce customer report: people who bought something. It says nothing about consent, so svc asks the user. */
export const woocommerce: Platform = { id: 'woocommerce', title: 'WooCommerce', certainty, read };

function certainty({ header }: TableShape): number {
  const ownCount = countHeaders(header, 'Last Active', 'Date Last Active', 'Sign Up', 'Date Registered', 'Total Spend');
  return findHeader(header, 'AOV') >= 0 && ownCount >= 2 ? 85 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...NO_STATE_RULE, isAddressOptional: true };
}

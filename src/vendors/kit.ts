import type { TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns, consentColumns, type Roles } from './columns.ts';
import { findHeader } from './headers.ts';
import { BOUNCED, byWord, COMPLAINED, fromColumn, PENDING, SUBSCRIBED, UNSUBSCRIBED, words } from './words.ts';

const ROLES: Roles = { state: ['status', 'state'], leftOut: ['created_at', 'id', 'subscriber_id'] };

const WORDS = words(
  [SUBSCRIBED, 'active', 'cold'],
  [PENDING, 'inactive'],
  [UNSUBSCRIBED, 'cancelled'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'complained'],
);

/** Kit subscriber export; the header is not settled, two are seen (vendors.md, "Kit"). */
export const kit: Vendor = { id: 'kit', title: 'Kit', recognise, read };

function recognise({ header, name }: TableShape): number {
  const bare = header.map((text) => text.trim().toLowerCase()).join(',');
  if (bare.startsWith('first_name,email_address,state,created_at')) {
    return 80;
  }
  return bare.startsWith('first_name,email,created_at,status') ? 70 : /^(kit|convertkit)[-_ ]/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  const at = findHeader(shape.header, 'state', 'status');
  return {
    ...byWord(at, WORDS),
    columns: assignColumns(shape, ROLES),
    consentColumns: consentColumns(shape, ROLES),
    stateFrom: fromColumn(shape.header, at),
  };
}

import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  name: ['name'],
  state: ['subscribed_to_emails'],
  internal: ['id', 'stripe_customer_id', 'created_at', 'deleted_at', 'gift_id'],
};

/** Ghost member export. */
export const ghost: Platform = { id: 'ghost', title: 'Ghost', certainty, read };

function certainty({ header, name }: TableShape): number {
  if (findHeader(header, 'subscribed_to_emails') >= 0) {
    return 95;
  }
  return countHeaders(header, 'complimentary_plan', 'stripe_customer_id', 'labels') === 3
    ? 80
    : /^members\.\d{4}/.test(name)
      ? 40
      : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...stateByYesOrNo(shape.header, { yes: SUBSCRIBED, no: UNSUBSCRIBED }, 'subscribed_to_emails'),
  };
}

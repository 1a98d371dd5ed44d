import { assignColumns, type Roles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { byTruth } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/words.ts';

const ROLES: Roles = {
  state: ['unsubscribed'],
  leftOut: [
    'cio_id',
    'id',
    'created_at',
    'cio_subscription_preferences',
    '_created_in_customerio_at',
    '_last_emailed',
    'anonymous_id',
  ],
};

/** Customer.io people export: with the attributes that the user picked. */
export const customerio: Platform = { id: 'customerio', title: 'Customer.io', recognize, read };

function recognize({ header, name }: TableShape): number {
  const own = countHeaders(header, 'cio_id', 'cio_subscription_preferences');
  return own > 0 ? 90 : /^customers-\d{4}-\d\d-\d\d_/.test(name) ? 75 : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...byTruth(shape.header, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }, 'unsubscribed'),
    notConsent: ['cio_subscription_preferences'],
    addressOptional: true,
  };
}

import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  unsubscribed_at: ['unsubscribed_at'],
  state: ['status'],
  internal: ['subscriber_id', 'api_subscription_id', 'stripe_customer_id', 'created_at', 'updated_at'],
};

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'inactive'],
  [PENDING, 'pending', 'validating', 'needs_attention'],
  [skipFor('invalid'), 'invalid'],
);

/** beehiiv export. A row with the status `active` can have opted out all the same: `unsubscribed_at` decides. */
export const beehiiv: Platform = { id: 'beehiiv', title: 'beehiiv', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'subscriber_id', 'api_subscription_id');
  const older = countHeaders(header, 'status', 'tier', 'stripe_customer_id', 'created_at');
  return ownCount > 0 ? 90 + ownCount : older === 4 ? 80 : /beehiiv/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  const dateAt = findHeader(shape.header, 'unsubscribed_at');
  const index = findHeader(shape.header, 'status');
  const rule = stateByWord(shape.header, WORDS, 'status');
  const isOptedOut = (cells: readonly string[]) => dateAt >= 0 && (cells[dateAt] ?? '').trim() !== '';
  return {
    words: WORDS,
    ...assignColumns(shape, ROLES),
    stateSource:
      index < 0 && dateAt < 0
        ? undefined
        : index < 0
          ? 'column "unsubscribed_at"'
          : 'columns "status" and "unsubscribed_at"',
    stateOf: (cells) => (isOptedOut(cells) ? UNSUBSCRIBED : rule.stateOf(cells)),
    statusWordOf: (cells) => (isOptedOut(cells) ? undefined : rule.statusWordOf?.(cells)),
    engagement: findHeader(shape.header, 'last_opened_at') >= 0 ? 'last_opened_at' : undefined,
  };
}

import { isFilledCell } from './lib/blank-cells.ts';
import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { describeColumns, stateByWord } from './lib/state-columns.ts';
import { PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'inactive'],
  [PENDING, 'pending', 'validating', 'needs_attention'],
  [skipFor('invalid'), 'invalid'],
);

/**
 * beehiiv export. A person can have opted out although the status is `active`. So a date in `unsubscribed_at` decides.
 */
export const beehiiv = definePlatform({
  id: 'beehiiv',
  title: 'beehiiv',
  roles: {
    unsubscribed_at: ['unsubscribed_at'],
    state: ['status'],
    internal: ['subscriber_id', 'api_subscription_id', 'stripe_customer_id', 'created_at', 'updated_at'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'subscriber_id', 'api_subscription_id');
    const older = countHeaders(header, 'status', 'tier', 'stripe_customer_id', 'created_at');
    // Other programs such as Magento write `subscriber_id` too, so it counts only with `status` and a further header of
    // beehiiv.
    const isOwn = findHeader(header, 'api_subscription_id') >= 0 || (ownCount > 0 && isBesideOwnHeaders(header));
    return isOwn ? 90 + ownCount : older === 4 ? 80 : /beehiiv/i.test(name) ? 50 : 0;
  },
  read(shape) {
    const dateAt = findHeader(shape.header, 'unsubscribed_at');
    const index = findHeader(shape.header, 'status');
    const rule = stateByWord(shape.header, WORDS, 'status');
    const isOptedOut = (cells: readonly string[]) => isFilledCell(cells[dateAt] ?? '');
    return {
      words: WORDS,
      stateSource: describeColumns(shape.header, [index, dateAt]),
      stateOf: (cells) => (isOptedOut(cells) ? UNSUBSCRIBED : rule.stateOf(cells)),
      statusWordOf: (cells) => (isOptedOut(cells) ? undefined : rule.statusWordOf?.(cells)),
      engagement: findHeader(shape.header, 'last_opened_at') >= 0 ? 'last_opened_at' : undefined,
    };
  },
});

function isBesideOwnHeaders(header: readonly string[]): boolean {
  const further = ['unsubscribed_at', 'stripe_customer_id', 'last_opened_at', 'last_clicked_at', 'Free Tier'];
  return findHeader(header, 'status') >= 0 && countHeaders(header, ...further) > 0;
}

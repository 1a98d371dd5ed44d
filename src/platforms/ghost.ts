import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

/** Ghost member export. */
export const ghost = definePlatform({
  id: 'ghost',
  title: 'Ghost',
  roles: {
    name: ['name'],
    state: ['subscribed_to_emails'],
    internal: ['id', 'stripe_customer_id', 'created_at', 'deleted_at', 'gift_id'],
  },
  certainty({ header, name }) {
    // Wild Apricot's header `Subscribed to emails` also matches. Its cells have the same answers, so svc reads such a
    // list as one of Ghost.
    if (findHeader(header, 'subscribed_to_emails') >= 0) {
      return 95;
    }
    return countHeaders(header, 'complimentary_plan', 'stripe_customer_id', 'labels') === 3
      ? 80
      : /^members\.\d{4}/.test(name)
        ? 40
        : 0;
  },
  read: ({ header }) => stateByYesOrNo(header, { yes: SUBSCRIBED, no: UNSUBSCRIBED }, 'subscribed_to_emails'),
});

import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

/** Loops contact export. */
export const loops = definePlatform({
  id: 'loops',
  title: 'Loops',
  roles: {
    first_name: ['firstName'],
    last_name: ['lastName'],
    state: ['subscribed'],
    internal: ['userId'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'userGroup', 'userId', 'subscribed');
    return ownCount === 3 ? 80 : /^loops[-_ ]/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => stateByYesOrNo(header, { yes: SUBSCRIBED, no: UNSUBSCRIBED, blank: SUBSCRIBED }, 'subscribed'),
});

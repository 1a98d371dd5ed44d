import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor } from './lib/status-words.ts';

const ACCEPTS = 'Accepts Marketing';
/**
 * Squarespace export: a mailing list with address and date, or contacts with `Accepts Marketing`. The other headers are
 * not in Squarespace's help, so they may differ.
 */
export const squarespace = definePlatform({
  id: 'squarespace',
  title: 'Squarespace',
  roles: {
    state: [ACCEPTS],
    consent: ['Date Subscribed', 'Subscriber Since', 'Subscriber Source'],
    internal: ['Created On', 'Customer Since', 'Member Since'],
  },
  certainty({ header, name }) {
    const isListExport = countHeaders(header, 'Email Address', 'Date Subscribed') === 2 && header.length <= 5;
    const isContactsExport =
      findHeader(header, ACCEPTS) >= 0 &&
      countHeaders(header, 'Subscriber Since', 'Customer Since', 'Member Since') > 0;
    return isContactsExport ? 80 : isListExport ? 60 : /squarespace/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => stateByYesOrNo(header, { yes: SUBSCRIBED, no: skipFor('no_consent') }, ACCEPTS),
});

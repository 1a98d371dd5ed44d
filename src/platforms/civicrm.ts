import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords([SUBSCRIBED, 'Added'], [UNSUBSCRIBED, 'Removed'], [PENDING, 'Pending']);

/**
 * Contacts of a group in CiviCRM. svc reads opt-out columns such as `Do Not Email` in the lists of every platform, so
 * this file has no rule for them.
 */
export const civicrm = definePlatform({
  id: 'civicrm',
  title: 'CiviCRM',
  roles: { state: ['Group Status'], internal: ['Contact ID', 'Internal Contact ID', 'Created Date', 'Modified Date'] },
  certainty({ header }) {
    const ownCount = countHeaders(header, 'Group(s)', 'No Bulk Emails (User Opt Out)', 'Do Not Email', 'Do Not Trade');
    return findHeader(header, 'Group Status') >= 0 && ownCount >= 2 ? 85 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'Group Status'),
});

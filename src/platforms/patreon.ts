import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { NONE, statusWords } from './lib/status-words.ts';

const STATUS = 'Patron Status';
// These statuses say nothing about mail: the person pays, the payment failed, or the person only follows. svc asks
// about any other status, such as that of a former patron.
const MEMBERS = statusWords([NONE, 'active patron', 'declined patron', '']);

/** Patreon member export: people who pay, paid or follow. It doesn't say who agreed to mail, so svc asks the user. */
export const patreon = definePlatform({
  id: 'patreon',
  title: 'Patreon',
  roles: {
    name: ['Name'],
    state: [STATUS],
    internal: [
      ...['Discord', 'Follows You', 'Free Trial', 'Addressee', 'Additional Details', 'User ID', 'Last Updated'],
      ...['Max Posts', 'Access Expiration', 'Last Charge Date', 'Last Charge Status', 'Next Charge Date'],
      'Subscription Source',
    ],
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      ...['Follows You', 'Free Member', 'Lifetime Amount', 'Lifetime $', 'Pledge Amount', 'Pledge $'],
      ...['Charge Frequency', 'Patronage Since Date', 'Last Charge Status'],
    );
    return findHeader(header, STATUS) >= 0 && ownCount >= 1 ? 85 : 0;
  },
  read: ({ header }) => ({
    ...stateByWord(header, MEMBERS, STATUS),
    notConsentHeaders: [
      ...['Free Member', 'Free Trial', 'Follows You', 'Charge Frequency', 'Discord', 'Subscription Source'],
      ...['Patronage Since Date', 'Last Charge Date', 'Last Charge Status', 'Next Charge Date', 'Access Expiration'],
    ],
  }),
});

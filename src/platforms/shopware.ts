import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

// `direct` needs no confirmation. `notSet` is the status until the person confirms.
const WORDS = statusWords([SUBSCRIBED, 'direct', 'optIn'], [UNSUBSCRIBED, 'optOut'], [PENDING, 'notSet']);

/** Newsletter recipients of Shopware 6. */
export const shopware = definePlatform({
  id: 'shopware',
  title: 'Shopware',
  roles: {
    state: ['status'],
    consent: ['confirmedAt'],
    internal: ['id', 'hash', 'salutationId', 'languageId', 'salesChannelId', 'createdAt', 'updatedAt'],
  },
  certainty({ header }) {
    const ownCount = countHeaders(header, 'confirmedAt', 'salesChannelId', 'languageId', 'salutation', 'salutationId');
    return countHeaders(header, 'email', 'status', 'hash') === 3 && ownCount > 0 ? 85 : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'status'),
});

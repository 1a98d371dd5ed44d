import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { filledColumn, stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

// The words and codes of Moosend's API.
const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed', '1'],
  [UNSUBSCRIBED, 'unsubscribed', 'removed', '2', '4'],
  [BOUNCED, 'bounced', '3'],
  [COMPLAINED, 'complained', 'spam'],
);

/** Moosend mailing list export. */
export const moosend = definePlatform({
  id: 'moosend',
  title: 'Moosend',
  roles: {
    name: ['Name'],
    unsubscribed_at: ['UnsubscribedOn'],
    state: ['SubscribeType'],
    consent: ['CreatedOn', 'SubscribeMethod'],
    internal: ['ID', 'UpdatedOn', 'UnsubscribedFromID', 'RemovedOn'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'SubscribeType', 'UnsubscribedOn', 'CreatedOn', 'UnsubscribedFromID');
    return ownCount >= 2 ? 90 : /moosend/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => ({
    ...stateByColumns(header, [statusWordColumn('SubscribeType', WORDS), filledColumn('UnsubscribedOn')]),
    words: WORDS,
  }),
});

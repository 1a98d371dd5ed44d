import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'unconfirmed'],
  [BOUNCED, 'bounced'],
  [skipFor('inactive'), 'inactive'],
);

/** MailPoet subscriber export: a row for each list of a person, with the status in that list and in all lists. */
export const mailpoet = definePlatform({
  id: 'mailpoet',
  title: 'MailPoet',
  roles: {
    state: ['List status', 'Global status'],
    consent: ['Subscription IP', 'Subscription time', 'Confirmation IP', 'Confirmation time'],
  },
  certainty({ header, name }) {
    const hasBothStatuses = countHeaders(header, 'List status', 'Global status') === 2;
    const proof = countHeaders(header, 'Subscription IP', 'Confirmation time', 'Confirmation IP');
    return hasBothStatuses ? 90 : /^mailpoet_export_/i.test(name) ? 80 : proof >= 2 ? 70 : 0;
  },
  read: ({ header }) => ({
    ...stateByColumns(header, [statusWordColumn('List status', WORDS), statusWordColumn('Global status', WORDS)]),
    words: WORDS,
  }),
});

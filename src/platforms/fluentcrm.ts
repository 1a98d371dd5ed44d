import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [PENDING, 'pending'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'complained', 'spammed'],
  [skipFor('transactional_only'), 'transactional'],
);

/** FluentCRM contact export. Its columns have the names of FluentCRM's fields. */
export const fluentcrm = definePlatform({
  id: 'fluentcrm',
  title: 'FluentCRM',
  roles: {
    state: ['status'],
    consent: ['ip'],
    internal: ['id', 'user_id', 'hash', 'full_name', 'avatar', 'photo', 'last_activity', 'created_at', 'updated_at'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(
      header,
      ...['prefix', 'full_name', 'contact_type', 'date_of_birth', 'last_activity', 'timezone'],
    );
    const listed = countHeaders(header, 'lists', 'tags', 'status', 'email');
    return ownCount >= 3 && findHeader(header, 'contact_type') >= 0 && listed >= 2
      ? 92
      : /fluent-?crm/i.test(name) && listed >= 2
        ? 60
        : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, 'status'),
});

import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, NONE, SUPPRESSED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const DO_NOT_CONTACT = ['doNotContact', 'do_not_contact', 'dnc', 'dnc_reason'];
// The codes of Mautic's "do not contact" table. A contact with no entry in that table has no state.
const WORDS = new Map([
  ...statusWords(
    [NONE, '0'],
    [UNSUBSCRIBED, '1', 'unsubscribed'],
    [BOUNCED, '2', 'bounced'],
    [SUPPRESSED, '3', 'manual'],
  ),
  ['', NONE],
]);

/** Mautic contact export. The headers are the names of Mautic's fields, because we have not seen a real export. */
export const mautic = definePlatform({
  id: 'mautic',
  title: 'Mautic',
  roles: {
    state: DO_NOT_CONTACT,
    internal: [
      ...['id', 'date_added', 'date_identified', 'date_modified', 'created_by', 'last_active', 'owner', 'ip'],
      ...['ip_address', 'attribution', 'attribution_date', 'preferred_profile_image', 'stage'],
    ],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(
      header,
      ...['attribution', 'attribution_date', 'preferred_profile_image', 'preferred_locale', 'date_identified'],
      ...['points', 'foursquare', 'last_active'],
    );
    return ownCount >= 3 && countHeaders(header, 'email', 'firstname', 'lastname') >= 2
      ? 80
      : /mautic/i.test(name)
        ? 50
        : 0;
  },
  read: ({ header }) => stateByWord(header, WORDS, ...DO_NOT_CONTACT),
});

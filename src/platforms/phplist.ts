import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByColumns, yesNoColumn } from './lib/state-columns.ts';
import { NONE, PENDING, SUBSCRIBED, skipFor, UNSUBSCRIBED } from './lib/status-words.ts';

const DISABLED = ['disabled', 'Is this account disabled?'];
const BLACKLISTED = ['blacklisted', 'Is this user blacklisted'];
const CONFIRMED = ['confirmed', 'Is the email of this user confirmed'];
/**
 * phpList subscriber export. We know its headers from phpList's pages and code. A yes in `blacklisted` means that the
 * person left all lists.
 */
export const phplist = definePlatform({
  id: 'phplist',
  title: 'phpList',
  roles: {
    state: [...DISABLED, ...BLACKLISTED, ...CONFIRMED],
    internal: [
      ...['id', 'uniqid', 'uuid', 'htmlemail', 'html_email', 'Send this user HTML emails', 'subscribepage'],
      ...['rssfrequency', 'rss Frequency', 'password', 'passwordchanged', 'bouncecount', 'extra_data', 'extradata'],
      ...['entered', 'modified', 'Time Created', 'Time modified', 'Additional data'],
    ],
  },
  certainty({ header, name }) {
    const state = countHeaders(header, 'confirmed', 'blacklisted', 'disabled');
    const ownCount = countHeaders(
      header,
      ...['htmlemail', 'html_email', 'uniqid', 'bouncecount', 'subscribepage', 'List Membership'],
      ...['Send this user HTML emails', 'Is this account disabled?'],
    );
    return (state >= 2 && ownCount >= 1) || ownCount >= 2 ? 90 : /^phplist export/i.test(name) ? 80 : 0;
  },
  read(shape) {
    const columns = [
      ...CONFIRMED.map((header) => yesNoColumn(header, { yes: SUBSCRIBED, no: PENDING })),
      ...BLACKLISTED.map((header) => yesNoColumn(header, { yes: UNSUBSCRIBED, no: NONE })),
      ...DISABLED.map((header) => yesNoColumn(header, { yes: skipFor('disabled'), no: NONE })),
    ];
    return stateByColumns(shape.header, columns);
  },
});

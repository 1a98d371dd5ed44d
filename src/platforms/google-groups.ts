import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { NONE, PENDING, SUBSCRIBED, SUPPRESSED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const COLUMNS = [
  statusWordColumn(
    'Group status',
    statusWords(
      [SUBSCRIBED, 'member', 'manager', 'owner'],
      [PENDING, 'invited', 'pending'],
      [SUPPRESSED, 'banned'],
      [NONE, ''],
    ),
  ),
  statusWordColumn(
    'Email preference',
    statusWords(
      [NONE, '', 'email', 'all email', 'each email', 'every email', 'each message'],
      [NONE, 'digest', 'daily', 'abridged', 'summary'],
      [UNSUBSCRIBED, 'none', 'no email', 'nomail'],
    ),
  ),
  statusWordColumn('Email status', statusWords([NONE, '', 'ok'], [skipFor('bounced'), 'bouncing'])),
];

/** Members of a group in Google Groups. */
export const googleGroups = definePlatform({
  id: 'google-groups',
  title: 'Google Groups',
  roles: {
    email: ['Email address'],
    state: COLUMNS.map(({ header }) => header),
    internal: [
      ...['Posting permissions', 'Time zone'],
      ...['year', 'month', 'day', 'hour', 'minute', 'second'].map((unit) => `Join ${unit}`),
    ],
  },
  certainty({ header }) {
    const isNamed = findHeader(header, 'Group status') >= 0 && findHeader(header, 'Email address') >= 0;
    return isNamed && countHeaders(header, 'Nickname', 'Email preference', 'Posting permissions') > 0 ? 90 : 0;
  },
  read: ({ header }) => ({ ...stateByColumns(header, COLUMNS), notConsentHeaders: ['Posting permissions'] }),
});

import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

/** Resend contact export. The headers are the field names of Resend's API and import. */
export const resend = definePlatform({
  id: 'resend',
  title: 'Resend',
  roles: { state: ['unsubscribed'], internal: ['id', 'created_at'] },
  certainty({ header, name }) {
    const bare = header.join(',');
    const knownHeaders = [
      'id,email,first_name,last_name,created_at,unsubscribed',
      'email,first_name,last_name,unsubscribed',
    ];
    return knownHeaders.includes(bare)
      ? 80
      : /^resend[-_ ]/i.test(name) && countHeaders(header, 'unsubscribed') > 0
        ? 50
        : 0;
  },
  read: ({ header }) =>
    stateByYesOrNo(header, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }, 'unsubscribed'),
});

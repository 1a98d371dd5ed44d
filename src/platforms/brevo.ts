import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { SUBSCRIBED, SUPPRESSED } from './lib/status-words.ts';

/**
 * Brevo contact export. `EMAIL_BLACKLISTED` does not say whether a person opted out, bounced or complained, so a yes
 * suppresses the person.
 */
export const brevo = definePlatform({
  id: 'brevo',
  title: 'Brevo',
  roles: {
    email: ['EMAIL'],
    first_name: ['FIRSTNAME', 'PRENOM'],
    last_name: ['LASTNAME', 'NOM'],
    state: ['EMAIL_BLACKLISTED'],
    consent: ['DOUBLE_OPT-IN', 'OPT_IN'],
    internal: ['CONTACT ID', 'SMS_BLACKLISTED', 'ADDED_TIME', 'MODIFIED_TIME'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(
      header,
      ...['CONTACT ID', 'EMAIL_BLACKLISTED', 'ADDED_TIME', 'MODIFIED_TIME', 'DOUBLE_OPT-IN'],
    );
    return findHeader(header, 'EMAIL') >= 0 && ownCount >= 2 ? 90 : /brevo|sendinblue/i.test(name) ? 50 : 0;
  },
  read: ({ header }) => ({
    ...stateByYesOrNo(header, { yes: SUPPRESSED, no: SUBSCRIBED }, 'EMAIL_BLACKLISTED'),
    dateOrder: 'dmy',
  }),
});

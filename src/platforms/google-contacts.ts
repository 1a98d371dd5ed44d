import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/**
 * Google Contacts export: an address book with several addresses per person. It doesn't say who agreed to mail, so svc
 * asks the user.
 */
export const googleContacts = definePlatform({
  id: 'google-contacts',
  title: 'Google Contacts',
  roles: {
    email: ['E-mail 1 - Value'],
    first_name: ['First Name', 'Given Name'],
    last_name: ['Last Name', 'Family Name'],
    internal: ['Name', 'File As', 'Photo', 'Yomi Name', 'Initials', 'Short Name', 'Maiden Name', 'Billing Information'],
    isInternal: (header) => /(?: - (?:label|type)|^phonetic |^(?:given|additional|family) name yomi)/i.test(header),
  },
  certainty({ header }) {
    const ownCount = countHeaders(
      header,
      ...['E-mail 1 - Label', 'E-mail 1 - Type', 'Phone 1 - Value', 'Organization 1 - Name', 'Organization Name'],
      ...['Group Membership', 'Labels', 'Given Name', 'Nickname', 'Phonetic First Name'],
    );
    return findHeader(header, 'E-mail 1 - Value') >= 0 && ownCount >= 1 ? 90 : 0;
  },
  read: () => ({ ...NO_STATE_RULE, isAddressOptional: true }),
});

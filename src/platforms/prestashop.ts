import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { stateByYesOrNo } from './lib/state-columns.ts';
import { bareWord, SUBSCRIBED, skipFor } from './lib/status-words.ts';

const PARTNER_OFFERS = ['optin', 'Partner offers'];

/**
 * PrestaShop customers. `newsletter` is the consent. `optin` is about offers of partners, so it says nothing about the
 * mail of the shop. A 0 in `newsletter` means: never signed up, or opted out. Neither gets mail.
 */
export const prestashop = definePlatform({
  id: 'prestashop',
  title: 'PrestaShop',
  roles: {
    state: ['newsletter'],
    consent: ['newsletter_date_add', 'ip_registration_newsletter'],
    internal: [
      ...[...PARTNER_OFFERS, 'id_customer', 'passwd', 'last_passwd_gen', 'secure_key'],
      ...['reset_password_token', 'reset_password_validity', 'id_shop_group', 'id_shop', 'id_risk', 'id_gender'],
    ],
  },
  certainty({ header }) {
    const isTable = countHeaders(header, 'id_customer', 'newsletter', 'optin') === 3;
    const isScreen = countHeaders(header, 'Newsletter', 'Partner offers') === 2;
    return isTable || (isScreen && countHeaders(header, 'Social title', 'Sales', 'Last visit', 'Enabled') >= 2)
      ? 92
      : 0;
  },
  read: ({ header }) => ({
    ...stateByYesOrNo(header, { yes: SUBSCRIBED, no: skipFor('no_consent') }, 'newsletter'),
    // A second header with the same letters, such as `Opt-in`, is a column of the user and may be about consent. Then
    // svc reads both columns for consent.
    notConsentHeaders: header.filter((name) => bareWord(name) === 'optin').length > 1 ? [] : PARTNER_OFFERS,
  }),
});

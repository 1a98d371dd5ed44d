import { expect, test } from 'vitest';
import { platformIds } from '../../../src/platforms/registry.ts';
import { type Summary, summarize } from './summary.ts';

const EMPTY: Summary = {
  platforms: [],
  contacts: [],
  suppressions: {},
  skipped: {},
  rejected: 0,
  keys: [],
  stops: [],
};

const SAMPLES: readonly (readonly [string, Partial<Summary>])[] = [
  [
    'activecampaign.csv',
    {
      platforms: ['activecampaign'],
      contacts: ['ada', 'ben unsubscribed', 'eve unsubscribed'],
      suppressions: { bounced: ['cleo'] },
      skipped: { pending: 1 },
      keys: ['tags'],
    },
  ],
  [
    'aweber',
    {
      platforms: ['aweber'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z'],
      skipped: { pending: 1 },
      keys: ['tags'],
    },
  ],
  [
    'beehiiv.csv',
    {
      platforms: ['beehiiv'],
      contacts: ['ada', 'ben unsubscribed 2024-03-13T11:33:53.000Z', 'cleo unsubscribed 2026-03-01T00:00:00.000Z'],
      skipped: { pending: 1, invalid: 1 },
      keys: ['free_tier', 'last_opened_at', 'tags'],
    },
  ],
  ['brevo.csv', { platforms: ['brevo'], contacts: ['ada'], suppressions: { unsubscribed: ['ben'] } }],
  [
    'campaign-monitor.csv',
    {
      platforms: ['campaign-monitor'],
      contacts: ['ada', 'ben unsubscribed'],
      suppressions: { bounced: ['cleo'] },
      skipped: { pending: 1, deleted: 1 },
      keys: ['company'],
    },
  ],
  [
    'contact_export_1100000000_011526_101112.csv',
    {
      platforms: ['constant-contact'],
      contacts: ['ada', 'ben unsubscribed 2020-09-25T20:45:13.000Z'],
      skipped: { removed: 1 },
      keys: ['company', 'tags'],
    },
  ],
  [
    'customers-2026-01-15_10-11.csv',
    {
      platforms: ['customerio'],
      contacts: ['ada', 'ben unsubscribed', 'cleo'],
      skipped: { no_address: 1 },
      keys: ['plan'],
    },
  ],
  [
    'drip.csv',
    {
      platforms: ['drip'],
      contacts: ['ada', 'ben unsubscribed', 'cleo unsubscribed'],
      skipped: { inactive: 1 },
      keys: ['tags'],
    },
  ],
  [
    'email_list.invented-letter.csv',
    {
      platforms: ['substack'],
      contacts: ['ada', 'ben unsubscribed', 'carol'],
      skipped: { deleted: 1 },
      keys: ['active_subscription', 'plan'],
    },
  ],
  [
    'emailoctopus.csv',
    { platforms: ['emailoctopus'], skipped: { no_status: 1 }, keys: ['tags'], stops: ['stop no_status'] },
  ],
  [
    'generic.csv',
    {
      platforms: ['generic'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z'],
      suppressions: { complained: ['dov'], bounced: ['cleo'], unsubscribed: ['eve'] },
      skipped: { pending: 1 },
      keys: ['company_org'],
    },
  ],
  [
    'ghost-members.csv',
    { platforms: ['ghost'], contacts: ['ada', 'ben unsubscribed'], keys: ['complimentary_plan', 'labels'] },
  ],
  [
    'hubspot-crm-exports-all-contacts-2026-01-15.csv',
    {
      platforms: ['hubspot'],
      contacts: ['ada', 'cleo unsubscribed', 'fay'],
      suppressions: { bounced: ['dov'], unsubscribed: ['ben', 'eve'] },
      skipped: { no_address: 1 },
      keys: ['lifecycle_stage', 'state_region'],
    },
  ],
  [
    'kit.csv',
    {
      platforms: ['kit'],
      contacts: ['ada', 'ben unsubscribed', 'fay'],
      suppressions: { complained: ['eve'], bounced: ['dov'] },
      skipped: { pending: 1 },
    },
  ],
  [
    'klaviyo.csv',
    {
      platforms: ['klaviyo'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z'],
      suppressions: { complained: ['fay'], bounced: ['dov'], unsubscribed: ['eve'] },
      skipped: { no_address: 1, no_consent: 1, invalid: 1 },
      keys: ['historic_customer_lifetime_value', 'interests', 'last_open', 'organization', 'state_region'],
    },
  ],
  [
    'listmonk',
    {
      platforms: ['listmonk'],
      suppressions: { unsubscribed: ['ben'] },
      skipped: { no_status: 1, disabled: 1 },
      keys: ['attributes'],
      stops: ['stop no_status'],
    },
  ],
  ['loops.csv', { platforms: ['loops'], contacts: ['ada', 'ben unsubscribed'], keys: ['source', 'user_group'] }],
  [
    'mailerlite.csv',
    {
      platforms: ['mailerlite'],
      contacts: ['ada', 'ben unsubscribed'],
      suppressions: { complained: ['eve'], bounced: ['dov'] },
      skipped: { pending: 1 },
      keys: ['groups', 'location'],
    },
  ],
  [
    'mailgun',
    {
      platforms: ['mailgun'],
      suppressions: { complained: ['eve'], bounced: ['ada'], unsubscribed: ['cleo'] },
      skipped: { soft_bounce: 1, left_a_tag: 1 },
    },
  ],
  [
    'postmark.csv',
    { platforms: ['postmark'], suppressions: { complained: ['ben'], bounced: ['ada'], unsubscribed: ['cleo', 'dov'] } },
  ],
  ['resend.csv', { platforms: ['resend'], contacts: ['ada', 'ben unsubscribed'] }],
  [
    'svc-contacts-export.csv',
    {
      platforms: ['svc'],
      contacts: ['ada', 'ben unsubscribed 2026-02-03T04:05:06.000Z'],
      suppressions: { bounced: ['cleo'] },
      skipped: { pending: 1 },
      keys: ['city'],
    },
  ],
  [
    'sendgrid',
    {
      platforms: ['sendgrid'],
      contacts: ['ida unsubscribed 2023-11-14T22:13:28.000Z'],
      suppressions: { complained: ['gus'], bounced: ['ben', 'dov'], unsubscribed: ['hal'] },
      skipped: { blocked: 2, soft_bounce: 1, invalid: 1 },
    },
  ],
  [
    'sendy.csv',
    {
      platforms: ['sendy'],
      contacts: ['ada', 'ben unsubscribed', 'fay'],
      suppressions: { complained: ['dov'], bounced: ['cleo'] },
      skipped: { pending: 1 },
      keys: ['country', 'country_code', 'last_activity'],
    },
  ],
  [
    'mailpoet.csv',
    {
      platforms: ['mailpoet'],
      contacts: ['ada', 'ben unsubscribed', 'eve unsubscribed'],
      suppressions: { bounced: ['dov'] },
      skipped: { pending: 1, inactive: 1 },
      keys: ['list'],
    },
  ],
  [
    'fluentcrm.csv',
    {
      platforms: ['fluentcrm'],
      contacts: ['ada', 'ben unsubscribed'],
      suppressions: { bounced: ['dov'], complained: ['eve'] },
      skipped: { pending: 1, transactional_only: 1 },
      keys: ['city', 'contact_type', 'country', 'lists', 'postal_code', 'source', 'state'],
    },
  ],
  [
    'mautic.csv',
    {
      platforms: ['mautic'],
      contacts: ['ben unsubscribed'],
      suppressions: { bounced: ['cleo'], unsubscribed: ['dov'] },
      skipped: { no_status: 1 },
      keys: ['points', 'preferred_locale'],
      stops: ['stop no_status'],
    },
  ],
  [
    'patreon.csv',
    {
      platforms: ['patreon'],
      skipped: { no_status: 3, unknown_status: 1 },
      keys: [
        ...['charge_frequency', 'currency', 'free_member', 'lifetime_amount', 'patronage_since_date'],
        ...['pledge_amount', 'tier'],
      ],
      stops: ['stop unknown_status', 'stop no_status'],
    },
  ],
  [
    'phplist.csv',
    { platforms: ['phplist'], contacts: ['ada', 'ben unsubscribed'], skipped: { pending: 1, disabled: 1 } },
  ],
  [
    'moosend.csv',
    {
      platforms: ['moosend'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z', 'cleo unsubscribed'],
      suppressions: { bounced: ['dov'] },
    },
  ],
  [
    'getresponse.csv',
    {
      platforms: ['getresponse'],
      skipped: { no_status: 1 },
      keys: ['country', 'custom_city'],
      stops: ['stop no_status'],
    },
  ],
  [
    'omnisend.csv',
    {
      platforms: ['omnisend'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z'],
      skipped: { no_consent: 1 },
      keys: ['tags'],
    },
  ],
  [
    'buttondown.csv',
    {
      platforms: ['buttondown'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z', 'fay'],
      suppressions: { bounced: ['dov'], complained: ['eve'] },
      skipped: { pending: 1 },
      keys: ['tags'],
    },
  ],
  [
    'prestashop.csv',
    {
      platforms: ['prestashop'],
      contacts: ['ada', 'cleo'],
      skipped: { no_consent: 1, disabled: 1 },
      keys: ['active', 'birthday', 'date_add', 'deleted'],
    },
  ],
  [
    'civicrm.csv',
    {
      platforms: ['civicrm'],
      contacts: ['ada', 'ben unsubscribed', 'dan unsubscribed', 'eve unsubscribed'],
      skipped: { pending: 1 },
      keys: ['group_s'],
    },
  ],
  [
    'gambio.csv',
    {
      platforms: ['gambio'],
      contacts: ['ada', 'cleo'],
      skipped: { no_consent: 1 },
      keys: ['customers_status'],
    },
  ],
  [
    'google-groups.csv',
    {
      platforms: ['google-groups'],
      contacts: ['ada', 'ben', 'cleo unsubscribed'],
      skipped: { pending: 1, bounced: 1 },
      keys: ['nickname'],
    },
  ],
  [
    'newsletter-plugin.csv',
    {
      platforms: ['newsletter-plugin'],
      contacts: ['ada', 'cleo unsubscribed'],
      suppressions: { bounced: ['dan'], complained: ['eve'] },
      skipped: { pending: 1 },
      keys: ['list_1', 'list_2', 'sex'],
    },
  ],
  [
    'shopware.csv',
    {
      platforms: ['shopware'],
      contacts: ['ada', 'ben', 'cleo unsubscribed'],
      skipped: { pending: 1 },
      keys: ['city', 'salutation', 'zip_code'],
    },
  ],
  [
    'shopify.csv',
    {
      platforms: ['shopify'],
      contacts: ['ada'],
      skipped: { no_consent: 1, no_address: 1 },
      keys: ['default_address_city', 'default_address_country_code', 'tags', 'total_orders', 'total_spent'],
    },
  ],
  [
    'woocommerce.csv',
    {
      platforms: ['woocommerce'],
      skipped: { no_status: 1 },
      keys: ['city', 'country_region', 'orders', 'postal_code', 'region', 'total_spend'],
      stops: ['stop no_status'],
    },
  ],
  [
    'salesforce.csv',
    {
      platforms: ['salesforce'],
      contacts: ['ada', 'ben unsubscribed'],
      suppressions: { bounced: ['cleo'] },
      skipped: { no_address: 1 },
      keys: ['lead_source', 'mailing_street'],
    },
  ],
  [
    'zoho.csv',
    {
      platforms: ['zoho'],
      contacts: ['ada', 'ben unsubscribed 2024-02-03T04:05:06.000Z', 'cleo', 'dov unsubscribed'],
      keys: ['account_name'],
    },
  ],
  [
    'google-contacts.csv',
    {
      platforms: ['google-contacts'],
      skipped: { no_status: 2, no_address: 1 },
      keys: ['labels', 'organization_name'],
      stops: ['stop no_status'],
    },
  ],
  [
    'stripe.csv',
    {
      platforms: ['stripe'],
      skipped: { no_status: 1 },
      keys: ['payment_count', 'total_spend'],
      stops: ['stop no_status'],
    },
  ],
  [
    'eventbrite.csv',
    {
      platforms: ['eventbrite'],
      skipped: { no_status: 1 },
      keys: ['company', 'order_date', 'quantity', 'ticket_type'],
      stops: ['stop no_status'],
    },
  ],
  [
    'wix.csv',
    {
      platforms: ['wix'],
      contacts: ['ada', 'ben unsubscribed'],
      skipped: { pending: 1, no_consent: 1, no_address: 1 },
      keys: ['company', 'labels'],
    },
  ],
  ['squarespace.csv', { platforms: ['squarespace'], skipped: { no_status: 1 }, stops: ['stop no_status'] }],
  ['ses.csv', { platforms: ['ses'], suppressions: { complained: ['ben'], bounced: ['ada'] } }],
];

test.each(SAMPLES)('reads the people and their statuses in the sample export %s', async (name, expected) => {
  expect(await summarize(name)).toEqual({ ...EMPTY, ...expected });
});

test('reads the statuses of the Mailchimp sample from the names of its files', async () => {
  const summary = await summarize('mailchimp-export');
  expect({ ...summary, contacts: summary.contacts.length }).toEqual({
    platforms: ['mailchimp'],
    contacts: 33,
    suppressions: { bounced: ['pavel.alder', 'rita.hazel', 'sven.oak', 'tara.birk', 'ugo.iris'] },
    skipped: { no_consent: 3 },
    rejected: 0,
    keys: ['company_org', 'member_rating', 'tags'],
    stops: [],
  });
  expect(summary.contacts).toContain('femi.pine unsubscribed 2023-06-15T12:19:25.000Z');
  expect(summary.contacts).not.toContain('femi.pine');
});

test('every platform but Mailchimp has a sample export in this test', () => {
  const sampled = SAMPLES.flatMap(([, { platforms = [] }]) => platforms);
  expect(platformIds().filter((id) => !sampled.includes(id))).toEqual(['mailchimp']);
});

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { csvLine } from '../../../src/import/csv/quoting.ts';
import { readList } from '../import/support.ts';

const FOLDER = join(import.meta.dirname, '../../../samples');

/**
 * The columns or file name from which svc reads the statuses of each sample. If it finds no such column, the list has
 * no statuses: svc asks, and an enrollment may take all people (C4).
 */
const STATE_FROM: readonly (readonly [sample: string, from: string | undefined])[] = [
  ['activecampaign.csv', 'column "Status"'],
  ['aweber/awlist1000001_invented/leads/active_leads.csv', 'file name'],
  ['aweber/awlist1000001_invented/leads/inactive_leads.csv', 'column "Status" and column "Inactive Date"'],
  ['beehiiv.csv', 'columns "status" and "unsubscribed_at"'],
  ['brevo.csv', 'column "EMAIL_BLACKLISTED" and columns "DOUBLE_OPT-IN" and "OPT_IN"'],
  ['buttondown.csv', 'columns "type" and "unsubscription_date"'],
  ['campaign-monitor.csv', 'column "State"'],
  ['civicrm.csv', 'column "Group Status" and columns "Do Not Email" and "No Bulk Emails (User Opt Out)"'],
  [
    'contact_export_1100000000_011526_101112.csv',
    'columns "Email status" and "Email permission status" and columns "Confirmed Opt-Out Date" and "Confirmed Opt-Out Source" and "Confirmed Opt-Out Reason"',
  ],
  ['customers-2026-01-15_10-11.csv', 'columns "unsubscribed" and "cio_subscription_preferences"'],
  ['drip.csv', 'column "status"'],
  ['email_list.invented-letter.csv', 'column "email_disabled"'],
  ['emailoctopus.csv', undefined],
  ['eventbrite.csv', undefined],
  ['fluentcrm.csv', 'column "status"'],
  ['gambio.csv', 'column "customers_newsletter"'],
  ['generic.csv', 'columns "Status" and "Unsubscribed At"'],
  ['getresponse.csv', undefined],
  ['ghost-members.csv', 'column "subscribed_to_emails"'],
  ['google-contacts.csv', undefined],
  ['google-groups.csv', 'columns "Group status" and "Email preference" and "Email status"'],
  [
    'hubspot-crm-exports-all-contacts-2026-01-15.csv',
    'columns "Email hard bounce reason" and "Unsubscribed from all email" and "Email Address Quarantined" and "Opted out of email: Marketing Information"',
  ],
  ['kit.csv', 'column "status"'],
  ['klaviyo.csv', 'columns "Email Marketing Consent" and "Email Suppressions"'],
  ['listmonk/subscribers.csv', 'column "status"'],
  ['loops.csv', 'column "subscribed"'],
  ['mailchimp-export/cleaned_email_audience_export_0a1b2c3d4e.csv', 'file name'],
  ['mailchimp-export/nonsubscribed_email_audience_export_0a1b2c3d4e.csv', 'file name'],
  ['mailchimp-export/subscribed_email_audience_export_0a1b2c3d4e.csv', 'file name'],
  [
    'mailchimp-export/unsubscribed_email_audience_export_0a1b2c3d4e.csv',
    'file name and columns "UNSUB_TIME" and "UNSUB_CAMPAIGN_TITLE" and "UNSUB_CAMPAIGN_ID" and "UNSUB_REASON" and "UNSUB_REASON_OTHER"',
  ],
  ['mailerlite.csv', 'column "Status"'],
  ['mailgun/bounces.csv', 'column "code"'],
  ['mailgun/complaints.csv', 'file name'],
  ['mailgun/unsubscribes.csv', 'column "tags"'],
  ['mailpoet.csv', 'columns "List status" and "Global status"'],
  ['mautic.csv', 'column "doNotContact"'],
  ['moosend.csv', 'columns "SubscribeType" and "UnsubscribedOn"'],
  ['newsletter-plugin.csv', 'column "status"'],
  ['omnisend.csv', 'columns "Email status" and "Email opt-out date"'],
  ['patreon.csv', 'column "Patron Status"'],
  ['phplist.csv', 'columns "confirmed" and "blacklisted" and "disabled"'],
  ['postmark.csv', 'column "SuppressionReason"'],
  ['prestashop.csv', 'column "newsletter" and columns "active" and "deleted"'],
  ['resend.csv', 'column "unsubscribed"'],
  [
    'salesforce.csv',
    'columns "HasOptedOutOfEmail" and "EmailBouncedReason" and "EmailBouncedReason" and "IsEmailBounced"',
  ],
  ['sendgrid/asm_groups_4711_suppressions.csv', 'file name'],
  ['sendgrid/contacts.csv', undefined],
  ['sendgrid/suppression_blocks.csv', 'file name and column "reason"'],
  ['sendgrid/suppression_bounces.csv', 'file name and column "reason"'],
  ['sendgrid/suppression_invalid_emails.csv', 'file name and column "reason"'],
  ['sendgrid/suppression_spam_reports.csv', 'file name'],
  ['sendgrid/suppression_unsubscribes.csv', 'file name'],
  ['sendy.csv', 'column "Status" and columns "Opt-in method" and "GDPR"'],
  ['ses.csv', 'column "Reason"'],
  ['shopify.csv', 'column "Accepts Email Marketing"'],
  ['shopware.csv', 'column "status"'],
  ['squarespace.csv', undefined],
  ['stripe.csv', undefined],
  ['svc-contacts-export.csv', 'column "status" and column "unsubscribed_at"'],
  ['wix.csv', 'column "Email subscriber status"'],
  ['woocommerce.csv', undefined],
  ['zoho.csv', 'columns "Email Opt Out" and "Unsubscribed Mode" and "Unsubscribed Time"'],
];

const NAMED = STATE_FROM.map(([sample, from]) => [sample, from ?? 'nothing', from] as const);

test.each(NAMED)('reads the statuses of the sample %s from: %s (C4)', async (sample, _, from) => {
  const bytes = readFileSync(join(FOLDER, sample));
  const { reading } = await readList({ [basename(sample)]: bytes }, { defaultStatus: { '*': 'subscribed' } });
  expect(reading.tables.map((table) => table.reading.stateSource)).toEqual([from]);
});

test('each CSV sample has an expected source of its statuses', () => {
  expect(STATE_FROM.map(([sample]) => sample)).toEqual(globSync('**/*.csv', { cwd: FOLDER }).sort());
});

test('asks about non-marketing contacts of HubSpot unless they opted out (C4)', async () => {
  const rows = [',Marketing contact', ',Non-marketing contact', 'Yes,Non-marketing contact', ','];
  const cells = rows.map((row, index) => `${index},p${index}@example.com,${row}\n`).join('');
  const list = `Record ID,Email,Unsubscribed from all email,Marketing contact status\n${cells}`;
  const { contacts, suppressions, trouble, finding } = await readList({ 'hubspot-crm-exports.csv': list }, {});
  expect(contacts.map(({ email }) => email)).toEqual(['p0@example.com', 'p3@example.com']);
  expect(suppressions).toEqual({ unsubscribed: ['p2@example.com'] });
  expect(trouble).toEqual(['stop unknown_status']);
  expect(finding('unknown_status')?.message).toContain('"Marketing contact status": "Non-marketing contact" (1)');
});

const MARKETING = [
  ...['', 'Marketing contact', 'marketing contacts', 'Marketing-Kontakt', 'Marketingkontakt', 'Contacto de marketing'],
  ...['Contact marketing', 'Contatto di marketing', 'Contato de marketing', 'Marketingcontact', 'true', 'Yes'],
  ...['Kontakt marketingowy', 'Markkinointikontakti', 'Marknadsföringskontakt', 'マーケティングコンタクト'],
];
const OTHER_STATUS = [
  ...['Non-marketing contact', 'Nonmarketing contact', 'Not a marketing contact', 'Excluded from marketing', 'false'],
  ...['Kein Marketing-Kontakt', 'Nichtmarketingkontakt', 'Nicht-Marketing-Kontakt', 'Ehemaliger Marketing-Kontakt'],
  ...['Contact hors marketing', 'Contact sans marketing', 'Contact non marketing', 'Contatto escluso dal marketing'],
  ...['Contacto que no es de marketing', 'Contacto sin marketing', 'Contato excluído do marketing', 'No marketing'],
  ...[
    'マーケティング対象外のコンタクト',
    '❌ Marketing contact',
    'Marketing contact?',
    '~~Marketing contact~~',
    'marketing',
  ],
];

test('takes only the labels of marketing contacts in HubSpot for a yes (C4)', async () => {
  const cells = [...MARKETING, ...OTHER_STATUS];
  const rows = cells.map((cell, index) => csvLine([`${index}`, `p${index}@example.com`, 'false', cell], ','));
  const header = 'Record ID,Email,Unsubscribed from all email,Marketing contact status';
  const { contacts, trouble, finding } = await readList({ 'list.csv': [header, ...rows].join('\n') });
  expect(contacts.map(({ email }) => cells[Number(/\d+/.exec(email)?.[0])])).toEqual(MARKETING);
  expect([trouble, finding('unknown_status')?.total]).toEqual([['stop unknown_status'], OTHER_STATUS.length]);
});

test('names the HubSpot column that shows who opened mail', async () => {
  const list = 'Record ID,Email,Unsubscribed from all email,Marketing emails opened\n1,ann@example.com,,3\n';
  const { reading } = await readList({ 'hubspot-crm-exports.csv': list }, {});
  expect(reading.engagement).toEqual(['Marketing emails opened']);
});

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { csv, type ReadList, readList } from '../import/support.ts';

const FOLDER = join(import.meta.dirname, '../../../samples');
const ANSWERS = { defaultStatus: { '*': 'subscribed' } };

/** The columns of each platform that are neither sent nor read as a state. */
const LEFT_OUT: readonly (readonly [platform: string, columns: readonly string[]])[] = [
  ['activecampaign', ['Date Created', 'Contact ID', 'ID']],
  ['aweber', ['Date Added', 'Stop Time', 'Stop Status']],
  ['beehiiv', ['subscriber_id', 'api_subscription_id', 'stripe_customer_id', 'created_at', 'updated_at']],
  ['brevo', ['CONTACT ID', 'SMS_BLACKLISTED', 'ADDED_TIME', 'MODIFIED_TIME']],
  ['buttondown', ['id', 'secondary_id', 'creation_date', 'avatar_url', 'stripe_customer_id', 'last_open_date']],
  ['campaign-monitor', ['Date', 'ReadsEmailWith']],
  ['constant-contact', ['Source Name', 'Created At', 'Updated At']],
  [
    'customerio',
    [
      'cio_id',
      'id',
      'created_at',
      'cio_subscription_preferences',
      '_created_in_customerio_at',
      '_last_emailed',
      'anonymous_id',
    ],
  ],
  ['drip', ['created_at', 'id']],
  ['emailoctopus', ['Identifier', 'Created', 'Last changed']],
  [
    'eventbrite',
    [
      'Order #',
      'Order no.',
      'Order ID',
      'Attendee #',
      'Barcode #',
      'Barcode number',
      'Attendee Status',
      'Order Type',
      'Total Paid',
      'Fees Paid',
      'Eventbrite Fees',
      'Eventbrite Payment Processing',
      'Currency',
      'Price Tier',
    ],
  ],
  ['fluentcrm', ['id', 'user_id', 'hash', 'full_name', 'avatar', 'photo', 'last_activity', 'created_at', 'updated_at']],
  ['getresponse', ['contact_id', 'cycle_day']],
  ['ghost', ['id', 'stripe_customer_id', 'created_at', 'deleted_at', 'gift_id']],
  [
    'google-contacts',
    ['Name', 'File As', 'Photo', 'Yomi Name', 'Initials', 'Short Name', 'Maiden Name', 'Billing Information'],
  ],
  ['kit', ['created_at', 'id', 'subscriber_id']],
  [
    'klaviyo',
    ['Klaviyo ID', 'Latitude', 'Longitude', 'First Active', 'Last Active', 'Profile Created On', 'Date Added'],
  ],
  ['listmonk', ['uuid', 'created_at', 'updated_at']],
  ['loops', ['userId']],
  [
    'mailchimp',
    [
      'LATITUDE',
      'LONGITUDE',
      'GMTOFF',
      'DSTOFF',
      'TIMEZONE',
      'CC',
      'REGION',
      'LAST_CHANGED',
      'LEID',
      'EUID',
      'EMAIL_TYPE',
      'UNSUB_CAMPAIGN_TITLE',
      'UNSUB_CAMPAIGN_ID',
      'UNSUB_REASON',
      'UNSUB_REASON_OTHER',
      'CLEAN_CAMPAIGN_TITLE',
      'CLEAN_CAMPAIGN_ID',
    ],
  ],
  [
    'mautic',
    [
      'id',
      'date_added',
      'date_identified',
      'date_modified',
      'created_by',
      'last_active',
      'owner',
      'ip',
      'ip_address',
      'attribution',
      'attribution_date',
      'preferred_profile_image',
      'stage',
    ],
  ],
  ['moosend', ['ID', 'UpdatedOn', 'UnsubscribedFromID', 'RemovedOn']],
  ['omnisend', ['Contact ID', 'SMS status', 'SMS opt-in date', 'SMS opt-out date', 'Phone status']],
  [
    'phplist',
    [
      'id',
      'uniqid',
      'uuid',
      'htmlemail',
      'html_email',
      'Send this user HTML emails',
      'subscribepage',
      'rssfrequency',
      'rss Frequency',
      'password',
      'passwordchanged',
      'bouncecount',
      'extra_data',
      'extradata',
      'entered',
      'modified',
      'Time Created',
      'Time modified',
      'Additional data',
    ],
  ],
  ['postmark', ['Origin', 'MessageStream']],
  ['resend', ['id', 'created_at']],
  [
    'salesforce',
    [
      'Id',
      'AccountId',
      'OwnerId',
      'MasterRecordId',
      'IsDeleted',
      'ReportsToId',
      'RecordTypeId',
      'IndividualId',
      'CreatedById',
      'CreatedDate',
      'LastModifiedById',
      'LastModifiedDate',
      'SystemModstamp',
      'LastActivityDate',
      'LastCURequestDate',
      'LastCUUpdateDate',
      'LastViewedDate',
      'LastReferencedDate',
      'PhotoUrl',
      'Jigsaw',
      'JigsawContactId',
      'Do Not Call',
      'DoNotCall',
      'HasOptedOutOfFax',
      'Fax Opt Out',
    ],
  ],
  ['sendgrid', ['contact_id', 'created_at', 'updated_at']],
  ['shopify', ['Customer ID', 'Accepts SMS Marketing', 'Accepts WhatsApp Marketing', 'Tax Exempt']],
  ['squarespace', ['Created On', 'Customer Since', 'Member Since']],
  [
    'stripe',
    [
      'id',
      'Customer ID',
      'Created (UTC)',
      'Delinquent',
      'Default Source',
      'Cancel At Period End',
      'Refunded Volume',
      'Dispute Losses',
      'Account Balance',
      'Business Vat ID',
      'Tax Info Verification',
    ],
  ],
  [
    'substack',
    [
      'expiry',
      'prefer_digests',
      'created_at',
      'first_payment_at',
      'stripe_connected_customer_id',
      'Cancel date',
      'Start date',
      'unsubscribed_at',
    ],
  ],
  ['wix', ['SMS subscriber status', 'Created At (UTC+0)', 'Last Activity', 'Last Activity Date (UTC+0)']],
  ['woocommerce', ['Username', 'Last Active', 'Date Last Active', 'Sign Up', 'Date Registered', 'AOV']],
  [
    'zoho',
    [
      'Record Id',
      'Contact Id',
      'Lead Id',
      'Contact Owner',
      'Lead Owner',
      'Contact Name',
      'Created By',
      'Modified By',
      'Created Time',
      'Modified Time',
      'Last Activity Time',
      'Locked',
      'Change Log Time',
    ],
  ],
];

/** These are not sent either, but a value in them keeps mail away. */
const KEEPS_MAIL_AWAY = [
  'deleted_at',
  'UnsubscribedFromID',
  'RemovedOn',
  'bouncecount',
  'IsDeleted',
  'unsubscribed_at',
];

const SAMPLES = await Promise.all(
  globSync('**/*.csv', { cwd: FOLDER }).map(async (path) => {
    const text = String(readFileSync(join(FOLDER, path)));
    const [table] = (await readList({ [basename(path)]: text }, ANSWERS)).reading.tables;
    return {
      name: basename(path),
      platform: table?.platform,
      header: table?.header ?? [],
    };
  }),
);

test.each(LEFT_OUT)('%s: none of the columns %j is sent or says who is subscribed (C10)', async (platform, columns) => {
  const sample = SAMPLES.find((one) => one.platform === platform) as (typeof SAMPLES)[number];
  const changed: string[] = [];
  for (const column of columns) {
    const others = sample.header.filter((header) => header !== column);
    const [without, beside] = await Promise.all([listOf(sample.name, others), listOf(sample.name, others, column)]);
    if (without.reading.tables[0]?.platform === platform && outcome(without) !== outcome(beside)) {
      changed.push(column);
    }
  }
  expect(changed).toEqual(columns.filter((column) => KEEPS_MAIL_AWAY.includes(column)));
});

/** One person with a blank in every column but the address, and perhaps one column more, with a day in it. */
function listOf(name: string, headers: readonly string[], column?: string): Promise<ReadList> {
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const at = headers.findIndex((header) => /mail/i.test(header) && !/\b(?:opt|status|marketing)/i.test(header));
  const cells = headers.map((_, index) => (index === at ? 'ana@x.test' : ''));
  const more = column === undefined ? [] : [column];
  const list = csv(quoted([...headers, ...more]), quoted([...cells, ...more.map(() => '2025-06-15')]));
  return readList({ [name]: list }, ANSWERS);
}

function outcome({ contacts, suppressions, trouble }: ReadList): string {
  return JSON.stringify({ contacts, suppressions, trouble });
}

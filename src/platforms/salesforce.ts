import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { filledColumn, stateByColumns, yesNoColumn } from './lib/state-columns.ts';
import { BOUNCED, NONE, SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const OPTED_OUT = ['HasOptedOutOfEmail', 'Email Opt Out'];
const BOUNCED_ON = ['EmailBouncedReason', 'EmailBouncedDate', 'Email Bounced Reason', 'Email Bounced Date'];
const BOUNCED_FLAG = 'IsEmailBounced';
/** Salesforce contacts and leads: a report with labels, or a data export with field names. */
export const salesforce = definePlatform({
  id: 'salesforce',
  title: 'Salesforce',
  roles: {
    first_name: ['FirstName', 'First Name'],
    last_name: ['LastName', 'Last Name'],
    state: [...OPTED_OUT, ...BOUNCED_ON, BOUNCED_FLAG],
    internal: [
      ...['Id', 'AccountId', 'OwnerId', 'MasterRecordId', 'IsDeleted', 'ReportsToId', 'RecordTypeId', 'IndividualId'],
      ...['CreatedById', 'CreatedDate', 'LastModifiedById', 'LastModifiedDate', 'SystemModstamp', 'LastActivityDate'],
      ...['LastCURequestDate', 'LastCUUpdateDate', 'LastViewedDate', 'LastReferencedDate', 'PhotoUrl', 'Jigsaw'],
      ...['JigsawContactId', 'Do Not Call', 'DoNotCall', 'HasOptedOutOfFax', 'Fax Opt Out'],
    ],
  },
  certainty({ header }) {
    const fields = countHeaders(
      header,
      ...['HasOptedOutOfEmail', 'AccountId', 'OwnerId', 'SystemModstamp', 'LastModifiedById', 'MailingStreet'],
      ...['LeadSource', 'MasterRecordId', BOUNCED_FLAG],
    );
    // Other programs write these names too. They count only beside Salesforce's own flag for an opt-out from email.
    const sharedNames =
      findHeader(header, 'HasOptedOutOfEmail') < 0
        ? 0
        : countHeaders(header, 'HasOptedOutOfFax', 'DoNotCall', 'IsConverted', 'IsDeleted', 'EmailBouncedReason');
    const labels = countHeaders(
      header,
      ...['Email Opt Out', 'Company / Account', 'Lead Status', 'Lead Owner', 'Account Name', 'Contact Owner'],
      ...['Do Not Call', 'Fax Opt Out'],
    );
    return fields + sharedNames >= 3 ? 85 : labels >= 3 ? 70 : 0;
  },
  read(shape) {
    const columns = [
      ...OPTED_OUT.map((header) => yesNoColumn(header, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED })),
      ...BOUNCED_ON.map((header) => filledColumn(header, BOUNCED)),
      yesNoColumn(BOUNCED_FLAG, { yes: BOUNCED, no: NONE }),
    ];
    return { ...stateByColumns(shape.header, columns), isAddressOptional: true };
  },
});

import type { StateVerdict, TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns, consentColumns, type Roles } from './columns.ts';
import { countHeaders, findHeader } from './headers.ts';
import { BOUNCED, NONE, SUBSCRIBED, skip, UNSUBSCRIBED } from './words.ts';

const ROLES: Roles = {
  email: ['Email Address'],
  unsubscribed_at: ['UNSUB_TIME', 'CLEAN_TIME'],
  consent: ['OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_TIME', 'CONFIRM_IP'],
  leftOut: [
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
};

/** Mailchimp audience export: one CSV per status in a ZIP, the status in the file's name only (vendors.md, "Mailchimp"). */
export const mailchimp: Vendor = { id: 'mailchimp', title: 'Mailchimp', recognise, read };

function recognise({ header, name }: TableShape): number {
  const system = countHeaders(header, 'MEMBER_RATING', 'LEID', 'EUID');
  const named = NAME.test(name);
  return system === 3
    ? 95
    : system === 2
      ? 85
      : named
        ? 80
        : countHeaders(header, 'UNSUB_TIME', 'CLEAN_TIME') > 0
          ? 60
          : 0;
}

const NAME =
  /(?:^|[^a-z])(subscribed|unsubscribed|cleaned|nonsubscribed|archived)_?(email_audience|members|segment|audience)?_?export/i;
// A file that was copied or dated has something before its name.
const STATUS = /(?:^|[^a-z])(subscribed|unsubscribed|cleaned|nonsubscribed|archived)[_\-. ]/i;

function read(shape: TableShape): TableReading {
  const { verdict, from } = stateOfFile(shape);
  return {
    columns: assignColumns(shape, ROLES),
    consentColumns: consentColumns(shape, ROLES),
    stateFrom: from,
    stateOf: () => verdict,
    quotedLists: shape.header.flatMap((header, at) => (header.trim().toUpperCase() === 'TAGS' ? [at] : [])),
    // The system columns hold UTC times without saying so.
    timezone: 'UTC',
    dateOrder: 'ymd',
    engagement: findHeader(shape.header, 'MEMBER_RATING') >= 0 ? 'MEMBER_RATING' : undefined,
  };
}

const BY_NAME: Readonly<Record<string, StateVerdict>> = {
  subscribed: SUBSCRIBED,
  unsubscribed: UNSUBSCRIBED,
  cleaned: BOUNCED,
  nonsubscribed: skip('no_consent'),
  archived: skip('archived'),
};

function stateOfFile({ name, header }: TableShape): { verdict: StateVerdict; from: string | undefined } {
  const status = STATUS.exec(name)?.[1]?.toLowerCase();
  const named = status === undefined ? undefined : BY_NAME[status];
  if (named) {
    return { verdict: named, from: 'file name' };
  }
  if (findHeader(header, 'UNSUB_TIME') >= 0) {
    return { verdict: UNSUBSCRIBED, from: 'column "UNSUB_TIME"' };
  }
  return findHeader(header, 'CLEAN_TIME') >= 0
    ? { verdict: BOUNCED, from: 'column "CLEAN_TIME"' }
    : { verdict: NONE, from: undefined };
}

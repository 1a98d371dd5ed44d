import { assignColumns, type Roles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { byColumns, filledColumn, flagColumn } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const OPTED_OUT = 'Email Opt Out';
const LEFT_AT = 'Unsubscribed Time';
const LEFT_BY = 'Unsubscribed Mode';
const ROLES: Roles = {
  email: ['Email'],
  unsubscribed_at: [LEFT_AT],
  state: [OPTED_OUT, LEFT_BY],
  leftOut: [
    ...['Record Id', 'Contact Id', 'Lead Id', 'Contact Owner', 'Lead Owner', 'Contact Name', 'Created By'],
    ...['Modified By', 'Created Time', 'Modified Time', 'Last Activity Time', 'Locked', 'Change Log Time'],
  ],
  leaveOut: (header) => /\.id\s*$/i.test(header),
};

/**
 * Zoho CRM contacts and leads. The column `Email Opt Out` says who opted out. `Secondary Email` is a second address.
 */
export const zoho: Platform = { id: 'zoho', title: 'Zoho CRM', certainty, read };

function certainty({ header }: TableShape): number {
  const ids = header.filter((text) =>
    /^(?:contact owner|lead owner|account name|created by|modified by)\.id$/i.test(text),
  );
  const own = countHeaders(header, LEFT_BY, LEFT_AT, OPTED_OUT, 'Record Id');
  return ids.length > 0 && own + ids.length >= 2
    ? 88
    : findHeader(header, LEFT_BY) >= 0 && findHeader(header, LEFT_AT) >= 0
      ? 80
      : 0;
}

function read(shape: TableShape): TableReading {
  const columns = [
    flagColumn(OPTED_OUT, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }),
    filledColumn(LEFT_BY),
    filledColumn(LEFT_AT),
  ];
  return { ...assignColumns(shape, ROLES), ...byColumns(shape.header, columns), addressOptional: true };
}

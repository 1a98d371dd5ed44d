import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { filledColumn, stateByColumns, yesNoColumn } from './lib/state-columns.ts';
import { SUBSCRIBED, UNSUBSCRIBED } from './lib/status-words.ts';

const OPTED_OUT = 'Email Opt Out';
const OPT_OUT_DATE = 'Unsubscribed Time';
const OPT_OUT_MODE = 'Unsubscribed Mode';
/**
 * Zoho CRM contacts and leads. `Email Opt Out`, `Unsubscribed Mode` and `Unsubscribed Time` say who opted out.
 * `Secondary Email` is a second address.
 */
export const zoho = definePlatform({
  id: 'zoho',
  title: 'Zoho CRM',
  roles: {
    email: ['Email'],
    unsubscribed_at: [OPT_OUT_DATE],
    state: [OPTED_OUT, OPT_OUT_MODE],
    internal: [
      ...['Record Id', 'Contact Id', 'Lead Id', 'Contact Owner', 'Lead Owner', 'Contact Name', 'Created By'],
      ...['Modified By', 'Created Time', 'Modified Time', 'Last Activity Time', 'Locked', 'Change Log Time'],
    ],
    isInternal: (header) => /\.id\s*$/i.test(header),
  },
  certainty({ header }) {
    const ids = header.filter((text) =>
      /^(?:contact owner|lead owner|account name|created by|modified by)\.id$/i.test(text),
    );
    const ownCount = countHeaders(header, OPT_OUT_MODE, OPT_OUT_DATE, OPTED_OUT, 'Record Id');
    return ids.length > 0 && ownCount + ids.length >= 2
      ? 88
      : findHeader(header, OPT_OUT_MODE) >= 0 && findHeader(header, OPT_OUT_DATE) >= 0
        ? 80
        : 0;
  },
  read(shape) {
    const columns = [
      yesNoColumn(OPTED_OUT, { yes: UNSUBSCRIBED, no: SUBSCRIBED, blank: SUBSCRIBED }),
      filledColumn(OPT_OUT_MODE),
      filledColumn(OPT_OUT_DATE),
    ];
    // `Locked` means that the record is locked against changes. It does not mean that the person left.
    return { ...stateByColumns(shape.header, columns), notConsentHeaders: ['Locked'], isAddressOptional: true };
  },
});

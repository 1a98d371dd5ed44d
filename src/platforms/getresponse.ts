import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/** GetResponse contact export. It has no state, so svc asks the user. Custom fields are named `custom_…`. */
export const getresponse = definePlatform({
  id: 'getresponse',
  title: 'GetResponse',
  roles: {
    name: ['name'],
    consent: ['added_on', 'ip', 'origin'],
    internal: ['contact_id', 'cycle_day'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'added_on', 'origin', 'ip', 'cycle_day');
    const hasCustomField = header.some((text) => /^custom_./i.test(text.trim()));
    return findHeader(header, 'added_on') >= 0 && ownCount + Number(hasCustomField) >= 3
      ? 85
      : /getresponse/i.test(name)
        ? 50
        : 0;
  },
  read: () => NO_STATE_RULE,
});

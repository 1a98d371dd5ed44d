import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/** EmailOctopus list export. It has no state, so svc asks the user. */
export const emailoctopus = definePlatform({
  id: 'emailoctopus',
  title: 'EmailOctopus',
  roles: { email: ['Email address'], internal: ['Identifier', 'Created', 'Last changed'] },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Identifier', 'Email address', 'Last changed');
    return ownCount === 3 ? 90 : /^emailoctopus-export-/i.test(name) ? 80 : 0;
  },
  read: () => NO_STATE_RULE,
});

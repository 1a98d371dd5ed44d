import { definePlatform } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import { stateByDate, stateByWord } from './lib/state-columns.ts';
import type { StatusReading } from './lib/states.ts';
import { NONE, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords([SUBSCRIBED, 'subscribed'], [UNSUBSCRIBED, 'unsubscribed'], [PENDING, 'unconfirmed']);

/** AWeber export: one file with a status column, or two files per list, one of active and one of inactive people. */
export const aweber = definePlatform({
  id: 'aweber',
  title: 'AWeber',
  roles: {
    name: ['Name 1', 'Name'],
    unsubscribed_at: ['Inactive Date'],
    state: ['Status'],
    consent: ['Add Method', 'Verified', 'IP Address'],
    internal: ['Date Added', 'Stop Time', 'Stop Status'],
  },
  certainty({ header, name }) {
    const ownCount = countHeaders(header, 'Name 1', 'Inactive Date', 'Add Method');
    return ownCount >= 2 ? 90 : LEADS.test(name) ? 80 : 0;
  },
  read({ header, name }) {
    if (findHeader(header, 'Status') >= 0) {
      return stateByWord(header, WORDS, 'Status');
    }
    const byFile = stateOfFile(name);
    return byFile === NONE
      ? { ...stateByDate(header, 'Inactive Date'), words: WORDS }
      : { words: WORDS, stateSource: 'file name', stateOf: () => byFile };
  },
});

// The names of the two files, which say the status of all their rows.
const LEADS = /^(active|inactive)_leads\.csv$/i;

function stateOfFile(name: string): StatusReading {
  const kind = LEADS.exec(name)?.[1]?.toLowerCase();
  return kind === 'active' ? SUBSCRIBED : kind === 'inactive' ? UNSUBSCRIBED : NONE;
}

import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { filledColumn, stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const OPT_OUT = 'Email opt-out date';
const STATUS = ['Email status', 'Email subscription status'];
const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [skipFor('no_consent'), 'non-subscribed', 'nonsubscribed', 'not subscribed'],
);

/**
 * Omnisend contact export. Omnisend's help names the dates and the status words, but not the header of the status
 * column. So svc tries two headers.
 */
export const omnisend = definePlatform({
  id: 'omnisend',
  title: 'Omnisend',
  roles: {
    unsubscribed_at: [OPT_OUT],
    state: STATUS,
    consent: ['Email opt-in date'],
    internal: ['Contact ID', 'SMS status', 'SMS opt-in date', 'SMS opt-out date', 'Phone status'],
  },
  certainty({ header, name }) {
    const dates = countHeaders(header, 'Email opt-in date', OPT_OUT, 'SMS opt-in date', 'SMS opt-out date');
    return dates >= 2 ? 80 : /omnisend/i.test(name) ? 50 : 0;
  },
  read(shape) {
    const columns = [...STATUS.map((header) => statusWordColumn(header, WORDS)), filledColumn(OPT_OUT)];
    return { ...stateByColumns(shape.header, columns), words: WORDS };
  },
});

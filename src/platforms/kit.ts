import { assignColumns } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByColumns, stateByWord, statusWordColumn } from './lib/state-columns.ts';
import { BOUNCED, bareWord, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const WORDS = statusWords(
  [SUBSCRIBED, 'active', 'cold'],
  [PENDING, 'inactive'],
  [UNSUBSCRIBED, 'cancelled'],
  [BOUNCED, 'bounced'],
  [COMPLAINED, 'complained'],
);

/** Kit subscriber export. Two forms of its header are known. */
export const kit: Platform = { id: 'kit', title: 'Kit', certainty, read };

function certainty({ header, name, sample }: TableShape): number {
  if (countHeaders(header, 'first_name', 'email_address', 'state', 'created_at') === 4) {
    return 80;
  }
  if (/^(kit|convertkit)[-_ .]/i.test(name)) {
    return 75;
  }
  const hasSharedHeaders = countHeaders(header, 'first_name', 'email', 'status', 'created_at') === 4;
  const bare = header.map((text) => text.trim().toLowerCase()).join(',');
  return bare.startsWith('first_name,email,created_at,status')
    ? 70
    : hasSharedHeaders && hasOwnWord({ header, sample })
      ? 65
      : 0;
}

function read(shape: TableShape): TableReading {
  const { header } = shape;
  const state = ['status', 'state'].filter((name) => isStatus(name, shape));
  const columns = assignColumns(shape, { state, internal: ['created_at', 'id', 'subscriber_id'] });
  const rule =
    state.length < 2
      ? stateByWord(header, WORDS, ...state)
      : stateByColumns(
          header,
          state.map((name) => statusWordColumn(name, WORDS)),
        );
  return { ...columns, ...rule, words: WORDS };
}

// True if the table has this column, and it is the status of people. A column `state` may also be part of an address.
// It is the status if it has a word of Kit. Without a column `status`, it also is the status if the table has a column
// `email_address`, or if it is blank in the first rows.
function isStatus(name: string, { header, sample }: TableShape): boolean {
  const index = findHeader(header, name);
  const words = sample.map((cells) => bareWord(cells[index] ?? ''));
  const mayBeStatus = findHeader(header, 'email_address') >= 0 || words.every((word) => word === '');
  const isCertain = name === 'status' || (mayBeStatus && findHeader(header, 'status') < 0);
  return index >= 0 && (isCertain || words.some((word) => WORDS.has(word)));
}

const OWN_WORDS = new Set(['cancelled', 'complained', 'cold']);

// True if the status column has a word that only Kit writes, such as `cold`. Drip's exports have the same headers, but
// not these words.
function hasOwnWord({ header, sample }: Pick<TableShape, 'header' | 'sample'>): boolean {
  const index = findHeader(header, 'status');
  return sample.some((cells) => OWN_WORDS.has(bareWord(cells[index] ?? '')));
}

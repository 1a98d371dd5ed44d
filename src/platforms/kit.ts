import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, bareWord, COMPLAINED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = { state: ['status', 'state'], internal: ['created_at', 'id', 'subscriber_id'] };

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

const OWN_WORDS = new Set(['cancelled', 'complained', 'cold']);

// True if the status column has a word that only Kit writes. Drip has the same headers.
function hasOwnWord({ header, sample }: Pick<TableShape, 'header' | 'sample'>): boolean {
  const index = findHeader(header, 'status');
  return sample.some((cells) => OWN_WORDS.has(bareWord(cells[index] ?? '')));
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'state', 'status') };
}

import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { filledColumn, stateByColumns, statusWordColumn } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  name: ['Name'],
  unsubscribed_at: ['UnsubscribedOn'],
  state: ['SubscribeType'],
  consent: ['CreatedOn', 'SubscribeMethod'],
  internal: ['ID', 'UpdatedOn', 'UnsubscribedFromID', 'RemovedOn'],
};

// The words and codes of Moosend's API.
const WORDS = statusWords(
  [SUBSCRIBED, 'subscribed', '1'],
  [UNSUBSCRIBED, 'unsubscribed', 'removed', '2', '4'],
  [BOUNCED, 'bounced', '3'],
  [COMPLAINED, 'complained', 'spam'],
);

/** Moosend mailing list export. */
export const moosend: Platform = { id: 'moosend', title: 'Moosend', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'SubscribeType', 'UnsubscribedOn', 'CreatedOn', 'UnsubscribedFromID');
  return ownCount >= 2 ? 90 : /moosend/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return {
    ...assignColumns(shape, ROLES),
    ...stateByColumns(shape.header, [statusWordColumn('SubscribeType', WORDS), filledColumn('UnsubscribedOn')]),
    words: WORDS,
  };
}

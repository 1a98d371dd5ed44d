import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  email: ['Email Address'],
  name: ['Name'],
  state: ['State'],
  internal: ['Date', 'ReadsEmailWith'],
  consent: ['ConsentToTrack'],
};

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed'],
  [BOUNCED, 'bounced'],
  [PENDING, 'unconfirmed'],
  [skipFor('deleted'), 'deleted'],
);

/** Campaign Monitor subscriber export, by the field names of its API. */
export const campaignMonitor: Platform = { id: 'campaign-monitor', title: 'Campaign Monitor', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = header.includes('EmailAddress') ? countHeaders(header, 'State', 'Date') : 0;
  return ownCount === 2 ? 75 : /campaign[-_ ]?monitor/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'State') };
}

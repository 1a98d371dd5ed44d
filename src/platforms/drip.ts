import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { SUBSCRIBED, skipFor, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = { state: ['status'], internal: ['created_at', 'id'] };

const WORDS = statusWords(
  [SUBSCRIBED, 'active'],
  [UNSUBSCRIBED, 'unsubscribed', 'removed'],
  [skipFor('inactive'), 'inactive'],
);

/** Drip subscriber export. */
export const drip: Platform = { id: 'drip', title: 'Drip', certainty, read };

function certainty({ header, name }: TableShape): number {
  const bare = header.map((text) => text.trim().toLowerCase()).join(',');
  return bare.startsWith('email,first_name,status,created_at,tags') ? 70 : /^drip[-_ ]/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'status') };
}

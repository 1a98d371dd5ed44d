import { assignColumns, type Roles } from './lib/columns.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { byWord } from './lib/state-columns.ts';
import { SUBSCRIBED, skip, UNSUBSCRIBED, words } from './lib/status-words.ts';

const ROLES: Roles = { state: ['status'], internal: ['created_at', 'id'] };

const WORDS = words([SUBSCRIBED, 'active'], [UNSUBSCRIBED, 'unsubscribed', 'removed'], [skip('inactive'), 'inactive']);

/** Drip subscriber export. */
export const drip: Platform = { id: 'drip', title: 'Drip', certainty, read };

function certainty({ header, name }: TableShape): number {
  const bare = header.map((text) => text.trim().toLowerCase()).join(',');
  return bare.startsWith('email,first_name,status,created_at,tags') ? 70 : /^drip[-_ ]/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...byWord(shape.header, WORDS, 'status') };
}

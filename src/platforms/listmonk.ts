import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { NONE, SUPPRESSED, skipFor, statusWords } from './lib/status-words.ts';

const ROLES: ColumnRoles = { name: ['name'], state: ['status'], internal: ['uuid', 'created_at', 'updated_at'] };

const WORDS = statusWords([NONE, 'enabled'], [skipFor('disabled'), 'disabled'], [SUPPRESSED, 'blocklisted']);

/** listmonk subscriber export. `enabled` gives no state, because a person who left a list stays `enabled`. */
export const listmonk: Platform = { id: 'listmonk', title: 'listmonk', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'uuid', 'email', 'attributes', 'status');
  return ownCount === 4 ? 90 : ownCount === 3 && name === 'subscribers.csv' ? 60 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'status') };
}

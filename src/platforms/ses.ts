import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, statusWords } from './lib/status-words.ts';

const ROLES: ColumnRoles = { email: ['EmailAddress'], unsubscribed_at: ['LastUpdateTime'], state: ['Reason'] };

const WORDS = statusWords([BOUNCED, 'BOUNCE'], [COMPLAINED, 'COMPLAINT']);

/** Amazon SES suppression list, saved as CSV. */
export const ses: Platform = { id: 'ses', title: 'Amazon SES', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'EmailAddress', 'Reason', 'LastUpdateTime');
  return ownCount === 3 ? 95 : /^ses[-_]/i.test(name) ? 40 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'Reason') };
}

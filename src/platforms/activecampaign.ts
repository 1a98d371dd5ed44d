import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, statusWords, UNSUBSCRIBED } from './lib/status-words.ts';

const ROLES: ColumnRoles = { state: ['Status'], consent: ['IP'], internal: ['Date Created', 'Contact ID', 'ID'] };

const WORDS = statusWords(
  [SUBSCRIBED, 'active', '1'],
  [UNSUBSCRIBED, 'unsubscribed', '2'],
  [BOUNCED, 'bounced', '3'],
  [PENDING, 'unconfirmed', '0'],
);

/** ActiveCampaign contact export. Its status is a word or a code. */
export const activecampaign: Platform = { id: 'activecampaign', title: 'ActiveCampaign', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'Email', 'Date Created', 'IP', 'Tags', 'Status');
  return ownCount === 5 ? 80 : /activecampaign/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'Status') };
}

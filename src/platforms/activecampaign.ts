import { assignColumns, type Roles } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { byWord } from './lib/state-columns.ts';
import { BOUNCED, PENDING, SUBSCRIBED, UNSUBSCRIBED, words } from './lib/status-words.ts';

const ROLES: Roles = { state: ['Status'], consent: ['IP'], internal: ['Date Created', 'Contact ID', 'ID'] };

const WORDS = words(
  [SUBSCRIBED, 'active', '1'],
  [UNSUBSCRIBED, 'unsubscribed', '2'],
  [BOUNCED, 'bounced', '3'],
  [PENDING, 'unconfirmed', '0'],
);

/** ActiveCampaign contact export. Its status is a word or a code. */
export const activecampaign: Platform = { id: 'activecampaign', title: 'ActiveCampaign', certainty, read };

function certainty({ header, name }: TableShape): number {
  const own = countHeaders(header, 'Email', 'Date Created', 'IP', 'Tags', 'Status');
  return own === 5 ? 80 : /activecampaign/i.test(name) ? 50 : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...byWord(shape.header, WORDS, 'Status') };
}

import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { stateByWord } from './lib/state-columns.ts';
import { BOUNCED, COMPLAINED, SUPPRESSED, statusWords } from './lib/status-words.ts';

const ROLES: ColumnRoles = {
  email: ['EmailAddress', 'Email'],
  unsubscribed_at: ['CreatedAt'],
  state: ['SuppressionReason'],
  internal: ['Origin', 'MessageStream'],
};

const WORDS = statusWords([BOUNCED, 'HardBounce'], [COMPLAINED, 'SpamComplaint'], [SUPPRESSED, 'ManualSuppression']);

/** Postmark suppressions of one message stream, which is a kind of mail. */
export const postmark: Platform = { id: 'postmark', title: 'Postmark', certainty, read };

function certainty({ header, name }: TableShape): number {
  const ownCount = countHeaders(header, 'SuppressionReason', 'Origin');
  return ownCount === 2
    ? 95
    : ownCount === 1 && findHeader(header, 'SuppressionReason') >= 0
      ? 85
      : /postmark/i.test(name)
        ? 40
        : 0;
}

function read(shape: TableShape): TableReading {
  return { ...assignColumns(shape, ROLES), ...stateByWord(shape.header, WORDS, 'SuppressionReason') };
}

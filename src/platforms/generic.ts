import { assignColumns } from './lib/columns.ts';
import { OPT_OUT_DATE_HEADERS } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';
import { bareWord } from './lib/status-words.ts';

/**
 * Any other list: address and names under usual headers, all other columns as attributes. Only consent columns give a
 * state.
 */
export const generic: Platform = { id: 'generic', title: 'generic list', certainty: () => 1, read };

function read(shape: TableShape): TableReading {
  const dates = shape.header.filter((header) => OPT_OUT_DATE_HEADERS.has(bareWord(header)));
  return { ...assignColumns(shape, { unsubscribed_at: dates.slice(0, 1) }), ...NO_STATE_RULE };
}
